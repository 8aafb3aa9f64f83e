package model

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// minLife is the number of operations for each deletion of a room, so that rooms grow.
const minLife = 300

// deleteRoom deletes a room. Right before, both processes read the room, so that they have it
// cached. Right after, neither of them may show anything of it.
func (w *world) deleteRoom() error {
	if w.done < minLife*len(w.model.deleted) {
		return nil
	}
	in := w.randomRoom()
	caller := oneOf(w, people...)
	if w.percent(60) {
		caller = w.randomUser(in, policy.DeleteRoom)
	}
	service := w.process(in)
	for _, s := range w.services {
		_, _ = s.Messages(w.ctx, caller, chat.MessageQuery{Room: in, Limit: 1})
	}
	w.note("%s deletes %s", caller, in)
	r := w.model.rooms[in]
	p := w.precondition(in)
	denied := w.model.deleteRoom(caller, in, p)
	err := w.agree(answer{Refusal: denied}, answer{Refusal: refusalOf(w.services[service].DeleteRoom(w.ctx, caller, in, p))})
	if err != nil || denied != (refusal{}) {
		return err
	}
	w.recentChanges[in] = settingsChange{service, w.clock.now().Add(cacheAge)}
	if i := slices.Index(w.public, in); i >= 0 {
		w.public[i] = chat.RoomID(fmt.Sprintf("%s-%d", publicRooms[i], 1+len(w.model.deleted)))
	}
	for i, s := range w.services {
		if i != service && w.percent(50) {
			// A process that has the room cached may accept a message, which nobody ever sees.
			_, _, _ = s.PostMessage(w.ctx, caller, in, chat.MessageDraft{Text: "too late"})
		}
		if err := w.wantHidden(s, caller, r); err != nil {
			return fmt.Errorf("process %d: %w", i, err)
		}
	}
	for _, user := range people {
		if err := w.roomsOf(user); err != nil {
			return err
		}
	}
	return nil
}

// deleteRoom moves a room to those that exist no more.
func (m *model) deleteRoom(caller chat.UserID, id chat.RoomID, p *chat.Precondition) refusal {
	r, denied := m.enter(caller, id, policy.DeleteRoom)
	switch {
	case denied != (refusal{}):
		return denied
	case p != nil && p.Absent, r.fails(p):
		return refused(chat.Stale)
	}
	m.deleted[id] = r
	delete(m.rooms, id)
	return refusal{}
}

// wantHidden checks that a process answers about a deleted room as about one that never existed.
func (w *world) wantHidden(s *app.Services, caller chat.UserID, r *room) error {
	_, roomErr := s.Room(w.ctx, caller, r.id)
	_, messagesErr := s.Messages(w.ctx, caller, chat.MessageQuery{Room: r.id, Limit: 1})
	_, changesErr := s.Feed.Changes(w.ctx, caller, r.id, chat.FeedPosition{}, 1)
	_, membersErr := s.Members.Members(w.ctx, caller, r.id, chat.PageRequest{Limit: 1})
	_, markErr := s.Inbox.MarkRead(w.ctx, caller, r.id, 0)
	errs := map[string]error{"room": roomErr, "messages": messagesErr, "changes": changesErr, "members": membersErr, "mark": markErr}
	if len(r.messages) > 0 {
		_, errs["message"] = s.Message(w.ctx, caller, r.id, r.messages[0].id)
	}
	want, got := map[string]refusal{}, map[string]refusal{}
	for name, err := range errs {
		want[name], got[name] = refused(chat.NotFound), refusalOf(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("%s is deleted (-), and the engine (+) shows it:\n%s", r.id, diff)
	}
	return nil
}

// compareDeleted checks that a deleted room is still hidden, that its id is not free, and that its
// feed ends where it did when the room was deleted.
func (w *world) compareDeleted(r *room) error {
	for _, user := range people {
		for _, s := range w.services {
			if err := w.wantHidden(s, user, r); err != nil {
				return err
			}
		}
	}
	want := refused(chat.Conflict)
	if r.private {
		want = refused(chat.NotFound)
	}
	_, _, err := w.service(r.id).PutRoom(w.ctx, r.createdBy, r.id, chat.RoomDraft{})
	if err := w.agree(answer{Refusal: want}, answer{Refusal: refusalOf(err)}); err != nil {
		return fmt.Errorf("its id is put: %w", err)
	}
	head, err := dynamo.New(w.client, dynamo.Options{Table: tableName, Clock: w.clock.now}).CurrentFeedHead(w.ctx, r.id)
	if err != nil {
		return err
	}
	var last int64
	if r.head() != nil {
		last = r.head().last()
	}
	if !head.Closed || head.Last != last {
		return fmt.Errorf("the feed should be closed at %d: it is at %d, closed: %v", last, head.Last, head.Closed)
	}
	return nil
}

// tableBug is a store with a fault that needs the table below the store.
type tableBug interface{ connect(*dynamo.Table) }

// openFeeds reopens the feed of a deleted room.
type openFeeds struct {
	store
	table *dynamo.Table
}

func (b *openFeeds) connect(t *dynamo.Table) { b.table = t }

func (b *openFeeds) DeleteRoom(ctx context.Context, d chat.RoomDeletion) (bool, error) {
	head, err := b.table.GetItem(ctx, "bug", table.FeedHeadKey(d.Room.ID), dynamo.Strong)
	if err != nil {
		return false, err
	}
	ok, err := b.store.DeleteRoom(ctx, d)
	if ok && head != nil {
		_, err = b.table.PutItem(ctx, "bug", head, table.Update{})
	}
	return ok, err
}

// endlessFeeds moves the end of a feed forward although it is closed.
type endlessFeeds struct {
	store
	table *dynamo.Table
}

func (b *endlessFeeds) connect(t *dynamo.Table) { b.table = t }

func (b *endlessFeeds) PutFeedHead(ctx context.Context, head feed.Head) error {
	err := b.store.PutFeedHead(ctx, head)
	if !errors.Is(err, feed.ErrClosed) {
		return err
	}
	u := table.FeedHeadUpdate(head)
	u.Condition = ""
	delete(u.Names, "#closed")
	return b.table.Transact(ctx, "bug", []dynamo.Write{b.table.Update(table.FeedHeadKey(head.Room), u)})
}

// freeIDs deletes rooms without a trace.
type freeIDs struct {
	store
	table *dynamo.Table
}

func (b *freeIDs) connect(t *dynamo.Table) { b.table = t }

func (b *freeIDs) DeleteRoom(ctx context.Context, d chat.RoomDeletion) (bool, error) {
	ok, err := b.store.DeleteRoom(ctx, d)
	if ok {
		err = b.table.Transact(ctx, "bug", []dynamo.Write{b.table.Delete(table.MetadataKey(d.Room.ID), table.Update{})})
	}
	return ok, err
}

// unseenClosures reads the feeds of deleted rooms as open.
type unseenClosures struct{ store }

func (b unseenClosures) CurrentFeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	head, err := b.store.CurrentFeedHead(ctx, room)
	head.Closed = false
	return head, err
}

type lostDeletions struct{ store }

func (b lostDeletions) DeleteRoom(context.Context, chat.RoomDeletion) (bool, error) { return true, nil }

// openHeads hide that rooms are deleted.
type openHeads struct{ store }

func (b openHeads) FeedHeads(ctx context.Context, rooms []chat.RoomID) (map[chat.RoomID]feed.Head, error) {
	heads, err := b.store.FeedHeads(ctx, rooms)
	for id, head := range heads {
		head.Closed = false
		heads[id] = head
	}
	return heads, err
}

// listDeletions is a fault of calls: batches have the metadata of deleted rooms as if they existed.
func listDeletions(input any) any {
	if _, ok := input.(*dynamodb.BatchGetItemInput); !ok {
		return nil
	}
	return func(output any) {
		for _, items := range output.(*dynamodb.BatchGetItemOutput).Responses {
			for i, item := range items {
				if d, err := table.ParseMetadata(item); err == nil && d.Deleted {
					items[i], _, _ = table.RoomItems(chat.Room{ID: d.ID, CreatedAt: start, DigestKey: []byte{1}}, nil)
				}
			}
		}
	}
}
