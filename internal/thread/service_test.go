package thread_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/thread"
)

// TestThreadsOf_ImportedRepliesAreRead enters replies that are older than any that people may post,
// as an import does, beside one from an offline queue.
func TestThreadsOf_ImportedRepliesAreRead(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 2)
	root := w.post("amsg", "root", chat.MessageID{})
	reply := func(user chat.UserID, age time.Duration) chat.Message {
		t.Helper()
		at := w.clock.Now().UTC().Add(-age).Truncate(time.Millisecond)
		m := chat.Message{
			Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{1}), User: user}, Text: "old", ReceivedAt: at,
			Revision: 1, Digest: make([]byte, 16), Thread: root.ID,
		}
		if _, created, err := w.store.PutMessage(t.Context(), m); err != nil || !created {
			t.Fatal(created, err)
		}
		return m
	}
	w.enter(reply("bob", 365*24*time.Hour), reply("cy", chat.MaxAge+time.Hour), reply("dan", chat.MaxAge-time.Minute))
	for user, want := range map[chat.UserID]string{"amsg": "root:1", "bob": "root:1", "cy": "root:1", "dan": "root:0"} {
		if got := w.own(user); got != want {
			t.Errorf("%s: %q, want %q", user, got, want)
		}
	}
	w.post("eve", "new", root.ID)
	if got := w.own("bob"); got != "root:2" {
		t.Errorf("after a new reply: %q", got)
	}
}

// TestFollow_IsDecidedByThePerson checks that a person who ceased to follow does not follow by a
// reply, and that one who begins has read everything.
func TestFollow_IsDecidedByThePerson(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 1)
	root := w.post("amsg", "root", chat.MessageID{})
	w.post("bob", "one", root.ID)
	follow := func(user chat.UserID, following bool) {
		t.Helper()
		if err := w.Threads.Follow(t.Context(), user, rootOf(root), following); err != nil {
			t.Fatal(err)
		}
	}
	follow("bob", false)
	follow("dan", true)
	follow("eve", false)
	w.post("bob", "two", root.ID)
	for user, want := range map[chat.UserID]string{"bob": "", "dan": "root:1", "eve": ""} {
		if got := w.own(user); got != want {
			t.Errorf("%s: %q, want %q", user, got, want)
		}
	}
	follow("bob", true)
	if got := w.own("bob"); got != "root:0" {
		t.Errorf("bob follows again: %q", got)
	}
	err := w.Threads.Follow(t.Context(), "bob", thread.Root{Room: "seattle", ID: chat.MessageID{UUID: root.ID.UUID, User: "bob"}}, true)
	chattest.WantKind(t, "an unknown message", err, chat.NotFound)
}

// TestReplies_AreListedBelowATombstone lists a thread in both orders after a reply and the root
// were deleted.
func TestReplies_AreListedBelowATombstone(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 2)
	root := w.post("amsg", "root", chat.MessageID{})
	w.post("bob", "one", root.ID)
	gone := w.post("cy", "two", root.ID)
	w.clock.Advance(time.Minute)
	shown, _, err := w.PostMessage(t.Context(), "dan", "seattle", chat.MessageDraft{Text: "three", Thread: root.ID, ShowInRoom: true})
	if err != nil {
		t.Fatal(err)
	}
	w.enter(shown)
	w.remove(gone)
	w.remove(root)
	for order, want := range map[chat.Order]string{chat.Newest: "three,,one", chat.Oldest: "one,,three"} {
		for limit := 1; limit <= 4; limit++ {
			var texts []string
			q := thread.Query{Root: rootOf(root), Order: &order, Limit: limit}
			for {
				page, err := w.Threads.Replies(t.Context(), "eve", q)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range page.Items {
					texts = append(texts, m.Text)
				}
				if q.Cursor, q.Order = page.Next, nil; q.Cursor == "" {
					break
				}
			}
			if got := strings.Join(texts, ","); got != want {
				t.Errorf("order %d by %d: %q, want %q", order, limit, got, want)
			}
		}
	}
	page, err := w.Threads.Replies(t.Context(), "eve", thread.Query{Root: rootOf(root), Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	other := chat.Oldest
	_, err = w.Threads.Replies(t.Context(), "eve", thread.Query{Root: rootOf(root), Limit: 1, Order: &other, Cursor: page.Next})
	chattest.WantKind(t, "a cursor of the other order", err, chat.BadCursor)
	_, err = w.Threads.Replies(t.Context(), "eve", thread.Query{Root: rootOf(shown), Limit: 1})
	if chattest.WantKind(t, "replies to a reply", err, chat.Invalid); !strings.Contains(err.Error(), root.ID.String()) {
		t.Errorf("%v does not name the root", err)
	}
	threads, err := w.Threads.Threads(t.Context(), "eve", "seattle", chat.PageRequest{Limit: 5})
	if err != nil || len(threads.Items) != 1 || threads.Items[0].ID != root.ID || !threads.Items[0].Deleted() {
		t.Errorf("threads %+v, %v", threads, err)
	}
}

// TestProject_MayBeRepeatedInAnyOrder performs the work of a thread's life again, in random orders
// and in one piece. Nothing that people see changes.
func TestProject_MayBeRepeatedInAnyOrder(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoom(t, w.Services, "seattle", 2)
	root := w.post("amsg", "root", chat.MessageID{})
	gone := w.post("bob", "one", root.ID)
	w.post("cy", "two", root.ID)
	w.remove(gone)
	if err := w.Threads.Follow(t.Context(), "cy", rootOf(root), false); err != nil {
		t.Fatal(err)
	}
	look := func() []string {
		page, err := w.Threads.Replies(t.Context(), "eve", thread.Query{Root: rootOf(root), Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		seen := []string{w.own("amsg"), w.own("bob"), w.own("cy"), w.own("eve")}
		for _, m := range page.Items {
			seen = append(seen, m.Text)
		}
		return seen
	}
	want := look()
	if !slices.Equal(want, []string{"root:1", "root:1", "", "", "two", ""}) {
		t.Fatalf("%q", want)
	}
	works := slices.Clone(w.works)
	var whole feed.RoomChanges
	for _, work := range works {
		whole.Room, whole.Entries = work.Room, append(whole.Entries, work.Entries...)
	}
	random := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	for range 5 {
		random.Shuffle(len(works), func(i, j int) { works[i], works[j] = works[j], works[i] })
		for _, work := range append(works, whole) {
			w.project(work)
		}
		if got := look(); !slices.Equal(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
