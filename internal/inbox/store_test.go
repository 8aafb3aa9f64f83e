package inbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/test/tabletest"
)

var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// TestStore_KeepsTheContract runs on every engine that Parley runs on.
func TestStore_KeepsTheContract(t *testing.T) {
	t.Parallel()
	tabletest.Keeps(t, "inbox", tabletest.Create, inbox.NewStore, map[string]func(*testing.T, inbox.Store){
		"a read marker never moves back":              markerNeverMovesBack,
		"preferences are kept while the marker moves": preferencesAreKept,
	})
}

func markerNeverMovesBack(t *testing.T, s inbox.Store) {
	put := func(room chat.RoomID, user chat.UserID, seq, want int64) {
		t.Helper()
		m := inbox.ReadMarker{Room: room, User: user, Seq: seq, Count: seq / 2}
		current, err := s.PutReadMarker(t.Context(), m)
		if m.Seq, m.Count = want, want/2; err != nil || current != m {
			t.Errorf("marker %+v, want %+v, %v", current, m, err)
		}
	}
	put("seattle", "amsg", 4, 4)
	put("seattle", "amsg", 2, 4)
	put("seattle", "amsg", 4, 4)
	put("seattle", "amsg", 6, 6)
	put("seattle", "bob", 1, 1)
	put("seattle-1", "amsg", 8, 8)
	put("tacoma", "amsg", 3, 3)
	receiptNeverMovesBack(t, s)
	_, got, err := s.OwnRooms(t.Context(), "amsg", nil)
	want := map[chat.RoomID]inbox.ReadMarker{
		"seattle":   {Room: "seattle", User: "amsg", Seq: 6, Count: 3},
		"seattle-1": {Room: "seattle-1", User: "amsg", Seq: 8, Count: 4},
		"tacoma":    {Room: "tacoma", User: "amsg", Seq: 3, Count: 1},
		"spokane":   receiptAt(9),
	}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	_, got, err = s.OwnRooms(t.Context(), "amsg", []chat.RoomID{"tacoma", "portland", "seattle-1"})
	some := map[chat.RoomID]inbox.ReadMarker{"tacoma": want["tacoma"], "seattle-1": want["seattle-1"]}
	if d := cmp.Diff(some, got); err != nil || d != "" {
		t.Errorf("of three rooms: %v (-want +got):\n%s", err, d)
	}
	users := []chat.UserID{"nobody", "bob", "amsg"}
	for n := range 120 { // more than one batch
		users = append(users, chat.UserID(fmt.Sprint("user-", n)))
	}
	ofRoom, err := s.ReadMarkers(t.Context(), "seattle", users)
	wantOfRoom := map[chat.UserID]inbox.ReadMarker{"amsg": want["seattle"], "bob": {Room: "seattle", User: "bob", Seq: 1}}
	if d := cmp.Diff(wantOfRoom, ofRoom); err != nil || d != "" {
		t.Errorf("of a room: %v (-want +got):\n%s", err, d)
	}
}

// receiptAt returns a marker in spokane with a receipt for the same number.
func receiptAt(seq int64) inbox.ReadMarker {
	id := chat.MessageID{UUID: chat.NewUUID(start, [10]byte{byte(seq)}), User: "bob"}
	return inbox.ReadMarker{
		Room: "spokane", User: "amsg", Seq: seq, Count: seq / 2,
		Receipt: inbox.Receipt{Message: id, At: start.Add(time.Duration(seq) * time.Minute), Seq: seq},
	}
}

// receiptNeverMovesBack marks messages as unread, and then as read before and after the receipt.
func receiptNeverMovesBack(t *testing.T, s inbox.Store) {
	t.Helper()
	at, without := receiptAt, func(seq int64) inbox.ReadMarker {
		m := receiptAt(seq)
		m.Receipt = inbox.Receipt{}
		return m
	}
	for _, step := range []struct {
		marker  inbox.ReadMarker
		back    bool
		seq     int64
		receipt int64
	}{
		{without(1), true, 1, 0},
		{at(2), false, 2, 2},
		{at(2), false, 2, 2},
		{without(6), false, 6, 2},
		{at(7), false, 7, 7},
		{at(5), false, 7, 7},
		{without(3), true, 3, 7},
		{at(5), false, 5, 7},
		{at(4), false, 5, 7},
		{without(8), true, 8, 7},
		{at(9), false, 9, 9},
	} {
		want := without(step.seq)
		if step.receipt > 0 {
			want.Receipt = at(step.receipt).Receipt
		}
		if step.back {
			if err := s.SetReadMarker(t.Context(), step.marker); err != nil {
				t.Fatal(err)
			}
		} else if got, err := s.PutReadMarker(t.Context(), step.marker); err != nil || got.Seq != step.seq || got.Count != want.Count {
			t.Errorf("a marker at %d: %+v, %v, want %d", step.marker.Seq, got, err, step.seq)
		}
		_, all, err := s.OwnRooms(t.Context(), "amsg", nil)
		if d := cmp.Diff(want, all["spokane"]); err != nil || d != "" {
			t.Errorf("after a marker at %d: %v (-want +got):\n%s", step.marker.Seq, err, d)
		}
	}
}

// preferencesAreKept changes preferences with and without a marker, moves the marker, and reads
// both.
func preferencesAreKept(t *testing.T, s inbox.Store) {
	prefer := func(room chat.RoomID, p inbox.Preferences) {
		t.Helper()
		if err := s.PutPreferences(t.Context(), chat.MemberOf{Room: room, User: "amsg"}, p); err != nil {
			t.Fatal(err)
		}
	}
	marker := func(room chat.RoomID, seq int64, p inbox.Preferences) inbox.ReadMarker {
		return inbox.ReadMarker{Room: room, User: "amsg", Seq: seq, Count: seq / 2, Preferences: p}
	}
	for _, m := range []inbox.ReadMarker{marker("seattle", 4, inbox.Preferences{}), {Room: "seattle", User: "bob", Seq: 4, Count: 2}} {
		if _, err := s.PutReadMarker(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	muted, favorite := inbox.Preferences{Level: notify.Choice{Level: notify.Mentions}}, inbox.Preferences{Favorite: true, Level: notify.Choice{Level: notify.None, Until: time.Date(2018, 8, 29, 13, 0, 0, 123e6, time.UTC)}}
	prefer("seattle", inbox.Preferences{Favorite: true, Level: notify.Choice{Level: notify.All, Until: favorite.Level.Until}})
	prefer("seattle", muted)
	prefer("tacoma", favorite)
	prefer("spokane", favorite)
	prefer("spokane", inbox.Preferences{})
	want := map[chat.RoomID]inbox.ReadMarker{
		"seattle": marker("seattle", 4, muted), "tacoma": marker("tacoma", 0, favorite), "spokane": marker("spokane", 0, inbox.Preferences{}),
	}
	check := func(what string) {
		t.Helper()
		_, got, err := s.OwnRooms(t.Context(), "amsg", nil)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%s: %v (-want +got):\n%s", what, err, d)
		}
	}
	check("preferences")
	if _, err := s.PutReadMarker(t.Context(), marker("tacoma", 3, inbox.Preferences{})); err != nil {
		t.Fatal(err)
	}
	if err := s.SetReadMarker(t.Context(), marker("seattle", 2, inbox.Preferences{})); err != nil {
		t.Fatal(err)
	}
	want["tacoma"], want["seattle"] = marker("tacoma", 3, favorite), marker("seattle", 2, muted)
	check("after the markers moved")
	ofRoom, err := s.ReadMarkers(t.Context(), "seattle", []chat.UserID{"amsg", "bob"})
	if err != nil || ofRoom["amsg"] != want["seattle"] || ofRoom["bob"].Preferences != (inbox.Preferences{}) {
		t.Errorf("of a room: %+v, %v", ofRoom, err)
	}
}
