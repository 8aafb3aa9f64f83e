package socketapi

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/live"
	"example.com/parley/internal/ratelimit"
)

// serve performs a request and returns its ack.
func (h *Handler) serve(ctx context.Context, r *request, message any) (*Ack, error) {
	switch m := message.(type) {
	case *subscribeRequest:
		wanted, err := h.wanted(ctx, r, m)
		if err != nil {
			return nil, err
		}
		return h.subscribe(ctx, r, wanted)
	case *unsubscribeRequest:
		return h.unsubscribe(ctx, r, m)
	case *typingRequest:
		return h.typing(ctx, r, m)
	case *renewRequest:
		return h.renew(ctx, r, m)
	case *syncRequest:
		if m.Rooms != nil {
			return h.syncRooms(ctx, r, m.Rooms)
		}
	}
	return h.sync(ctx, r)
}

// charge takes a request's price from the budget that all connections of its person share. It is
// called before the first call to the store.
func (h *Handler) charge(ctx context.Context, r *request, units int) error {
	meter := h.Meter
	if r.service {
		meter = h.ServiceMeter
	}
	return meter.Take(
		ctx, r.connection.User, ratelimit.Budgets{}, ratelimit.Cost{Limit: ratelimit.Writes, Units: units},
	)
}

// wantedPosition is a room to subscribe to, with the position of the client.
type wantedPosition struct {
	live.Want
	since chat.FeedPosition
}

// wanted returns the rooms of a request to subscribe. A hello without a list means the person's
// most recent rooms; an empty list means no rooms.
func (h *Handler) wanted(ctx context.Context, r *request, m *subscribeRequest) ([]wantedPosition, error) {
	if m.Type == typeHello && m.Rooms == nil {
		if err := h.charge(ctx, r, DefaultRooms*roomUnits); err != nil {
			return nil, err
		}
		rooms, err := h.Inbox.Recent(ctx, r.connection.User, DefaultRooms)
		wanted := make([]wantedPosition, len(rooms))
		for i, room := range rooms {
			wanted[i].Room = room
		}
		return wanted, err
	}
	if m.Type == typeSubscribe && len(m.Rooms) == 0 {
		return nil, chat.Invalidf("rooms", "must name a room")
	}
	wanted, err := parseWanted(m.Rooms)
	if err != nil {
		return nil, err
	}
	return wanted, h.charge(ctx, r, (1+len(wanted))*roomUnits)
}

// parseWanted parses a list of rooms. The error names the field at fault.
func parseWanted(rooms []wantedRoom) ([]wantedPosition, error) {
	ids := make([]string, len(rooms))
	for i, room := range rooms {
		ids[i] = room.ID
	}
	parsed, err := parseRooms(ids)
	if err != nil {
		return nil, err
	}
	wanted := make([]wantedPosition, len(rooms))
	for i, room := range rooms {
		w := &wanted[i]
		w.Room = parsed[i]
		if w.since, err = parseSince(i, w.Room, room.Since); err != nil {
			return nil, err
		}
		var known bool
		if w.Mode, known = live.ParseMode(room.Mode); !known && room.Mode != "" {
			return nil, chat.Invalidf(fmt.Sprintf("rooms[%d].mode", i), "must be %s or %s", live.Full, live.Counts)
		}
	}
	return wanted, nil
}

// parseSince parses the position of the room at an index; "" is the beginning.
func parseSince(at int, room chat.RoomID, text string) (chat.FeedPosition, error) {
	if text == "" {
		return chat.FeedPosition{}, nil
	}
	since, err := chat.ParseFeedPosition(room, text)
	return since, chat.InField(fmt.Sprintf("rooms[%d].since", at), err)
}

// parseRooms parses the ids of a list of rooms, which must not contain duplicates.
func parseRooms(ids []string) ([]chat.RoomID, error) {
	if len(ids) > live.MaxRooms {
		return nil, chat.Invalidf("rooms", "must name at most %d rooms", live.MaxRooms)
	}
	rooms := make([]chat.RoomID, len(ids))
	for i, id := range ids {
		field := fmt.Sprintf("rooms[%d].id", i)
		room, err := chat.ParseRoomID(id)
		if err != nil {
			return nil, chat.InField(field, err)
		}
		if slices.Contains(rooms[:i], room) {
			return nil, chat.Invalidf(field, "must not be in the list twice")
		}
		rooms[i] = room
	}
	return rooms, nil
}

// subscribe subscribes a connection to rooms. The rooms are stored with the connection first, so
// its end finds them all. The ack has the head or the problem of each room: one room does not fail
// the others.
//
// A suspension ends the connection regardless of its rooms.
func (h *Handler) subscribe(ctx context.Context, r *request, wanted []wantedPosition) (*Ack, error) {
	rooms, wants := make([]chat.RoomID, len(wanted)), make([]live.Want, len(wanted))
	for i, w := range wanted {
		rooms[i], wants[i] = w.Room, w.Want
	}
	if err := h.Subscriptions.Open(ctx, r.connection, rooms); err != nil {
		return nil, err
	}
	results, refused := h.Subscriptions.Subscribe(ctx, r.connection, r.attempt, wants)
	if refused != nil {
		_, err := h.Listeners.Disconnect(ctx, r.connection)
		return nil, errors.Join(refused, err)
	}
	ack := &Ack{Rooms: make([]AckRoom, len(wanted))}
	subscribed, hidden := make([]bool, len(wanted)), make([]bool, len(wanted))
	for i, s := range results {
		subscribed[i], hidden[i] = s.Err == nil, chat.KindOf(s.Err) == chat.NotFound ||
			chat.KindOf(s.Err) == chat.Forbidden
		ack.Rooms[i] = h.ackRoom(ctx, r, rooms[i], s.Err)
		if s.Err == nil {
			reset := s.Head.MustReset(wanted[i].since)
			ack.Rooms[i].position(rooms[i], s.Head)
			ack.Rooms[i].Reset = &reset
		}
	}
	if err := h.Subscriptions.Forget(ctx, r.connection, where(rooms, hidden)); err != nil {
		r.log.WarnContext(ctx, "rooms that were refused stay with the connection", "cause", err.Error())
	}
	h.announce(ctx, r, where(rooms, subscribed), true)
	return ack, nil
}

// ackRoom returns the entry of a room in an ack, with the problem of an error, if there is one.
func (h *Handler) ackRoom(ctx context.Context, r *request, room chat.RoomID, err error) AckRoom {
	a := AckRoom{ID: string(room)}
	if err != nil {
		a.Problem = h.problemOf(ctx, r, err)
		a.RetryAfter = seconds(a.Problem)
	}
	return a
}

// position sets the end of a room's feed.
func (a *AckRoom) position(room chat.RoomID, head feed.Head) {
	end := chat.FeedPosition{}
	if head.Last > 0 {
		end = chat.FeedPosition{Seq: head.Last, Generation: head.Generation}
	}
	a.Head, a.Since = &head.Last, end.Text(room)
}

// where returns the rooms at the indexes where chosen is true.
func where(rooms []chat.RoomID, chosen []bool) []chat.RoomID {
	var some []chat.RoomID
	for i, room := range rooms {
		if chosen[i] {
			some = append(some, room)
		}
	}
	return some
}

// unsubscribe ends the subscriptions of a connection to rooms, known or not.
func (h *Handler) unsubscribe(ctx context.Context, r *request, m *unsubscribeRequest) (*Ack, error) {
	ids := make([]string, len(m.Rooms))
	for i, room := range m.Rooms {
		ids[i] = room.ID
	}
	if len(ids) == 0 {
		return nil, chat.Invalidf("rooms", "must name a room")
	}
	rooms, err := parseRooms(ids)
	if err != nil {
		return nil, err
	}
	if err := h.charge(ctx, r, len(rooms)*roomUnits); err != nil {
		return nil, err
	}
	ack := &Ack{Rooms: make([]AckRoom, len(rooms))}
	ended := make([]bool, len(rooms))
	for i, room := range rooms { // sequentially, because each changes the connection's row
		was, err := h.Subscriptions.Unsubscribe(ctx, r.connection, room)
		ended[i] = was
		ack.Rooms[i] = h.ackRoom(ctx, r, room, err)
		ack.Rooms[i].Unsubscribed = err == nil
	}
	h.announce(ctx, r, where(rooms, ended), false)
	return ack, nil
}

// sync returns the positions of the connection's rooms. It also keeps the connection open, which
// API Gateway would end after 10 idle minutes.
func (h *Handler) sync(ctx context.Context, r *request) (*Ack, error) {
	if err := h.charge(ctx, r, requestUnits); err != nil {
		return nil, err
	}
	if _, err := h.Accounts.Check(ctx, r.connection.User); err != nil {
		return nil, err
	}
	positions, err := h.Subscriptions.Positions(ctx, r.connection)
	if err != nil {
		return nil, err
	}
	return ackOf(positions), nil
}

// syncRooms returns the positions of some rooms, whether or not they are the connection's. It does
// not keep the connection open. It reads the account only if a subscription has ended: a suspension
// ends all of them.
func (h *Handler) syncRooms(ctx context.Context, r *request, rooms []knownRoom) (*Ack, error) {
	known, err := parseKnown(rooms)
	if err != nil {
		return nil, err
	}
	if err := h.charge(ctx, r, len(known)*syncedRoomUnits); err != nil {
		return nil, err
	}
	positions, err := h.Subscriptions.PositionsOf(ctx, r.connection, known)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(positions, func(p live.Position) bool { return !p.Subscribed }) {
		if _, err := h.Accounts.Check(ctx, r.connection.User); err != nil {
			return nil, err
		}
	}
	return ackOf(positions), nil
}

// parseKnown parses the rooms of a sync. The error names the field at fault.
func parseKnown(rooms []knownRoom) ([]live.Known, error) {
	ids := make([]string, len(rooms))
	for i, room := range rooms {
		ids[i] = room.ID
	}
	if len(ids) == 0 || len(ids) > MaxSyncedRooms {
		return nil, chat.Invalidf("rooms", "must name 1 to %d rooms", MaxSyncedRooms)
	}
	parsed, err := parseRooms(ids)
	if err != nil {
		return nil, err
	}
	known := make([]live.Known, len(rooms))
	for i, room := range rooms {
		known[i].Room = parsed[i]
		if known[i].Since, err = parseSince(i, parsed[i], room.Since); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// ackOf returns an ack with positions.
func ackOf(positions []live.Position) *Ack {
	ack := &Ack{Rooms: make([]AckRoom, len(positions))}
	for i, p := range positions {
		ack.Rooms[i] = AckRoom{ID: string(p.Room), Unsubscribed: !p.Subscribed}
		if p.Subscribed {
			ack.Rooms[i].position(p.Room, p.Head)
		}
		if p.Reset {
			ack.Rooms[i].Reset = &p.Reset
		}
	}
	return ack
}
