package socketapi

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
)

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
