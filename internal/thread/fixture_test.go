package thread_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/thread"
)

// fixture is a service and its store. It appends to feeds and performs the projection, as the feed
// function would.
type fixture struct {
	*app.Services
	t     *testing.T
	clock *chattest.Clock
	store *dynamo.Store
	ends  map[chat.RoomID]feed.Segment
	works []feed.RoomChanges
}

func newFixture(t *testing.T) *fixture {
	w := &fixture{t: t, ends: map[chat.RoomID]feed.Segment{}}
	endpoint := enginetest.Start(t)
	w.Services, w.clock = chattest.NewOn(t, endpoint, func(*app.Options) {})
	w.store = dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: w.clock.Now})
	return w
}

// enter appends changes of messages to a feed as one segment, and performs the projection. It returns the
// number of the last one.
func (w *fixture) enter(messages ...chat.Message) int64 {
	w.t.Helper()
	room := messages[0].Room
	before := w.ends[room]
	s := feed.Segment{Room: room, First: 1, Generation: "g", WrittenAt: w.clock.Now().UTC()}
	s.CreatedFrom, s.CreatedTo = s.WrittenAt.Truncate(time.Second), s.WrittenAt.Truncate(time.Second)
	if before.First > 0 {
		s.First, s.Count = before.Last()+1, before.Total()
	}
	work := feed.RoomChanges{Room: room}
	for i, m := range messages {
		c := feed.ChangeOf(m)
		s.Changes = append(s.Changes, c)
		work.Entries = append(work.Entries, feed.AppendedEntry{
			Seq: s.First + int64(i), StreamChange: feed.StreamChange{Change: c, Item: feed.ChangedItem{Message: &m}},
		})
	}
	if ok, err := w.store.AppendSegment(w.t.Context(), s); err != nil || !ok {
		w.t.Fatal(ok, err)
	}
	if err := w.store.PutFeedHead(w.t.Context(), s.Head()); err != nil {
		w.t.Fatal(err)
	}
	w.ends[room] = s
	w.works = append(w.works, work)
	w.project(work)
	return s.Last()
}

// project performs the projection.
func (w *fixture) project(work feed.RoomChanges) {
	w.t.Helper()
	if err := thread.NewProjection(w.store.Table()).Project(w.t.Context(), work); err != nil {
		w.t.Fatal(err)
	}
}

// post posts a message, a reply if it has a root, and enters it a second later.
func (w *fixture) post(user chat.UserID, text string, root chat.MessageID) chat.Message {
	w.t.Helper()
	w.clock.Advance(time.Second)
	m, _, err := w.PostMessage(w.t.Context(), user, "seattle", chat.MessageDraft{Text: text, Thread: root})
	if err != nil {
		w.t.Fatal(err)
	}
	w.enter(m)
	return m
}

// remove deletes a message by its sender.
func (w *fixture) remove(m chat.Message) {
	w.t.Helper()
	gone, err := w.DeleteMessage(
		w.t.Context(), m.ID.User, chat.Revision{Room: m.Room, ID: m.ID, Base: chat.AnyRevision},
	)
	if err != nil {
		w.t.Fatal(err)
	}
	w.enter(gone)
}

// own returns the threads of a person, in pages of every size: the text of each root, its marker
// and its unread replies.
func (w *fixture) own(user chat.UserID) string {
	w.t.Helper()
	var first string
	for limit := 1; limit <= 4; limit++ {
		var texts []string
		for cursor := ""; ; {
			page, err := w.Threads.ThreadsOf(w.t.Context(), user, chat.PageRequest{Limit: limit, Cursor: cursor})
			if err != nil || len(page.Items) > limit {
				w.t.Fatal(len(page.Items), err)
			}
			for _, t := range page.Items {
				texts = append(texts, fmt.Sprintf("%s:%d", t.Root.Text, t.Unread))
			}
			if cursor = page.Next; cursor == "" {
				break
			}
		}
		got := strings.Join(texts, " ")
		if first == "" {
			first = got
		}
		if got != first {
			w.t.Errorf("by %d: %q, and by 1: %q", limit, got, first)
		}
	}
	return first
}

func rootOf(m chat.Message) thread.Root { return thread.Root{Room: m.Room, ID: m.ID} }

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
