package restore_test

import (
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/restore"
	"example.com/parley/internal/table"
)

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
