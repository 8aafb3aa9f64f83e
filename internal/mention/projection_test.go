package mention_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

// fixture is a private room with members, and the store of the projection.
type fixture struct {
	*app.Services
	t     *testing.T
	clock *chattest.Clock
	store *dynamo.Store
	room  chat.RoomID
	seq   int64

	endpoint string
}

var candidates = []chat.UserID{mention.Everyone, "maker", "bob", "carol", "eve", "stranger", "banned"}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	endpoint := enginetest.Start(t)
	w := &fixture{t: t, endpoint: endpoint}
	w.Services, w.clock = chattest.NewOn(t, endpoint, func(*app.Options) {})
	w.store = dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: w.clock.Now})
	w.newRoom()
	if err := w.Blocks.Block(t.Context(), "eve", "maker"); err != nil {
		t.Fatal(err)
	}
	return w
}

// newRoom begins another room with the same people.
func (w *fixture) newRoom() {
	w.t.Helper()
	w.room, w.seq = chattest.CreatePrivateRoom(w.t, w.Services, "maker"), 0
	for user, role := range map[chat.UserID]policy.Role{"bob": policy.Member, "carol": policy.Member, "eve": policy.Member, "banned": policy.Banned} {
		if err := chattest.SetRole(w.t, w.Services, "maker", w.room, user, role); err != nil {
			w.t.Fatal(err)
		}
	}
}

// mentions returns the store of the rows, which other processes share.
func (w *fixture) mentions() mention.Store { return mention.NewStore(w.store.Table()) }

func (w *fixture) projection(l mention.Ledgers) *mention.Projection {
	return mention.NewProjection(mention.ProjectionOptions{Ledgers: l, Access: w.store, Blocks: w.Blocks, Clock: w.clock.Now})
}

// entry returns the entry of a change, with the next number.
func (w *fixture) entry(before, after chat.Message) feed.RoomChanges {
	w.seq++
	e := feed.AppendedEntry{Seq: w.seq}
	e.Change, e.Item = feed.ChangeOf(after), feed.ChangedItem{Message: &after, Mentioned: before.Mentions}
	return feed.RoomChanges{Room: w.room, Entries: []feed.AppendedEntry{e}}
}

// story posts a message, edits it and at last deletes it. It returns the work of each change and
// the mentions that it leaves.
func (w *fixture) story() (all []feed.RoomChanges, want []string) {
	w.t.Helper()
	everybody := []chat.UserID{"banned", "bob", "eve", "maker", "stranger"}
	m, _, err := w.PostMessage(w.t.Context(), "maker", w.room, chat.MessageDraft{Text: "hi", Mentions: chat.Mentions{Users: everybody, Room: true}})
	if err != nil {
		w.t.Fatal(err)
	}
	all, want = append(all, w.entry(chat.Message{}, m)), append(want, " bob")
	carol, both, nobody, no := []chat.UserID{"carol"}, []chat.UserID{"bob", "carol"}, []chat.UserID(nil), false
	for _, step := range []struct {
		edit chat.MessageEdit
		want string
	}{
		{chat.MessageEdit{Mentions: &carol}, " carol"}, {chat.MessageEdit{Text: new("ho")}, " carol"},
		{chat.MessageEdit{Mentions: &both, MentionRoom: &no}, "bob carol"}, {chat.MessageEdit{Mentions: &nobody}, ""},
		{chat.MessageEdit{Mentions: &both}, "bob carol"},
	} {
		w.clock.Advance(1e9)
		after, _, err := w.EditMessage(w.t.Context(), "maker", chat.Revision{Room: w.room, ID: m.ID, Base: m.Revision}, step.edit)
		if err != nil {
			w.t.Fatal(err)
		}
		all, want, m = append(all, w.entry(m, after)), append(want, step.want), after
	}
	gone, err := w.DeleteMessage(w.t.Context(), "maker", chat.Revision{Room: w.room, ID: m.ID, Base: m.Revision})
	if err != nil {
		w.t.Fatal(err)
	}
	return append(all, w.entry(m, gone)), append(want, "")
}

// rows returns who has a row in the room. A space stands for everyone.
func (w *fixture) rows() string {
	w.t.Helper()
	var users []string
	for _, user := range candidates {
		rows, _, err := w.mentions().MentionsAfter(w.t.Context(), chat.MemberOf{Room: w.room, User: user}, 0, 100)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, r := range rows {
			if r.Message != (chat.MessageID{}) {
				users = append(users, string(r.User))
			}
		}
	}
	slices.Sort(users)
	return strings.Join(users, " ")
}

// project performs work until it succeeds, at most a few times.
func (w *fixture) project(d *mention.Projection, work feed.RoomChanges) {
	w.t.Helper()
	for range 3 {
		err := d.Project(w.t.Context(), work)
		if err == nil {
			return
		}
		if !errors.Is(err, errCrash) {
			w.t.Fatal(err)
		}
	}
	w.t.Fatal("the work never succeeds")
}

// TestProject_RowsAreTheMentionsOfReaders plays the story. People who cannot read the room, who
// have blocked the sender, and the sender have no row.
func TestProject_RowsAreTheMentionsOfReaders(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	story, want := w.story()
	for i, work := range story {
		w.project(w.projection(w.mentions()), work)
		if got := w.rows(); got != want[i] {
			t.Fatalf("after change %d: %q, want %q", i+1, got, want[i])
		}
		for again := range story[:i+1] { // replays of earlier changes change nothing
			w.project(w.projection(w.mentions()), story[again])
			if got := w.rows(); got != want[i] {
				t.Fatalf("after change %d and a replay of %d: %q, want %q", i+1, again+1, got, want[i])
			}
		}
	}
}

// TestProject_LaterChangesFirst delivers the story in other orders, each change at least once.
func TestProject_LaterChangesFirst(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for _, order := range [][]int{{6, 5, 4, 3, 2, 1, 0}, {1, 0, 3, 2, 4, 5, 6}, {0, 2, 1, 5, 3, 6, 4}, {5, 0, 1, 2, 3, 4}} {
		w.newRoom()
		story, want := w.story()
		last := 0
		for _, at := range order {
			w.project(w.projection(w.mentions()), story[at])
			last = max(last, at)
		}
		if got := w.rows(); got != want[last] {
			t.Errorf("in the order %v: %q, want %q", order, got, want[last])
		}
	}
}

// TestProject_ProcessEndsAtEachCall crashes before and after each write and each read of a ledger.
// The batch is delivered again.
func TestProject_ProcessEndsAtEachCall(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	story, _ := w.story()
	calm := &crash{Ledgers: w.mentions()}
	for _, work := range story {
		w.project(w.projection(calm), work)
	}
	if calm.calls.Load() < 10 {
		t.Fatalf("only %d calls", calm.calls.Load())
	}
	for at := int64(1); at <= calm.calls.Load(); at++ {
		for _, after := range []bool{false, true} {
			w.newRoom()
			story, want := w.story()
			d := w.projection(&crash{Ledgers: w.mentions(), at: at, after: after})
			for i, work := range story {
				w.project(d, work)
				if got := w.rows(); got != want[i] {
					t.Fatalf("call %d ends the process, took effect: %v, change %d: %q, want %q", at, after, i+1, got, want[i])
				}
			}
		}
	}
}

// TestProject_SeveralProcessesAtOnce delivers all changes to several processes at the same time.
func TestProject_SeveralProcessesAtOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	for round := range 5 {
		w.newRoom()
		story, want := w.story()
		story, want = story[:6], want[:6]
		var all sync.WaitGroup
		errs := make(chan error, 4*len(story))
		for process := range 4 {
			for i := range story {
				all.Go(func() { errs <- w.projection(w.mentions()).Project(t.Context(), story[(i*(process+1))%len(story)]) })
			}
		}
		all.Wait()
		close(errs)
		for err := range errs {
			if err != nil && chat.KindOf(err) != chat.Unavailable {
				t.Fatal(err)
			}
		}
		for _, work := range story { // those that gave way are delivered again
			w.project(w.projection(w.mentions()), work)
		}
		if got := w.rows(); got != want[5] {
			t.Errorf("round %d: %q, want %q", round, got, want[5])
		}
	}
}

// TestProject_DecidesOnce mentions a person who joins later. Neither a replay nor another edit
// gives them a row, but another mention does.
func TestProject_DecidesOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	d := w.projection(w.mentions())
	m, _, err := w.PostMessage(t.Context(), "maker", w.room, chat.MessageDraft{Text: "hi", Mentions: chat.Mentions{Users: []chat.UserID{"stranger"}}})
	if err != nil {
		t.Fatal(err)
	}
	first := w.entry(chat.Message{}, m)
	w.project(d, first)
	if err := chattest.SetRole(t, w.Services, "maker", w.room, "stranger", policy.Member); err != nil {
		t.Fatal(err)
	}
	none, again := []chat.UserID(nil), []chat.UserID{"stranger"}
	for i, edit := range []chat.MessageEdit{{Text: new("ho")}, {Mentions: &none}, {Mentions: &again}} {
		after, _, err := w.EditMessage(t.Context(), "maker", chat.Revision{Room: w.room, ID: m.ID, Base: m.Revision}, edit)
		if err != nil {
			t.Fatal(err)
		}
		w.project(d, w.entry(m, after))
		w.project(d, first)
		if got, want := w.rows(), []string{"", "", "stranger"}[i]; got != want {
			t.Errorf("after edit %d: %q, want %q", i, got, want)
		}
		m = after
	}
}

// TestProject_ImportedMentionsAreRead projects a message that an import wrote, which mentions
// people who join later, and then an edit that mentions another person.
func TestProject_ImportedMentionsAreRead(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	d := w.projection(w.mentions())
	m, _, err := w.PostMessage(t.Context(), "maker", w.room, chat.MessageDraft{Text: "hi", Mentions: chat.Mentions{Users: []chat.UserID{"bob", "stranger"}}})
	if err != nil {
		t.Fatal(err)
	}
	m.Imported = m.Revision
	w.project(d, w.entry(chat.Message{}, m))
	edited := m
	edited.Revision, edited.Mentions.Users = 2, []chat.UserID{"bob", "carol", "stranger"}
	w.project(d, w.entry(m, edited))
	for user, want := range map[chat.UserID]struct {
		imported bool
		unread   int64
	}{"bob": {true, 0}, "stranger": {true, 0}, "carol": {false, 1}} {
		of := chat.MemberOf{Room: w.room, User: user}
		rows, _, err := w.mentions().MentionsAfter(t.Context(), of, 0, 10)
		if err != nil || len(rows) != 1 || rows[0].Imported != want.imported {
			t.Errorf("%s: %+v, %v", user, rows, err)
			continue
		}
		if seq := rows[0].Seq; rows[0].Unread(seq-1) != (want.unread > 0) || rows[0].Unread(seq) {
			t.Errorf("%s: unread before %d is %v, and up to it %v", user, seq, rows[0].Unread(seq-1), rows[0].Unread(seq))
		}
		if n, err := w.Mentions.UnreadMentions(t.Context(), of, 0, chattest.Start); err != nil || n != want.unread {
			t.Errorf("%s has %d unread mentions, %v; want %d", user, n, err, want.unread)
		}
	}
}

// TestProject_CostsUnitsForMentionsAlone counts the calls for messages without mentions and for one
// with all that a message may have.
func TestProject_CostsUnitsForMentionsAlone(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	units := map[string]float64{}
	var mu sync.Mutex
	metered := dynamo.New(dynamo.LocalClient(w.endpoint), dynamo.Options{Table: chattest.Table, Clock: w.clock.Now, Observe: func(_ context.Context, u dynamo.Usage) {
		mu.Lock()
		defer mu.Unlock()
		units[fmt.Sprint(u.Write)] += u.Units
	}})
	w.store = metered
	d := w.projection(w.mentions())
	plain, _, err := w.PostMessage(t.Context(), "maker", w.room, chat.MessageDraft{Text: "@bob @all"})
	if err != nil {
		t.Fatal(err)
	}
	w.project(d, w.entry(chat.Message{}, plain))
	if len(units) > 0 {
		t.Errorf("a message without mentions costs %v", units)
	}
	var users []chat.UserID
	for n := range chat.MaxMentions {
		user := chat.UserID(fmt.Sprintf("u%02d", n))
		users = append(users, user)
		if err := chattest.SetRole(t, w.Services, "maker", w.room, user, policy.Member); err != nil {
			t.Fatal(err)
		}
	}
	full, _, err := w.PostMessage(t.Context(), "maker", w.room, chat.MessageDraft{Text: "hi", Mentions: chat.Mentions{Users: users}})
	if err != nil {
		t.Fatal(err)
	}
	w.project(d, w.entry(chat.Message{}, full))
	t.Logf("%d mentions: %v write and %v read units", len(users), units["true"], units["false"])
	if units["true"] > 41 || units["false"] > 33 {
		t.Errorf("%d mentions cost %v, want 41 write and 33 read units", len(users), maps.Clone(units))
	}
	clear(units)
	again, _, err := w.PostMessage(t.Context(), "maker", w.room, chat.MessageDraft{Text: "hi", Mentions: chat.Mentions{Users: users}})
	if err != nil {
		t.Fatal(err)
	}
	again.Imported = again.Revision
	w.project(d, w.entry(chat.Message{}, again))
	if units["true"] > 41 || units["false"] > 2 {
		t.Errorf("%d imported mentions cost %v, want 41 write and 2 read units", len(users), maps.Clone(units))
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
