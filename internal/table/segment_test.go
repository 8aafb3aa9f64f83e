package table

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// drawChange makes any change of a type that this version knows.
func drawChange(t *rapid.T) feed.Change {
	user := chat.UserID(rapid.StringMatching(`[A-Za-z0-9._@|:+=-]{1,64}`).Draw(t, "user"))
	c := feed.Change{Type: rapid.SampledFrom(feed.KnownChanges()).Draw(t, "kind").Type}
	switch {
	case c.Type.Carries().HasMessage():
		var tail [10]byte
		copy(tail[:], rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "tail"))
		c.Message = chat.MessageID{User: user, UUID: chat.NewUUID(time.UnixMilli(rapid.Int64Range(0, 1<<44).Draw(t, "ms")), tail)}
		c.Revision = 1
		if c.Type == feed.ReplyCreated {
			c.Thread = chat.MessageID{User: user + "x", UUID: c.Message.UUID}
			c.Thread.User = c.Thread.User[:min(len(c.Thread.User), chat.MaxUserID)]
			c.ShowInRoom = rapid.Bool().Draw(t, "in the room")
		} else if c.Type != feed.MessageCreated {
			c.Revision = rapid.IntRange(2, chat.MaxVersion).Draw(t, "revision")
		}
		return c
	case c.Type == feed.PinsChanged:
		c.Message = chat.MessageID{User: user, UUID: chat.NewUUID(noon, [10]byte{1})}
		c.Revision, c.Pinned = rapid.IntRange(1, chat.MaxVersion).Draw(t, "number"), rapid.Bool().Draw(t, "pinned")
		return c
	case c.Type == feed.MemberChanged:
		c.User = user
	case c.Type == feed.UnknownChange:
		c.Key = rapid.StringN(0, 20, feed.MaxChangeKey).Draw(t, "key")
	}
	c.Origin = rapid.Uint64().Draw(t, "origin")
	return c
}

func TestSegmentItem_ReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		instant := func(name string) time.Time {
			return time.UnixMilli(rapid.Int64Range(0, 1<<44).Draw(t, name)).UTC()
		}
		s := feed.Segment{
			Room: "seattle", First: rapid.Int64Range(1, chat.MaxSeq).Draw(t, "first"),
			Changes: rapid.SliceOfN(rapid.Custom(drawChange), 1, 40).Draw(t, "changes"),
			Count:   rapid.Int64Range(0, chat.MaxSeq).Draw(t, "count"), Generation: rapid.String().Draw(t, "generation"),
			WrittenAt: instant("written"), Settled: rapid.Int64Range(0, chat.MaxSeq).Draw(t, "settled"),
			CreatedFrom: instant("from"), CreatedTo: instant("to"),
		}
		if rapid.Bool().Draw(t, "received") {
			s.ReceivedFrom = instant("first")
			s.ReceivedTo = s.ReceivedFrom.Add(time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "length")) * time.Millisecond)
		}
		for range rapid.IntRange(0, 5).Draw(t, "merged") {
			s.Merged = append(s.Merged, feed.Merged{Into: rapid.IntRange(0, len(s.Changes)-1).Draw(t, "into"), Mark: rapid.Uint64().Draw(t, "mark")})
		}
		if rapid.Bool().Draw(t, "expires") {
			s.Expires = time.Unix(rapid.Int64Range(1, 1<<40).Draw(t, "expires"), 0).UTC()
		}
		got, err := ParseSegment(SegmentItem(s))
		if d := cmp.Diff(s, got); err != nil || d != "" {
			t.Fatalf("%v (-want +got):\n%s", err, d)
		}
	})
}

func TestFeedSK_SortsByNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(1, chat.MaxSeq).Draw(t, "a"), rapid.Int64Range(1, chat.MaxSeq).Draw(t, "b")
		if (a < b) != (FeedSK(a) < FeedSK(b)) {
			t.Fatalf("%d and %d sort as %s and %s", a, b, FeedSK(a), FeedSK(b))
		}
	})
}

// TestPacker_KeepsTheStoredForm checks that the bytes of stored segments do not change, because
// later code must read them.
func TestPacker_KeepsTheStoredForm(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{9: 7}), User: "amsg"}
	changes := []feed.Change{
		{Type: feed.MessageCreated, Message: id, Revision: 1},
		{Type: feed.MessageEdited, Message: id, Revision: 2},
		{Type: feed.MemberChanged, User: "bob", Origin: 1},
		{Type: feed.RoomChanged, Origin: 2},
		{Type: feed.MessageDeleted, Message: id, Revision: 300},
		{Type: feed.UnknownChange, Origin: 3, Key: "amsg#2018"},
		{Type: feed.ReplyCreated, Message: id, Revision: 1, Thread: chat.MessageID{UUID: id.UUID, User: "eve"}, ShowInRoom: true},
		{Type: feed.PinsChanged, Message: id, Revision: 2, Pinned: true},
	}
	const uuid = "0165858dfe7b70008000000000000007"
	want := strings.Join([]string{
		"01", "02", "04616d7367", "03626f62", "0100" + uuid, "0200" + uuid + "02", "04010000000000000001",
		"050000000000000002", "0300" + uuid + "ac02", "060000000000000003" + "09616d736723" + "32303138",
		"070126" + uuid + "0101" + uuid + "03657665", "090112" + uuid + "0201",
	}, "")
	if got := hex.EncodeToString(known.pack(changes)); got != want {
		t.Errorf("packed as\n%s, want\n%s", got, want)
	}
}

func TestSegmentItem_HoldsAThousandChanges(t *testing.T) {
	var changes []feed.Change
	for i := range feed.MaxSegmentChanges {
		user := chat.UserID(strings.Repeat("u", chat.MaxUserID-4) + FeedSK(int64(i))[seqDigits-4:])
		changes = append(changes, feed.Change{Type: feed.MessageDeleted, Revision: chat.MaxVersion, Message: chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: user}})
	}
	if n := len(known.pack(changes)); n > 100<<10 {
		t.Errorf("%d bytes, more than 100 KB", n)
	}
}

func TestPacker_RefusesCutChanges(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	whole := known.pack([]feed.Change{{Type: feed.MessageEdited, Message: id, Revision: 300}})
	for n := range whole {
		if changes, err := known.unpack(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes read as %+v", n, len(whole), changes)
		}
	}
	if _, err := known.unpack(append(bytes.Clone(whole), 0)); err == nil {
		t.Error("a change of type 0 is read")
	}
}
