package restore_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/people"
	"example.com/parley/internal/restore"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/nightly"
)

// damagesEach is how many kinds of loss stand for one that make test tries.
const damagesEach = 5

// TestCopy_PutsBackLostItems deletes each kind of item, and random items of all kinds, from a table
// in which nothing else has changed. The copy restores the table as it was.
func TestCopy_PutsBackLostItems(t *testing.T) {
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
	for i, name := range slices.Sorted(maps.Keys(damages)) {
		if !nightly.One(i, damagesEach) {
			continue
		}
		damaged, lost := damages[name], 0
		for _, item := range all {
			switch table.KindOf(item) {
			case table.FeedKind, table.FeedHeadKind:
				continue
			}
			if damaged(item) && !ofDeletedRoom(s.world, item) {
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

// TestCopy_KeepsNewerItems deletes items from a table that people went on using. The copy puts back
// items as of the restore point. It keeps later changes and later deletions.
func TestCopy_KeepsNewerItems(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.goOn()
	whole := s.dump("old")
	s.snapshot("old", "whole-old")
	for round := range nightly.Times(1, 6) {
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

// TestCopy_IntoAnEmptyTable restores a table that was lost, into the new one that the stack
// created.
func TestCopy_IntoAnEmptyTable(t *testing.T) {
	t.Parallel()
	s := begin(t)
	l := s.world.live("new")
	s.copied(s.options("restored", "new", s.point))
	want := s.dump("restored")
	got := s.dump("new")
	for _, item := range s.items("restored") {
		key := table.KeyText(item)
		if want[key] != "" && (got[key] == "") != ofDeletedRoom(s.world, item) {
			t.Errorf("%s is there: %v", key, got[key] != "")
		}
	}
	s.wantTexts("new", false)
	s.wantEnded(l, "gone")
	for _, room := range []chat.RoomID{"seattle", s.board} {
		s.wantFeed(l, room)
	}
	rooms := must[chat.Page[inbox.Room]](s.world)(l.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 10}))
	for _, r := range rooms.Items {
		if r.Preferences.Favorite != (r.Room.Direct == nil) {
			t.Errorf("bob prefers %+v about %s", r.Preferences, r.Membership.Room)
		}
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

// TestCopy_OfOneRoom does not change the other rooms and people.
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
	if _, err := s.world.live("new").Messages(t.Context(), "ann", chat.MessageQuery{Room: s.board, Limit: 10}); err != nil {
		t.Error(err)
	}
}

// TestCopy_OfTheActivityLog puts back missing entries, except expired ones.
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

// TestCopy_KeepsNewerMetadata deletes the root of a person whose metadata changed after the restore
// point. The copy puts the root back and keeps the metadata.
func TestCopy_KeepsNewerMetadata(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.live("old")
	l.person("ann", "Ann", "Architect")
	l.person("bob", "Bob", "Architect")
	w.passes(time.Minute)
	point := w.now
	w.snapshot("old", "restored")
	w.passes(time.Minute)
	l.person("ann", "Ann", "Director")
	whole := w.dump("old")
	w.lose("old", people.Key("ann"))
	w.lose("old", people.Key("bob"), people.MetadataKey("bob"))
	w.copied(w.options("restored", "old", point))
	now := w.dump("old")
	for _, key := range []table.Item{people.MetadataKey("ann"), people.MetadataKey("bob"), people.Key("bob")} {
		if text := table.KeyText(key); now[text] != whole[text] || whole[text] == "" {
			t.Errorf("%s is %q, want %q", text, now[text], whole[text])
		}
	}
	if now[table.KeyText(people.Key("ann"))] == "" {
		t.Error("ann is not put back")
	}
	if again := w.copied(w.options("restored", "old", point)); again.Changes() != 0 {
		t.Errorf("a second run: %v", again)
	}
}

// TestCopy_OfUploads puts back the upload of a message. The bytes of a deleted message are gone, and
// an upload without a message may have lost its bytes.
func TestCopy_OfUploads(t *testing.T) {
	t.Parallel()
	s := begin(t)
	kept, gone := s.post("ann", "seattle"), s.post("ann", "seattle")
	s.remove("ann", gone)
	s.pump()
	put := func(n byte, message chat.MessageID) string {
		item := table.UploadKey("seattle", "ann", chat.NewUUID(s.now, [10]byte{n}))
		table.Stamp(item, table.UploadKind)
		item["name"], item["media"], item["bytes"] = table.Text("plan.png"), table.Text("image/png"), table.Number(1)
		if message != (chat.MessageID{}) {
			item[table.AttrUploadMessage] = table.Text(message.String())
		}
		if _, err := s.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("restored"), Item: item}); err != nil {
			t.Fatal(err)
		}
		return table.KeyText(item)
	}
	want := put(1, kept.ID)
	put(2, gone.ID)
	put(3, chat.MessageID{})
	counts := s.copied(s.options("restored", "old", s.point))
	if counts[table.UploadKind][restore.Put] != 1 || counts[table.UploadKind][restore.Skipped] != 2 {
		t.Errorf("the counts are %v", counts)
	}
	var found []string
	for _, item := range s.items("old") {
		if table.KindOf(item) == table.UploadKind {
			found = append(found, table.KeyText(item))
		}
	}
	if len(found) != 1 || found[0] != want {
		t.Errorf("there are the uploads %q, want %q", found, want)
	}
}
