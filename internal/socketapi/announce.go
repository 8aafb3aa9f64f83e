package socketapi

import (
	"context"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"parley/internal/chat"
	"parley/internal/live"
	"parley/internal/wire"
)

// typing tells the others in a room that the person is typing.
func (h *Handler) typing(ctx context.Context, r *request, m *typingRequest) (*Ack, error) {
	room, err := chat.ParseRoomID(m.Room)
	if err != nil {
		return nil, err
	}
	if err := h.charge(ctx, r, requestUnits); err != nil {
		return nil, err
	}
	if _, err := h.Accounts.Check(ctx, r.connection.User); err != nil {
		return nil, err
	}
	audience, err := h.Listeners.Typing(ctx, r.connection, room)
	if err != nil {
		return nil, err
	}
	frame := encode(&Typing{
		Type: typeTyping, Room: string(room), User: string(r.connection.User), Until: wire.TimeText(h.Clock().Add(typingLife)),
	})
	frames := map[live.ConnectionID][]byte{}
	for _, s := range audience {
		frames[s.Connection.ID] = frame
	}
	ctx, cancel := context.WithTimeout(ctx, h.AnnounceTime)
	defer cancel()
	h.post(ctx, r, frames)
	return &Ack{}, nil
}

// announce tells the others in rooms that a person has come or left. It says nothing in rooms where
// the person has another connection, and in rooms of more than live.MaxAudience connections. It
// gives up after AnnounceTime: presence is worth little later, and a list of who is online shows
// the truth.
func (h *Handler) announce(ctx context.Context, r *request, rooms []chat.RoomID, online bool) {
	ctx, cancel := context.WithTimeout(ctx, h.AnnounceTime)
	defer cancel()
	var mu sync.Mutex
	said := map[live.ConnectionID][]PresenceRoom{}
	var all errgroup.Group
	all.SetLimit(atOnce)
	for _, room := range rooms {
		all.Go(func() error {
			audience, err := h.Listeners.Audience(ctx, room, live.MaxAudience)
			if err != nil {
				r.log.DebugContext(ctx, "presence was not announced", "cause", err.Error())
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			for _, id := range others(r.connection, audience) {
				said[id] = append(said[id], PresenceRoom{ID: string(room), User: string(r.connection.User), Online: online})
			}
			return nil
		})
	}
	_ = all.Wait() // an error of one room is in the log
	frames := map[live.ConnectionID][]byte{}
	for id, rooms := range said {
		slices.SortFunc(rooms, func(a, b PresenceRoom) int { return strings.Compare(a.ID, b.ID) })
		frames[id] = encode(&Presence{Type: typePresence, Rooms: rooms})
	}
	h.post(ctx, r, frames)
}

// others returns the connections of other people, or none if the person has another connection.
func others(c live.Connection, audience []live.Subscription) []live.ConnectionID {
	var ids []live.ConnectionID
	for _, s := range audience {
		if s.Connection.ID == c.ID {
			continue
		}
		if s.Connection.User == c.User {
			return nil
		}
		ids = append(ids, s.Connection.ID)
	}
	return ids
}

// post sends frames to connections. A frame that cannot be sent is lost; delivery finds connections
// that have ended.
func (h *Handler) post(ctx context.Context, r *request, frames map[live.ConnectionID][]byte) {
	var all errgroup.Group
	all.SetLimit(atOnce)
	for id, frame := range frames {
		all.Go(func() error {
			if err := h.Poster.Post(ctx, id, frame); err != nil {
				r.log.DebugContext(ctx, "a frame was not sent", "to", id, "cause", err.Error())
			}
			return nil
		})
	}
	_ = all.Wait() // an error of one frame is in the log
}
