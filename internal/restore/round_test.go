package restore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/feed"
	"parley/internal/policy"
	"parley/internal/restore"
	"parley/internal/table"
)

// story is a table with every kind of item, a restore point, and what happened after it.
type story struct {
	*live
	point time.Time
	board chat.RoomID

	acknowledged []string // texts that were written before the point, and never deleted
	after        []string // texts that were written after it, and never deleted
	deleted      []string // texts whose message was deleted, before or after

	plain, edited, often []chat.Message // two of each
}

// begin is everything up to the restore point.
func begin(t *testing.T) *story {
	t.Helper()
	s := &story{live: newWorld(t).live("old")}
	s.room("seattle", 4)
	s.board = s.private()
	for _, user := range []chat.UserID{"second", "mod", "ann", "bob", "cid", "dan", "eve"} {
		s.person(user, "Name of "+string(user), "Director")
		s.member(user, "seattle", user, policy.Member)
		s.member("owner", s.board, user, policy.Member)
	}
	s.person("ann", "Ann", "Architect") // a former title
	s.member("owner", s.board, "second", policy.Owner)
	s.member("owner", s.board, "mod", policy.Moderator)
	s.member("owner", "seattle", "troll", policy.Banned)
	for _, room := range []chat.RoomID{"seattle", s.board} {
		s.keep(s.post("eve", room))
		s.plain = append(s.plain, s.post("ann", room))
		s.edited = append(s.edited, s.edit(s.post("bob", room)))
		s.often = append(s.often, s.edit(s.edit(s.post("cid", room))))
		gone := s.post("ann", room)
		s.remove("ann", gone)
		s.deleted = append(s.deleted, gone.Text)
		gone = s.edit(s.post("ann", room))
		s.remove("owner", gone)
		s.deleted = append(s.deleted, gone.Text)
		s.part(room, 0)
		s.part(room, 1)
		s.read("bob", room)
	}
	if _, err := s.Report(t.Context(), "ann", "phone", []chat.EventDraft{{At: s.now, Type: "connection"}}); err != nil {
		t.Fatal(err)
	}
	s.pump()
	s.passes(time.Minute)
	s.point = s.now
	s.snapshot("old", "restored")
	s.passes(time.Minute)
	return s
}

func (s *story) keep(m chat.Message) { s.acknowledged = append(s.acknowledged, m.Text) }

func (s *story) twice(m chat.Message) chat.Message { return s.edit(m) }

// goOn is what people do after the restore point, in every way that takes something away.
func (s *story) goOn() {
	s.Helper()
	for i, room := range []chat.RoomID{"seattle", s.board} {
		for _, m := range []chat.Message{s.plain[i], s.edited[i], s.edit(s.often[i])} {
			s.remove("owner", m)
			s.deleted = append(s.deleted, m.Text)
		}
		gone := s.post("eve", room)
		s.remove("eve", gone)
		s.deleted = append(s.deleted, gone.Text)
		m := s.post("ann", room)
		s.after = append(s.after, m.Text, s.edit(m).Text)
		s.part(room, 2)
		s.read("bob", room)
		s.member("owner", room, "dan", policy.Banned)
		s.member("owner", room, "cid", policy.Muted)
		s.pump() // a segment of its own
		s.member("owner", room, "cid", policy.Member)
		s.removed("owner", room, "cid")
		s.member("owner", room, "bob", policy.Muted)
		s.removed("eve", room, "eve")
		s.member("owner", room, "new", policy.Member)
	}
	s.member("owner", "seattle", "stranger", policy.Banned) // who was never in it
	s.member("owner", s.board, "mod", policy.Member)
	s.member("owner", s.board, "second", policy.Member)
	s.person("ann", "Ann", "Director of Architecture")
	s.pump()
	s.passes(time.Minute)
}

// wantTexts checks what a table holds of the story.
func (s *story) wantTexts(name string, after bool) {
	s.Helper()
	dump := s.dump(name)
	for _, text := range s.acknowledged {
		if !holds(dump, text) {
			s.Errorf("%s was acknowledged before the restore point and is missing", text)
		}
	}
	for _, text := range s.deleted {
		if holds(dump, text) {
			s.Errorf("%s was deleted and can be read", text)
		}
	}
	for _, text := range s.after {
		if holds(dump, text) != after {
			s.Errorf("%s, written after the restore point, is there: %v", text, !after)
		}
	}
}

// wantRoles checks who is what in the private room, and who reads it.
func (s *story) wantRoles(l *live) {
	s.Helper()
	for user, may := range map[chat.UserID]bool{"owner": true, "ann": true, "bob": true, "dan": false, "cid": false, "eve": false} {
		_, err := l.List(s.Context(), user, chat.Question{Room: s.board, Limit: 10})
		if may != (err == nil) {
			s.Errorf("%s reads the private room: %v", user, err)
		}
	}
	listed := must[chat.Members](s.world)(l.Members(s.Context(), "owner", s.board, chat.PageOf{Limit: 100}))
	for _, m := range listed.Members {
		if m.User == "dan" || m.User == "cid" || m.User == "eve" {
			s.Errorf("%s is listed as %v of the private room", m.User, m.Role)
		}
	}
	if _, _, err := l.Send(s.Context(), "bob", s.board, chat.Draft{Text: "x"}); chat.KindOf(err) != chat.Forbidden {
		s.Errorf("bob, who is muted, posts: %v", err)
	}
	if _, _, err := l.SetMember(s.Context(), "second", chat.MemberOf{Room: s.board, User: "ann"}, policy.Muted); chat.KindOf(err) != chat.Forbidden {
		s.Errorf("second, who is no owner any more, administers: %v", err)
	}
	if _, _, err := l.SetMember(s.Context(), "stranger", chat.MemberOf{Room: "seattle", User: "stranger"}, policy.Member); err == nil {
		s.Error("stranger, who is banned, joins")
	}
}

func (s *story) wantSame(what string, before map[string]string, name string) {
	s.Helper()
	if diff := cmp.Diff(before, s.dump(name)); diff != "" {
		s.Errorf("%s changed something\n%s", what, diff)
	}
}

// TestDeletions_AreAppliedToTheTableThatIsAdopted is a round by adoption: the stack goes on with the
// restored table, and what was deleted since in the old one is deleted there.
func TestDeletions_AreAppliedToTheTableThatIsAdopted(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.goOn()
	before := must[chat.Changes](s.world)(s.Changes(t.Context(), "ann", "seattle", chat.Since{}, 1))
	adopted := s.world.live("restored")

	dry := s.options("old", "restored", s.point)
	dry.DryRun = true
	untouched := s.dump("restored")
	foretold := s.deletions(dry)
	s.wantSame("a dry run", untouched, "restored")
	if done := s.deletions(s.options("old", "restored", s.point)); done.Changes() == 0 || done.Changes() != foretold.Changes() {
		t.Errorf("%v, foretold %v", done, foretold)
	}
	s.wantTexts("restored", false)
	s.wantRoles(adopted)

	once := s.dump("restored")
	if again := s.deletions(s.options("old", "restored", s.point)); again.Changes() != 0 {
		t.Errorf("a second run: %v", again)
	}
	s.wantSame("a second run", once, "restored")

	adopted.pump()
	c := must[chat.Changes](s.world)(adopted.Changes(t.Context(), "ann", "seattle", chat.Since{Seq: before.Head, Generation: before.Generation}, 10))
	if !c.Reset {
		t.Errorf("a client that stood at %d of the old feed is not told to begin anew: %+v", before.Head, c)
	}
	s.wantFeed(adopted, "seattle")

	// What was written since is worth having as well.
	s.copied(s.options("old", "restored", s.point))
	s.wantTexts("restored", true)
	s.wantRoles(adopted)
	if again := s.copied(s.options("old", "restored", s.point)); again.Changes() != 0 {
		t.Errorf("a second copy: %v", again)
	}
}

// wantFeed checks that a room's feed has no hole: after its repair, which appends nothing twice, every
// number that is told is there.
func (s *story) wantFeed(l *live, room chat.RoomID) {
	s.Helper()
	l.pump()
	store := dynamo.New(s.db, dynamo.Options{Table: l.table, Clock: s.clock})
	repair := func() int {
		appender := feed.NewAppender(feed.Options{Store: store, Clock: s.clock, Remember: 1 << 30})
		r, err := feed.Repair{Room: room, History: store, Appender: appender}.Run(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		return r.Appended
	}
	repair()
	if n := repair(); n != 0 {
		s.Errorf("a second repair appended %d", n)
	}
	tail, head, err := store.FeedTail(s.Context(), room, 0, time.Time{})
	if err != nil {
		s.Fatal(err)
	}
	var last int64
	for _, segment := range tail {
		if segment.First != last+1 && segment.First != last+1+chat.GenerationGap {
			s.Errorf("the feed of %s goes from %d to %d", room, last, segment.First)
		}
		last = segment.Last()
	}
	if head.Last != last {
		s.Errorf("the feed of %s ends at %d, its head says %d", room, last, head.Last)
	}
}

// TestCopy_PutsBackWhatWasLost loses each kind of item, and items of all kinds at random, of a table in
// which nothing has changed: after the copy it is as it was.
func TestCopy_PutsBackWhatWasLost(t *testing.T) {
	t.Parallel()
	s := begin(t)
	whole := s.dump("old")
	all := s.items("restored")
	damages := map[string]func(table.Item) bool{}
	for _, item := range all {
		kind := table.KindOf(item)
		damages["every "+string(kind)] = func(i table.Item) bool { return table.KindOf(i) == kind }
	}
	delete(damages, "every "+string(table.FeedKind))
	delete(damages, "every "+string(table.FeedHeadKind))
	for _, n := range []int{1, 2, 3, 5, 8} {
		damages[fmt.Sprintf("one in %d of everything", n+1)] = func(table.Item) bool { return s.random.IntN(n+1) == 0 }
	}
	if len(damages) < 20 {
		t.Fatalf("the story has only %d kinds of items", len(damages)-5)
	}
	for name, damaged := range damages {
		lost := 0
		for _, item := range all {
			switch table.KindOf(item) {
			case table.FeedKind, table.FeedHeadKind:
				continue
			}
			if damaged(item) {
				s.lose("old", item)
				lost++
			}
		}
		counts := s.copied(s.options("restored", "old", s.point))
		s.wantSame(name+" lost, and the copy: it", whole, "old")
		if counts.Changes() == 0 && lost > 0 || counts.Changes() > lost {
			t.Errorf("%s: %d items lost, %v", name, lost, counts)
		}
		if again := s.copied(s.options("restored", "old", s.point)); again.Changes() != 0 {
			t.Errorf("%s: a second run: %v", name, again)
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestCopy_KeepsWhatIsNewer loses items of a table in which people went on: what is put back is as of
// the restore point, nothing that was changed since gives way, and what was deleted since stays deleted.
func TestCopy_KeepsWhatIsNewer(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.goOn()
	whole := s.dump("old")
	s.snapshot("old", "whole-old")
	for round := range 6 {
		lost := map[string]bool{}
		for _, item := range s.items("old") {
			switch table.KindOf(item) {
			case table.FeedKind, table.FeedHeadKind:
				continue
			}
			if s.random.IntN(3) == 0 {
				s.lose("old", item)
				lost[table.KeyText(item)] = true
			}
		}
		damaged := s.dump("old")
		dry := s.options("restored", "old", s.point)
		dry.DryRun = true
		s.copied(dry)
		s.wantSame("a dry run", damaged, "old")
		s.copied(s.options("restored", "old", s.point))
		now := s.dump("old")
		for key, item := range damaged {
			if now[key] != item {
				t.Errorf("round %d: %s was there, and is another\n%s%s", round, key, item, now[key])
			}
		}
		for _, text := range s.acknowledged {
			if !holds(now, text) {
				t.Errorf("round %d: %s is missing", round, text)
			}
		}
		for _, text := range s.deleted {
			if holds(now, text) {
				t.Errorf("round %d: %s was deleted and can be read", round, text)
			}
		}
		if again := s.copied(s.options("restored", "old", s.point)); again.Changes() != 0 {
			t.Errorf("round %d: a second run: %v", round, again)
		}
		s.reset("old", whole)
		if t.Failed() {
			return
		}
	}
}

// TestCopy_IntoAnEmptyTable is a round after the table was lost: the stack has made a new one.
func TestCopy_IntoAnEmptyTable(t *testing.T) {
	t.Parallel()
	s := begin(t)
	l := s.world.live("new")
	s.copied(s.options("restored", "new", s.point))
	want := s.dump("restored")
	got := s.dump("new")
	for key := range want {
		if got[key] == "" {
			t.Errorf("%s is missing", key)
		}
	}
	s.wantTexts("new", false)
	for _, room := range []chat.RoomID{"seattle", s.board} {
		s.wantFeed(l, room)
	}
	rooms := must[chat.OwnRooms](s.world)(l.RoomsOf(t.Context(), "bob", "bob", chat.PageOf{Limit: 10}))
	for _, r := range rooms.Rooms {
		if r.Reading.Seq != 0 || r.Reading.Unread != 0 {
			t.Errorf("bob, who had read everything, in %s: %+v", r.Membership.Room, r.Reading)
		}
	}
	s.now = s.now.Add(time.Minute)
	l.post("eve", "seattle")
	l.read("bob", "seattle")
	if again := s.copied(s.options("restored", "new", s.point)); again.Changes() != 0 {
		t.Errorf("a second run: %v", again)
	}
}

// TestCopy_OfOneRoom leaves the others and people alone.
func TestCopy_OfOneRoom(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.world.live("new")
	o := s.options("restored", "new", s.point)
	o.Room = s.board
	s.copied(o)
	for _, item := range s.items("new") {
		if text := textOf(s.world, item); !strings.Contains(text, string(s.board)) {
			t.Errorf("it is not of the room: %s", text)
		}
	}
	if _, err := s.world.live("new").List(t.Context(), "ann", chat.Question{Room: s.board, Limit: 10}); err != nil {
		t.Error(err)
	}
}

// TestCopy_OfTheActivityLog puts back entries that are missing, and none that has expired.
func TestCopy_OfTheActivityLog(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.world.live("new")
	n := len(s.items("old-log"))
	if counts := s.copied(s.options("old-log", "new-log", s.point)); n < 5 || counts.Changes() != n {
		t.Errorf("%d entries: %v", n, counts)
	}
	if counts := s.copied(s.options("old-log", "new-log", s.point)); counts.Changes() != 0 {
		t.Errorf("a second run: %v", counts)
	}
	s.world.live("newer")
	s.passes(40 * 24 * time.Hour)
	if counts := s.copied(s.options("old-log", "newer-log", s.point)); counts.Changes() != 0 {
		t.Errorf("all have expired: %v", counts)
	}
	err := restore.Job{Options: s.options("old-log", "new", s.point)}.Copy(t.Context(), &restore.Progress{})
	if err == nil {
		t.Error("a log was copied into the table")
	}
}
