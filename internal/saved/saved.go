// Package saved stores the messages that people have saved for themselves.
package saved

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// Entry is a message that a person has saved.
type Entry struct {
	Room    chat.RoomID
	Message chat.MessageID
	At      time.Time // to the millisecond
}

// Saved is an entry with its message in its current state.
type Saved struct {
	Entry
	Current chat.Message
}

// Service saves messages. It is safe for concurrent use.
type Service struct {
	table    *dynamo.Table
	rooms    *chat.Service
	messages chat.MessageGetter
	readable chat.MessageReader
	clock    func() time.Time
}

// NewService returns a service.
func NewService(t *dynamo.Table, rooms *chat.Service, messages chat.MessageGetter, clock func() time.Time) *Service {
	return &Service{
		table: t, rooms: rooms, messages: messages, clock: clock,
		readable: chat.MessageReader{Authorize: rooms.Authorize, Source: messages},
	}
}

// Save saves a message for the caller. A message that is already saved keeps its place in the
// list.
//
// The error is NotFound for an unknown message, Conflict for a deleted one, and RateLimited if the
// caller saves too fast. Otherwise it is as for Authorize.
//
// It is one conditional put: 2 write units, one for the table and one for the index.
func (s *Service) Save(ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID) error {
	if wait := s.rooms.TakeTokens(ctx, caller, 1); wait > 0 {
		return &chat.Error{
			Kind: chat.RateLimited, Limit: "messages", RetryAfter: wait, Detail: "you save too fast; " + chat.RetryHint,
		}
	}
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return err
	}
	m, err := s.messages.Message(ctx, room, id)
	if err != nil {
		return err
	}
	if m.Deleted() {
		return chat.Conflictf("the message is deleted and cannot be saved")
	}
	_, err = s.table.InsertItem(
		ctx, "save message", Item(caller, Entry{Room: room, Message: id, At: chat.ServerTime(s.clock())}),
	)
	return err
}

// Unsave removes a message from the caller's list. It succeeds even if the list does not contain
// the message. The error is as for Authorize: a list shows nothing of a room that the caller can
// no longer read, so there is nothing to remove. It is one delete: 2 write units, and 1 if there
// is nothing to delete.
func (s *Service) Unsave(ctx context.Context, caller chat.UserID, room chat.RoomID, id chat.MessageID) error {
	if _, err := s.rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return err
	}
	_, err := s.table.DeleteItem(ctx, "unsave message", key(caller, Entry{Room: room, Message: id}))
	return err
}

// Saved lists the messages that the caller has saved, the last saved first. It leaves out deleted
// messages and messages of rooms that the caller can no longer read. So a page may have fewer
// items than its limit. It ends early at chat.MaxPageBytes. The error is as for PageRequest.After.
func (s *Service) Saved(ctx context.Context, caller chat.UserID, page chat.PageRequest) (chat.Page[Saved], error) {
	scope := chat.NewCursorScope("saved").Text(string(caller))
	after, err := page.After(scope, func(p chat.ListPosition) bool { _, ok := parsePosition(p); return ok })
	if err != nil {
		return chat.Page[Saved]{}, err
	}
	entries, next, err := s.list(ctx, caller, after, page.Limit)
	if err != nil {
		return chat.Page[Saved]{}, err
	}
	ids := map[chat.RoomID][]chat.MessageID{}
	for _, e := range entries {
		ids[e.Room] = append(ids[e.Room], e.Message)
	}
	messages, err := s.readable.Messages(ctx, caller, ids)
	if err != nil {
		return chat.Page[Saved]{}, err
	}
	var out chat.Page[Saved]
	size := 0
	for i, e := range entries {
		m, ok := messages[e.Room][e.Message]
		if !ok || m.Deleted() {
			continue
		}
		if size += m.PageBytes(); size > chat.MaxPageBytes && len(out.Items) > 0 {
			next = entries[i-1].position()
			break
		}
		out.Items = append(out.Items, Saved{e, m})
	}
	out.Next = next.Cursor(scope)
	return out, nil
}

// list returns the entries of a person, newest first: at most limit, after an entry's position.
// Changes of about the last second may be missing. It reads one partition of the index: half a
// read unit for every 4 KB, which hold some 20 entries.
func (s *Service) list(
	ctx context.Context, user chat.UserID, after chat.ListPosition, limit int,
) ([]Entry, chat.ListPosition, error) {
	q := dynamo.Query{
		Operation: "list saved messages", Index: true, Partition: indexPK(user),
		Consistency: dynamo.Eventual, NewestFirst: true, Limit: limit,
	}
	if e, ok := parsePosition(after); ok {
		q.Start = dynamo.IndexStart(q.Partition, chat.ListPosition{Sort: table.TimeText(e.At)}, key(user, e))
	}
	return dynamo.ListPage(ctx, s.table, q, Parse, Entry.position)
}

// attrAt is the attribute with the time at which a message was saved.
const attrAt = "savedAt"

// indexPK returns the index partition of a person's saved messages.
func indexPK(user chat.UserID) string { return table.SavedPrefix + string(user) }

// key returns the primary key of a message that a person has saved.
func key(user chat.UserID, e Entry) table.Item {
	return table.Key(table.PersonPK(user), table.SavedPrefix+string(e.Room)+"#"+e.Message.String())
}

// Item returns the item of a message that a person has saved.
func Item(user chat.UserID, e Entry) table.Item {
	item := key(user, e)
	table.Stamp(item, table.SavedKind)
	item[attrAt] = table.Number(e.At.UnixMilli())
	item[table.IndexPK], item[table.IndexSK] = table.Text(indexPK(user)), table.Text(table.TimeText(e.At))
	return item
}

// Parse reads an item that Item wrote.
func Parse(item table.Item) (Entry, error) {
	r := table.Reader{Item: item}
	r.Expect(table.SavedKind)
	room, id, _ := strings.Cut(strings.TrimPrefix(r.Text(table.SK), table.SavedPrefix), "#")
	e := Entry{At: r.OptionalTime(attrAt)}
	var err error
	e.Room, err = chat.ParseRoomID(room)
	r.Keep(err)
	e.Message, err = chat.ParseMessageID(id)
	r.Keep(err)
	if r.Err != nil {
		return Entry{}, fmt.Errorf("saved message: %w", r.Err)
	}
	return e, nil
}

// position returns the position of an entry in the list of its person.
func (e Entry) position() chat.ListPosition {
	return chat.ListPosition{
		Sort: fmt.Sprintf("%019d", e.At.UnixMilli()), ID: string(e.Room) + "#" + e.Message.String(),
	}
}

// parsePosition returns the entry of a position. ok is false if the position is not an entry's.
func parsePosition(p chat.ListPosition) (e Entry, ok bool) {
	room, id, _ := strings.Cut(p.ID, "#")
	ms, err := strconv.ParseInt(p.Sort, 10, 64)
	if err != nil {
		return Entry{}, false
	}
	if e.Room, err = chat.ParseRoomID(room); err != nil {
		return Entry{}, false
	}
	if e.Message, err = chat.ParseMessageID(id); err != nil {
		return Entry{}, false
	}
	e.At = time.UnixMilli(ms).UTC()
	return e, e.position() == p
}
