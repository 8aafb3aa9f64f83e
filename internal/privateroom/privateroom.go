// Package privateroom creates private rooms, exactly once for each request of a client.
//
// Its rows and calls are in table and dynamo: one transaction writes the room, its first member and
// the request.
package privateroom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/digest"
	"example.com/parley/internal/policy"
)

// Store stores private rooms and the requests that created them.
type Store interface {
	// CreateRoom is as in chat.Store.
	CreateRoom(ctx context.Context, room chat.Room, owner chat.Membership) (created bool, err error)
	// CreateRequestedRoom stores a new room and its first member with their request, in one
	// transaction. If the caller has a request with that id that has not expired at r.At, it
	// changes nothing and created is false.
	CreateRequestedRoom(ctx context.Context, r Request, room chat.Room, owner chat.Membership) (created bool, err error)
	// RoomRequest returns a request of a caller; found is false if there is none. A request that
	// has expired may still be found.
	RoomRequest(ctx context.Context, caller chat.UserID, id uuid.UUID) (r Request, found bool, err error)
}

// Request records that a client's request has created a room. There is at most one for each caller
// and id, so the request creates one room.
type Request struct {
	ID     uuid.UUID // the client's
	Caller chat.UserID
	Room   chat.RoomID
	Digest []byte // of everything else in the request, by the room's DigestKey
	// At is when the room was created. Stores need not keep it.
	At time.Time
	// Expires is when the request is forgotten, to the second.
	Expires time.Time
}

// requestLife is how long a request is known. A request's id is accepted for chat.MaxAge, and
// twice that is certainly later, even if clocks differ.
const requestLife = 2 * chat.MaxAge

// Service creates private rooms. It is safe for concurrent use.
type Service struct {
	store Store
	rooms *chat.Service
	clock func() time.Time
	audit chat.Auditor
}

// NewService returns a service.
func NewService(store Store, rooms *chat.Service, audit chat.Auditor, clock func() time.Time) *Service {
	return &Service{store: store, rooms: rooms, audit: audit, clock: clock}
}

// PostRoom creates a room for the caller that only its members can see, exactly once for each
// request id. On a retry it returns the room in its current state, and replay is true. With the
// zero id, each call creates a room.
//
// The error is Invalid for an invalid draft, and Forbidden if the caller may not create rooms. It
// is Conflict if the id was used with another draft, or if the caller can no longer see the room
// that it created. It is also Conflict if the request is unknown and the caller is in the maximum
// number of rooms. It is ClockSkew if the id's time is more than MaxAhead ahead of the server, or
// more than MaxAge ago and the request is unknown.
func (s *Service) PostRoom(
	ctx context.Context, caller chat.UserID, id uuid.UUID, draft chat.RoomDraft,
) (room chat.Room, replay bool, err error) {
	now := chat.ServerTime(s.clock())
	sentAt := chat.MessageID{UUID: id}.SentAt()
	if sentAt.After(now.Add(chat.MaxAhead)) {
		return chat.Room{}, false, inRequestID(chat.ClockSkewed("ahead of", now))
	}
	room, owner, refused := s.rooms.DraftPrivateRoom(ctx, caller, draft)
	if refused != nil && (chat.KindOf(refused) != chat.Conflict || id == (uuid.UUID{})) {
		return chat.Room{}, false, refused
	}
	if id == (uuid.UUID{}) {
		return room, false, s.create(ctx, room, owner)
	}
	if sentAt.Before(now.Add(-chat.MaxAge)) {
		refused = inRequestID(chat.ClockSkewed("behind", now))
	}
	r := Request{
		ID: id, Caller: caller, Room: room.ID, Digest: draftDigest(room.DigestKey, draft), At: now,
		Expires: now.Add(requestLife),
	}
	if refused == nil {
		return s.createOnce(ctx, r, newRoom{room, owner, draft})
	}
	room, replay, err = s.replay(ctx, r, draft)
	if err == nil && !replay {
		err = refused
	}
	return room, replay, err
}

// newRoom is a room that is not stored yet.
type newRoom struct {
	room  chat.Room
	owner chat.Membership
	draft chat.RoomDraft
}

// createOnce stores a new room, or finds the room that the request has created before.
func (s *Service) createOnce(ctx context.Context, r Request, n newRoom) (room chat.Room, replay bool, err error) {
	for range chat.MaxChangeTries {
		created, err := s.store.CreateRequestedRoom(ctx, r, n.room, n.owner)
		if err != nil {
			return chat.Room{}, false, err
		}
		if created {
			s.auditRoom(ctx, n.room)
			return n.room, false, nil
		}
		if room, found, err := s.replay(ctx, r, n.draft); found || err != nil {
			return room, found, err
		}
	}
	return chat.Room{}, false, chat.TooBusy()
}

// create stores a new room.
func (s *Service) create(ctx context.Context, room chat.Room, owner chat.Membership) error {
	created, err := s.store.CreateRoom(ctx, room, owner)
	if err != nil {
		return err
	}
	if !created {
		return errors.New("the random id of a private room was taken")
	}
	s.auditRoom(ctx, room)
	return nil
}

func (s *Service) auditRoom(ctx context.Context, room chat.Room) {
	s.audit.Audit(ctx, room.ID, chat.AuditEvent{By: room.CreatedBy, Action: "room.created"})
}

// replay returns the room that a request has created; found is false if there is none. A request
// that has expired is unknown, even if the store still has it.
func (s *Service) replay(ctx context.Context, r Request, draft chat.RoomDraft) (room chat.Room, found bool, err error) {
	stored, found, err := s.store.RoomRequest(ctx, r.Caller, r.ID)
	if err != nil || !found || !r.At.Before(stored.Expires) {
		return chat.Room{}, false, err
	}
	a, err := s.rooms.Authorize(ctx, r.Caller, stored.Room, policy.See)
	if chat.KindOf(err) == chat.NotFound {
		return chat.Room{}, false,
			conflict("the room of this request is gone, or you have left it; use a new requestId to create another")
	}
	if err != nil {
		return chat.Room{}, false, err
	}
	if !bytes.Equal(stored.Digest, draftDigest(a.Room.DigestKey, draft)) {
		return chat.Room{}, false, conflict("this requestId was used for another room; use a new one")
	}
	if a.Role != policy.Owner {
		a.Room = a.Room.WithoutShards()
	}
	return a.Room, true, nil
}

// draftDigest returns the digest of everything that a client sends, which a retry must repeat. It
// covers every field of the draft, so no new setting can be forgotten. An absent setting differs
// from an explicit default.
func draftDigest(key []byte, draft chat.RoomDraft) []byte {
	if draft.Metadata != nil {
		metadata, _ := chat.ParseMetadata(*draft.Metadata) // the room has it, so it is valid
		draft.Metadata = &metadata
	}
	c := digest.Content{More: map[string][]string{}}
	for field, value := range reflect.ValueOf(draft).Fields() {
		if !value.IsNil() {
			c.More[field.Name] = []string{fmt.Sprint(value.Elem().Interface())}
		}
	}
	return digest.Sum(key, c)
}

const requestID = "requestId"

func inRequestID(err error) error { return chat.InField(requestID, err) }

func conflict(detail string) error {
	return &chat.Error{Kind: chat.Conflict, Field: requestID, Detail: detail}
}
