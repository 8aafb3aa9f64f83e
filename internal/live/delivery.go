package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/feedwriter"
)

// Poster sends frames to connections.
type Poster interface {
	// Post sends the new changes of rooms in one frame.
	Post(ctx context.Context, to ConnectionID, rooms []feedwriter.Appended) error
}

// Delivery sends the changes that were appended to feeds. It implements feedwriter.Consumer, and is
// safe for concurrent use.
type Delivery struct {
	rows   Rows
	rooms  chat.Authorizer
	poster Poster
	clock  func() time.Time
}

// NewDelivery returns a delivery.
func NewDelivery(rows Rows, rooms chat.Authorizer, poster Poster, clock func() time.Time) *Delivery {
	return &Delivery{rows: rows, rooms: rooms, poster: poster, clock: clock}
}

// Consume sends each connection one frame with the changes of all rooms that it subscribes to. It
// is called after the append of the changes.
func (d *Delivery) Consume(ctx context.Context, rooms []feedwriter.Appended) error {
	var errs []error
	frames := map[ConnectionID][]feedwriter.Appended{}
	var order []ConnectionID
	for _, room := range rooms {
		audience, err := d.audience(ctx, room)
		errs = append(errs, err)
		for _, id := range audience {
			if frames[id] == nil {
				order = append(order, id)
			}
			frames[id] = append(frames[id], room)
		}
	}
	for _, id := range order {
		errs = append(errs, d.poster.Post(ctx, id, frames[id]))
	}
	return errors.Join(errs...)
}

// audience returns the connections that receive the changes of a room. It leaves out people whom
// these changes have removed: the process that removed them may have ended before it could delete
// their subscriptions.
func (d *Delivery) audience(ctx context.Context, room feedwriter.Appended) ([]ConnectionID, error) {
	all, err := d.rows.Subscriptions(ctx, room.Room)
	if err != nil {
		return nil, err
	}
	removed, err := d.removed(ctx, room, all)
	now := d.clock()
	var audience []ConnectionID
	for _, s := range all {
		if s.receives(now) && !removed[s.Connection.User] {
			audience = append(audience, s.Connection.ID)
		}
	}
	return audience, err
}

// removed returns the subscribers who may no longer read a room because of its changes, and deletes
// their subscriptions. It includes people for whom that cannot be decided at present.
func (d *Delivery) removed(ctx context.Context, room feedwriter.Appended, all []Subscription) (map[chat.UserID]bool, error) {
	var errs []error
	removed := map[chat.UserID]bool{}
	for _, user := range membersChanged(room) {
		if len(ofUser(all, user)) == 0 {
			continue
		}
		keeps, err := expel(ctx, d.rows, d.rooms, chat.MemberOf{Room: room.Room, User: user})
		removed[user] = !keeps
		errs = append(errs, err)
	}
	return removed, errors.Join(errs...)
}

// membersChanged returns the people whose memberships the changes of a room have changed, each
// once.
func membersChanged(room feedwriter.Appended) []chat.UserID {
	var users []chat.UserID
	for _, e := range room.Entries {
		if e.Type == feed.MemberChanged && !slices.Contains(users, e.User) {
			users = append(users, e.User)
		}
	}
	return users
}
