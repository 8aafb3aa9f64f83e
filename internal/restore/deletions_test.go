package restore_test

import (
	"math"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/restore"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
)

// TestDeletions_AreAppliedToTheAdoptedTable lets the stack continue with the restored table. Later
// deletions in the old table are applied to it.
func TestDeletions_AreAppliedToTheAdoptedTable(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.goOn()
	before := must[feed.Changes](s.world)(s.Feed.Changes(t.Context(), "ann", "seattle", chat.FeedPosition{}, 1))
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
	c := must[feed.Changes](s.world)(adopted.Feed.Changes(t.Context(), "ann", "seattle", chat.FeedPosition{Seq: before.Head, Generation: before.Since.Generation}, 10))
	if !c.Reset {
		t.Errorf("a client that stood at %d of the old feed is not reset: %+v", before.Head, c)
	}
	s.wantFeed(adopted, "seattle")

	// Later writes in the old table are copied too.
	s.copied(s.options("old", "restored", s.point))
	s.wantTexts("restored", true)
	s.wantRoles(adopted)
	if again := s.copied(s.options("old", "restored", s.point)); again.Changes() != 0 {
		t.Errorf("a second copy: %v", again)
	}
	s.wantReopened(adopted)
}

// wantReopened checks that the direct room that bob has left has both people when it is opened.
func (s *story) wantReopened(l *live) {
	s.Helper()
	if room := l.open("ann", "bob"); room != s.direct {
		s.Errorf("ann and bob have another direct room, %s", room)
	}
	for _, user := range []chat.UserID{"ann", "bob"} {
		if _, err := l.Room(s.Context(), user, s.direct); err != nil {
			s.Errorf("%s is not in the direct room: %v", user, err)
		}
	}
}

// TestCopy_RecordOfADirectRoom loses the records of direct rooms, one of which bob has left since.
func TestCopy_RecordOfADirectRoom(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.goOn()
	for _, item := range s.items("old") {
		if table.KindOf(item) == table.DirectKind {
			s.lose("old", item)
		}
	}
	if counts := s.copied(s.options("restored", "old", s.point)); counts[table.DirectKind][restore.Put] != 2 {
		t.Errorf("%v", counts)
	}
	s.wantReopened(s.live)
}

// wantFeed checks that a room's feed has no hole. Its repair appends nothing twice, and then every
// number up to the head is there.
func (s *story) wantFeed(l *live, room chat.RoomID) {
	s.Helper()
	l.pump()
	store := dynamo.New(s.db, dynamo.Options{Table: l.table, Clock: s.clock})
	repair := func() int {
		appender := stream.NewAppender(stream.Options{Store: store, Clock: s.clock, Memory: math.MaxInt})
		r, err := stream.Repair{Room: room, History: store, Appender: appender}.Run(s.Context())
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
		if segment.First != last+1 && segment.First != last+1+feed.GenerationGap {
			s.Errorf("the feed of %s goes from %d to %d", room, last, segment.First)
		}
		last = segment.Last()
	}
	if head.Last != last {
		s.Errorf("the feed of %s ends at %d, its head says %d", room, last, head.Last)
	}
}

// TestCopy_LeavesInvitationsOut checks that no invitation is copied: it may have been revoked after
// the restore point.
func TestCopy_LeavesInvitationsAndWebhooksOut(t *testing.T) {
	t.Parallel()
	s := begin(t)
	if _, _, err := s.Invites.Create(t.Context(), "owner", s.board, invite.Draft{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Incoming.Create(t.Context(), "owner", s.board, "Alerts"); err != nil {
		t.Fatal(err)
	}
	counts := s.copied(s.options("old", "restored", s.point))
	for _, kind := range []table.Kind{table.InviteKind, table.InvitesKind, table.IncomingKind, table.IncomingListKind} {
		if counts[kind][restore.Skipped] != 1 {
			t.Errorf("%s: %v", kind, counts[kind])
		}
		for _, item := range s.items("restored") {
			if table.KindOf(item) == kind {
				t.Errorf("copied: %s", table.KeyText(item))
			}
		}
	}
}

// TestDeletions_LeaveARoomItsOwner hands a room over in the old table. In the restored one the new
// owner is not an owner yet, so the former one stays.
func TestDeletions_LeaveARoomItsOwner(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.member("owner", "seattle", "ann", policy.Owner)
	s.member("ann", "seattle", "owner", policy.Member)
	s.pump()
	adopted := s.world.live("restored")
	var noted []string
	o := s.options("old", "restored", s.point)
	o.Note = func(_, why string) { noted = append(noted, why) }
	if counts := s.deletions(o); counts.Changes() != 0 || len(noted) != 1 || noted[0] != "the room would be without an owner" {
		t.Errorf("%v, noted %q", counts, noted)
	}
	adopted.member("owner", "seattle", "ann", policy.Owner)
	if counts := s.deletions(s.options("old", "restored", s.point)); counts.Changes() != 1 {
		t.Errorf("now that there is another one: %v", counts)
	}
}

// TestDeletions_LeaveLaterMembers removes a person who is then invited into the restored room.
func TestDeletions_LeaveLaterMembers(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.removed("owner", s.board, "cid")
	s.pump()
	adopted := s.world.live("restored")
	if counts := s.deletions(s.options("old", "restored", s.point)); counts.Changes() != 1 {
		t.Errorf("one was removed: %v", counts)
	}
	adopted.member("owner", s.board, "cid", policy.Member)
	if counts := s.deletions(s.options("old", "restored", s.point)); counts.Changes() != 0 {
		t.Errorf("they were invited since: %v", counts)
	}
	o := s.options("old", "restored", s.point)
	if counts := s.restored(o, func(j restore.Job, p *restore.Progress) error { return j.Deletions(t.Context(), p) }); counts[table.RoleKind] != nil {
		t.Errorf("without memberships: %v", counts)
	}
}

// TestCopy_PutsBackEndedMembershipsOnRequest loses a membership in a way that looks like leaving.
func TestCopy_PutsBackEndedMembershipsOnRequest(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.lose("old", table.RoleKey(s.board, "cid"), table.MemberKey(s.board, "cid"))
	s.pump() // the feed receives the change
	o := s.options("restored", "old", s.point)
	if counts := s.copied(o); counts[table.RoleKind][restore.Ended] != 1 || counts.Changes() != 0 {
		t.Errorf("%v", counts)
	}
	o.Memberships = true
	if counts := s.copied(o); counts.Changes() != 1 {
		t.Errorf("on request: %v", counts)
	}
	if _, err := s.Messages(t.Context(), "cid", chat.MessageQuery{Room: s.board, Limit: 1}); err != nil {
		t.Error(err)
	}
}

// TestCopy_SinceLeavesOlderMessagesOut copies only the latest messages into an empty table.
func TestCopy_SinceLeavesOlderMessagesOut(t *testing.T) {
	t.Parallel()
	s := begin(t)
	late := s.post("ann", "seattle")
	touched := s.edit(s.plain[0])
	s.snapshot("old", "later")
	s.world.live("new")
	o := s.options("later", "new", s.point)
	o.Since = s.point.Add(time.Second)
	counts := s.copied(o)
	dump := s.dump("new")
	if counts[table.MessageKind][restore.Put] != 2 || !holds(dump, late.Text) || !holds(dump, touched.Text) || holds(dump, s.acknowledged[0]) {
		t.Errorf("%v", counts)
	}
	if counts[table.RoomKind][restore.Put] != 6 || counts[table.PersonKind][restore.Put] == 0 {
		t.Errorf("rooms and people have no such time: %v", counts)
	}
}
