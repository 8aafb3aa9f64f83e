package socketapi

import (
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/wire"
)

// typing notifies the others in a room that the person is typing. It does not check that the thread
// exists: nobody shows one that does not.
func (h *Handler) typing(ctx context.Context, r *request, m *typingRequest) (*Ack, error) {
	room, err := chat.ParseRoomID(m.Room)
	if err != nil {
		return nil, err
	}
	if m.Thread != "" {
		if _, err := chat.ParseMessageID(m.Thread); err != nil {
			return nil, chat.InField("thread", err)
		}
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
		Type: typeTyping, Room: string(room), Thread: m.Thread, User: string(r.connection.User),
		Until: wire.TimeText(h.Clock().Add(typingLife)),
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

// announce notifies the others in rooms that a person has come or left. It skips people whom the
// person has blocked, rooms where the person has another connection, and rooms with more than
// live.MaxAudience connections. It gives up after AnnounceTime: late presence has little value,
// and the list of online people is correct anyway.
func (h *Handler) announce(ctx context.Context, r *request, rooms []chat.RoomID, online bool) {
	if len(rooms) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, h.AnnounceTime)
	defer cancel()
	var blocked map[chat.UserID]bool
	audiences := make([][]live.Subscription, len(rooms))
	var all errgroup.Group
	all.SetLimit(atOnce)
	all.Go(func() (err error) {
		blocked, err = h.Blocks.Blocked(ctx, r.connection.User)
		return err
	})
	for i, room := range rooms {
		all.Go(func() error {
			audience, err := h.Listeners.Audience(ctx, room, live.MaxAudience)
			if err != nil {
				r.log.DebugContext(ctx, "presence was not announced", "cause", err.Error())
				return nil
			}
			audiences[i] = audience
			return nil
		})
	}
	if err := all.Wait(); err != nil { // an error of one room is in the log
		r.log.DebugContext(ctx, "presence was not announced", "cause", err.Error())
		return
	}
	said := map[live.ConnectionID][]PresenceRoom{}
	for i, room := range rooms {
		for _, id := range others(r.connection, audiences[i], blocked) {
			said[id] = append(said[id], PresenceRoom{ID: string(room), User: string(r.connection.User), Online: online})
		}
	}
	frames := map[live.ConnectionID][]byte{}
	for id, rooms := range said {
		slices.SortFunc(rooms, func(a, b PresenceRoom) int { return strings.Compare(a.ID, b.ID) })
		frames[id] = encode(&Presence{Type: typePresence, Rooms: rooms})
	}
	h.post(ctx, r, frames)
}

// others returns the connections of other people, except people whom the person has blocked. It
// returns none if the person has another connection.
func others(c live.Connection, audience []live.Subscription, blocked map[chat.UserID]bool) []live.ConnectionID {
	var ids []live.ConnectionID
	for _, s := range audience {
		if s.Connection.ID == c.ID {
			continue
		}
		if s.Connection.User == c.User {
			return nil
		}
		if !blocked[s.Connection.User] {
			ids = append(ids, s.Connection.ID)
		}
	}
	return ids
}

// post sends frames to connections. A frame that cannot be sent is lost; delivery finds connections
// that have ended. A connection that the service refuses rests, as in a delivery: otherwise each
// client that reads nothing would cost every request two calls.
func (h *Handler) post(ctx context.Context, r *request, frames map[live.ConnectionID][]byte) {
	var all errgroup.Group
	all.SetLimit(atOnce)
	for id, frame := range frames {
		if h.rests.Resting(id) {
			continue
		}
		all.Go(func() error {
			err := h.Poster.Post(ctx, id, frame)
			switch {
			case err == nil:
				h.rests.End(id)
				return nil
			case errors.Is(err, live.ErrRefused):
				h.rests.Begin(id)
			}
			r.log.DebugContext(ctx, "a frame was not sent", "to", id, "cause", err.Error())
			return nil
		})
	}
	_ = all.Wait() // an error of one frame is in the log
}
