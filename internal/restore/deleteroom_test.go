package restore_test

import (
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/restore"
	"example.com/parley/internal/table"
)

// ofDeletedRoom reports whether an item is a content of the room that was deleted before the
// restore point.
func ofDeletedRoom(w *world, item table.Item) bool {
	w.Helper()
	return table.KindOf(item) != table.RoomKind && strings.Contains(textOf(w, item), "gone")
}

// renamed changes a room's settings.
func (l *live) renamed(room chat.RoomID) {
	l.Helper()
	if _, _, err := l.PutRoom(l.Context(), "owner", room, chat.RoomDraft{Name: new(l.text())}); err != nil {
		l.Fatal(err)
	}
	l.passes(chat.RoomCacheAge)
}

// wantEnded checks that rooms are deleted in a table: nobody may read or write there, their ids are
// not free, and their feeds are closed.
func (s *story) wantEnded(l *live, rooms ...chat.RoomID) {
	s.Helper()
	s.passes(chat.RoomCacheAge)
	store := dynamo.New(s.db, dynamo.Options{Table: l.table, Clock: s.clock})
	for _, room := range rooms {
		if _, err := l.Room(s.Context(), "ann", room); chat.KindOf(err) != chat.NotFound {
			s.Errorf("ann reads %s: %v", room, err)
		}
		if _, _, err := l.PutRoom(s.Context(), "owner", room, chat.RoomDraft{}); chat.KindOf(err) != chat.Conflict {
			s.Errorf("its former owner opens %s again: %v", room, err)
		}
		if _, _, err := l.PostMessage(s.Context(), "ann", room, chat.MessageDraft{Text: "x"}); chat.KindOf(err) != chat.NotFound {
			s.Errorf("ann posts in %s: %v", room, err)
		}
		if head, err := store.CurrentFeedHead(s.Context(), room); err != nil || !head.Closed {
			s.Errorf("the feed of %s is closed: %v, %v", room, head.Closed, err)
		}
	}
}

// tombstone returns the revision of a room's tombstone.
func (w *world) tombstone(name string, room chat.RoomID) (revision int) {
	w.Helper()
	item, err := dynamo.NewTable(w.db, name, nil).GetItem(w.Context(), "test", table.MetadataKey(room), dynamo.Strong)
	if err != nil {
		w.Fatal(err)
	}
	d, err := table.ParseRoomTombstone(item)
	return must[chat.RoomDeletion](w)(d, err).Room.Revision
}

// TestCopy_NeverBringsADeletedRoomBack damages what shows that rooms are deleted. The copy of a
// table in which one of them is alive mends the damage and puts no content back.
func TestCopy_NeverBringsADeletedRoomBack(t *testing.T) {
	t.Parallel()
	for name, damaged := range map[string]func(table.Item) bool{
		"nothing":          func(table.Item) bool { return false },
		"the tombstones":   func(i table.Item) bool { return table.KindOf(i) == table.RoomKind },
		"the heads":        func(i table.Item) bool { return table.KindOf(i) == table.FeedHeadKind },
		"all other items":  func(i table.Item) bool { return !isEnd(i) },
		"all but the head": func(i table.Item) bool { return table.KindOf(i) != table.FeedHeadKind },
		"all but the tombstone": func(i table.Item) bool {
			return table.KindOf(i) != table.RoomKind
		},
	} {
		t.Run(name+" lost", func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.goOn()
			lost := map[string]bool{}
			for _, item := range s.items("old") {
				text := textOf(s.world, item)
				if (strings.Contains(text, "going") || strings.Contains(text, "gone")) && damaged(item) {
					s.lose("old", item)
					lost[table.KeyText(item)] = !isEnd(item)
				}
			}
			s.copied(s.options("restored", "old", s.point))
			s.wantEnded(s.live, "gone", "going")
			for key := range s.dump("old") {
				if lost[key] {
					t.Errorf("%s is put back", key)
				}
			}
			if again := s.copied(s.options("restored", "old", s.point)); again.Changes() != 0 {
				t.Errorf("a second run: %v", again)
			}
		})
	}
}

// isEnd reports whether an item shows the deletion of a room.
func isEnd(item table.Item) bool {
	return table.KindOf(item) == table.RoomKind || table.KindOf(item) == table.FeedHeadKind
}

// TestDeletions_DeleteRooms deletes rooms in the old table. One of them is alive in the adopted
// table, where its settings have changed more often. Another one is not in the adopted table.
func TestDeletions_DeleteRooms(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]table.Kind{"": "", ", whose tombstones are lost": table.RoomKind, ", whose feeds are lost": table.FeedHeadKind} {
		t.Run("rooms"+name, func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.goOn()
			for _, item := range s.items("old") {
				if pk := table.KeyText(item); lose != "" && table.KindOf(item) == lose && (strings.Contains(pk, "going") || strings.Contains(pk, "brief")) {
					s.lose("old", item)
				}
			}
			adopted := s.world.live("restored")
			for range 3 {
				adopted.renamed("going")
			}
			o := s.options("old", "restored", s.point)
			dry := o
			dry.DryRun = true
			foretold := s.deletions(dry)[table.RoomKind]
			if _, err := adopted.Room(t.Context(), "ann", "going"); err != nil {
				t.Fatal("a dry run: ", err)
			}
			counts := s.deletions(o)[table.RoomKind]
			if counts[restore.Deleted] != 1 || counts[restore.Put] != 1 || foretold[restore.Deleted] != 1 || foretold[restore.Put] != 1 {
				t.Errorf("%v, foretold %v", counts, foretold)
			}
			s.wantEnded(adopted, "gone", "going", "brief")
			if revision := s.tombstone("restored", "going"); revision < 4 {
				t.Errorf("the tombstone has revision %d, after four of the room", revision)
			}
			if _, err := adopted.Room(t.Context(), "ann", "seattle"); err != nil {
				t.Error("a room that is not deleted: ", err)
			}
			if again := s.deletions(o); again.Changes() != 0 {
				t.Errorf("a second run: %v", again)
			}
			s.copied(s.options("old", "restored", s.point))
			s.wantEnded(adopted, "gone", "going", "brief")
		})
	}
}

// TestDeletions_OfOneRoom deletes no other room.
func TestDeletions_OfOneRoom(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.goOn()
	adopted := s.world.live("restored")
	o := s.options("old", "restored", s.point)
	o.Room = "brief"
	s.deletions(o)
	s.wantEnded(adopted, "brief")
	if _, err := adopted.Room(t.Context(), "ann", "going"); err != nil {
		t.Error(err)
	}
}
