// Package pin stores the messages that a room's people have pinned for everyone in it.
package pin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// MaxPins limits the pins of a room: all pins are one item, and nobody looks through more.
const MaxPins = 100

// Pin is a pinned message.
type Pin struct {
	Message chat.MessageID
	By      chat.UserID
	At      time.Time // to the millisecond
}

// position returns the position of a pin in the list.
func (p Pin) position() chat.ListPosition {
	return chat.ListPosition{Sort: fmt.Sprintf("%019d", p.At.UnixMilli()), ID: p.Message.String()}
}

// validPosition reports whether a pin could have a position.
func validPosition(p chat.ListPosition) bool {
	ms, err := strconv.ParseInt(p.Sort, 10, 64)
	_, idErr := chat.ParseMessageID(p.ID)
	return err == nil && idErr == nil && p.Sort == fmt.Sprintf("%019d", ms)
}

// before reports whether a pin comes before a position or is at it.
func (p Pin) before(at chat.ListPosition) bool {
	own := p.position()
	return own.Sort > at.Sort || own.Sort == at.Sort && own.ID <= at.ID
}

// Pinned is a pin with its message in its current state.
type Pinned struct {
	Pin
	Current chat.Message
}

// Projection unpins messages that were deleted. It implements stream.Projection.
type Projection struct{ table *dynamo.Table }

// NewProjection returns a projection.
func NewProjection(t *dynamo.Table) *Projection { return &Projection{t} }

// Project unpins the messages that the entries delete. If there is a deletion, it reads the room's
// pins once. It writes only for pinned messages.
func (d *Projection) Project(ctx context.Context, w feed.RoomChanges) error {
	isDeletion := func(e feed.AppendedEntry) bool { return e.Type == feed.MessageDeleted }
	if !slices.ContainsFunc(w.Entries, isDeletion) {
		return nil
	}
	pins, err := Read(ctx, d.table, w.Room, dynamo.Strong)
	if err != nil {
		return err
	}
	for _, e := range w.Entries {
		pinned := func(p Pin) bool { return p.Message == e.Message }
		if !isDeletion(e) || !slices.ContainsFunc(pins, pinned) {
			continue
		}
		if _, err := Remove(ctx, d.table, w.Room, e.Message); err != nil {
			return err
		}
	}
	return nil
}

// prefix begins the attributes of pins. Each pin is an attribute of its own, so an update can name
// it in its condition. attrCount counts them.
const (
	prefix    = "pin#"
	attrCount = "pins"
)

// Put adds a pin, unless the message is already pinned or the room has limit pins. It returns the
// stored pin; ok is false if the room has limit others. If an attempt of this call pinned the
// message but its answer was lost, it returns that pin.
//
// It is one conditional update: 1 write unit for each KB of the room's pins, some 80 bytes each.
func Put(ctx context.Context, t *dynamo.Table, room chat.RoomID, p Pin, limit int) (stored Pin, ok bool, err error) {
	const op = "pin"
	existing, failed, err := t.UpdateItem(ctx, op, table.PinsKey(room), update(room, p, limit))
	if err != nil || !failed {
		return p, err == nil, err
	}
	pins, err := Parse(existing)
	if err != nil {
		return Pin{}, false, fmt.Errorf("%s: %w", op, err)
	}
	for _, other := range pins {
		if other.Message == p.Message {
			return other, true, nil
		}
	}
	return Pin{}, false, nil
}

// Remove removes a pin; removed is false if the message was not pinned. It is one conditional
// update: 1 write unit for each KB of the room's pins.
func Remove(ctx context.Context, t *dynamo.Table, room chat.RoomID, id chat.MessageID) (removed bool, err error) {
	_, failed, err := t.UpdateItem(ctx, "unpin", table.PinsKey(room), removal(room, id))
	return err == nil && !failed, err
}

// Read returns the pins of a room, newest first. It is one read: 1 read unit for every 4 KB, or
// half a unit if eventually consistent.
func Read(ctx context.Context, t *dynamo.Table, room chat.RoomID, c dynamo.Consistency) ([]Pin, error) {
	read := dynamo.ReadEventual[[]Pin]
	if c == dynamo.Strong {
		read = dynamo.ReadStrong[[]Pin]
	}
	pins, _, err := read(ctx, t, "read pins", table.PinsKey(room), Parse)
	return pins, err
}

// update pins a message that is not pinned, if fewer than limit messages are pinned.
func update(room chat.RoomID, p Pin, limit int) table.Update {
	u := change(room, p.Message, true)
	u.Expression += ", #pin = :pin ADD #rev :one, #n :one"
	u.Condition = "attribute_not_exists(#pin) AND (attribute_not_exists(#n) OR #n < :limit)"
	u.Names["#n"], u.Names["#pin"] = attrCount, prefix+p.Message.String()
	u.Values[":pin"], u.Values[":limit"] = table.Text(p.text()), table.Number(int64(limit))
	return u
}

// removal unpins a message that is pinned.
func removal(room chat.RoomID, id chat.MessageID) table.Update {
	u := change(room, id, false)
	u.Expression += " REMOVE #pin ADD #rev :one, #n :less"
	u.Condition = "attribute_exists(#pin)"
	u.Names["#n"], u.Names["#pin"] = attrCount, prefix+id.String()
	u.Values[":less"] = table.Number(-1)
	return u
}

// text returns the value of a pin: its time in milliseconds and the person who pinned.
func (p Pin) text() string {
	return strconv.FormatInt(p.At.UnixMilli(), 10) + "#" + string(p.By)
}

// Parse reads the pins of a room, newest first.
func Parse(item table.Item) ([]Pin, error) {
	r := table.Reader{Item: item}
	r.Expect(table.PinsKind)
	var pins []Pin
	for name := range item {
		id, isPin := strings.CutPrefix(name, prefix)
		if !isPin {
			continue
		}
		at, by, _ := strings.Cut(r.Text(name), "#")
		ms, err := strconv.ParseInt(at, 10, 64)
		r.Keep(err)
		p := Pin{At: time.UnixMilli(ms).UTC()}
		p.Message, err = chat.ParseMessageID(id)
		r.Keep(err)
		p.By, err = chat.StoredUserID(by)
		r.Keep(err)
		pins = append(pins, p)
	}
	if r.Err != nil {
		return nil, fmt.Errorf("pins: %w", r.Err)
	}
	slices.SortFunc(pins, func(a, b Pin) int {
		return cmp.Or(b.At.Compare(a.At), strings.Compare(a.Message.String(), b.Message.String()))
	})
	return pins, nil
}

// change returns the part of an update of a room's pins that names its change, which enters the
// room's feed. The update must also add :one to #rev.
func change(room chat.RoomID, id chat.MessageID, pinned bool) table.Update {
	did := "no"
	if pinned {
		did = "yes"
	}
	return table.Update{
		Expression: "SET #feed = :room, #changed = :id, #pinned = :pinned",
		Names: map[string]string{
			"#feed": table.AttrFeed, "#changed": table.AttrChanged, "#pinned": table.AttrPinned,
			"#rev": table.AttrRevision,
		},
		Values: table.Item{
			":room": table.Text(string(room)), ":id": table.Text(id.String()),
			":pinned": table.Text(did), ":one": table.Number(1),
		},
	}.Stamped(table.PinsKind)
}
