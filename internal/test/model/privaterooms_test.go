package model

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/privateroom"
)

// createPrivateRoom creates a private room, up to maxPrivateRooms.
func (w *world) createPrivateRoom() error {
	count := 0
	for _, r := range w.model.rooms {
		if r.private && r.direct == nil {
			count++
		}
	}
	if count >= maxPrivateRooms {
		return nil
	}
	caller, draft := oneOf(w, people...), w.draft()
	draft.Name, draft.Place, draft.Shards = new("private"), nil, new(w.rand.IntN(9))
	request := roomRequest{caller: caller, id: chat.NewUUID(w.clock.now(), [10]byte{byte(len(w.requested))}), draft: draft}
	request.expires = w.clock.now().Add(2 * chat.MaxAge).Truncate(time.Second)
	w.note("%s creates a private room %s", caller, draftText(draft))
	got, replay, err := w.service(missingRoom).Private.PostRoom(w.ctx, caller, request.id, draft)
	if err != nil || replay {
		return fmt.Errorf("the engine answers with a retry: %v, %w", replay, err)
	}
	request.room = got.ID
	w.requested = append(w.requested, request)
	if !got.ID.Private() || w.model.rooms[got.ID] != nil {
		return fmt.Errorf("the engine created the room %s", got.ID)
	}
	w.model.createRoom(caller, &room{id: got.ID, private: true}, draft)
	got.DigestKey = nil
	return w.agree(answer{Given: w.model.rooms[got.ID].shown()}, answer{Given: got})
}

// roomRequest is a request that created a private room.
type roomRequest struct {
	caller chat.UserID
	id     uuid.UUID
	draft  chat.RoomDraft
	room   chat.RoomID
	// expires is when the service forgets the request.
	expires time.Time
}

// retryPrivateRoom sends a request for a private room again, now and then with another content.
func (w *world) retryPrivateRoom() error {
	if len(w.requested) == 0 {
		return nil
	}
	r := oneOf(w, w.requested...)
	other := w.percent(30)
	if other {
		r.draft.Name = new("another")
	}
	w.note("%s asks again for the private room %s; other content: %v", r.caller, r.room, other)
	var want answer
	in, denied := w.model.enter(r.caller, r.room, policy.See)
	switch {
	case !w.model.now().Before(r.expires):
		want.Refusal = refusal{Kind: chat.ClockSkew, Server: w.model.now()}
	case denied == refused(chat.NotFound) || denied == (refusal{}) && other:
		want.Refusal = refused(chat.Conflict)
	case denied != (refusal{}):
		want.Refusal = denied
	default:
		want.Given, want.Flag = in.shownTo(r.caller), true
	}
	got, replay, err := w.service(missingRoom).Private.PostRoom(w.ctx, r.caller, r.id, r.draft)
	got.DigestKey = nil
	if err != nil {
		return w.agree(want, answer{Refusal: refusalOf(err)})
	}
	return w.agree(want, answer{Given: got, Flag: replay})
}

// forgottenRequests is a store with a fault: a request is found under a wrong key.
type forgottenRequests struct{ store }

func (b forgottenRequests) CreateRequestedRoom(ctx context.Context, r privateroom.Request, room chat.Room, owner chat.Membership) (bool, error) {
	r.Caller = chat.UserID(room.ID)
	return b.store.CreateRequestedRoom(ctx, r, room, owner)
}
