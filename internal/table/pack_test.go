package table

import (
	"bytes"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// The types that a later version adds, in tests: one for each of what an entry may carry. Their
// numbers are the last ones, so that they stay new.
const (
	newOfMessage feed.ChangeType = 255 - iota
	newOfUser
	newOfNothing
	newOfKey
)

// known is the codec of this version, and newer a later version's.
var (
	known = packer{feed.KnownChanges()}
	newer = packer{append(feed.KnownChanges(),
		feed.ChangeKind{Type: newOfMessage, Name: "reply.created", Carries: feed.CarriesMessage},
		feed.ChangeKind{Type: newOfUser, Name: "follower.changed", Carries: feed.CarriesUser},
		feed.ChangeKind{Type: newOfNothing, Name: "pins.changed", Carries: feed.CarriesNothing},
		feed.ChangeKind{Type: newOfKey, Name: "lost", Carries: feed.CarriesKey},
	)}
)

// drawNewer makes any change that a later version may put into a segment.
func drawNewer(t *rapid.T) feed.Change {
	c := drawChange(t)
	if rapid.Bool().Draw(t, "known") {
		return c
	}
	switch c.Type {
	case feed.MessageCreated, feed.MessageEdited, feed.MessageDeleted:
		c.Type, c.Revision = newOfMessage, rapid.IntRange(1, chat.MaxVersion).Draw(t, "any revision")
	case feed.MemberChanged:
		c.Type = newOfUser
	case feed.RoomChanged:
		c.Type = newOfNothing
	case feed.UnknownChange:
		c.Type = newOfKey
	}
	if rapid.Bool().Draw(t, "of a version later still") {
		room := feed.MaxChangePayload - 9 - len(c.Key)
		c.Opaque = string(rapid.SliceOfN(rapid.Byte(), 0, min(room, 40)).Draw(t, "more fields"))
	}
	return c
}

// TestPacker_KeepsNewerChanges reads a later version's segment with this version's change table. It
// has as many entries, the known ones unchanged, and the same bytes when written back.
func TestPacker_KeepsNewerChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Custom(drawNewer), 1, 40).Draw(t, "changes")
		stored := newer.pack(want)
		got, err := known.unpack(stored)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d changes are read as %d, %v", len(want), len(got), err)
		}
		for i, c := range want {
			if c.Type < feed.FirstFramedChange && got[i] != c {
				t.Fatalf("%+v is read as %+v", c, got[i])
			}
			for j := range i {
				same := got[i].Identity() == got[j].Identity()
				if c == want[j] && !same || c.Identity() != want[j].Identity() && same {
					t.Fatalf("%+v and %+v are read as %+v and %+v", c, want[j], got[i], got[j])
				}
			}
		}
		if again := known.pack(got); !bytes.Equal(again, stored) {
			t.Fatalf("%x is written again as %x", stored, again)
		}
		back, err := newer.unpack(stored)
		if d := cmp.Diff(want, back); err != nil || d != "" {
			t.Fatalf("%v (-want +got):\n%s", err, d)
		}
	})
}

// TestPacker_FramedChangesKeepTheirForm checks that the bytes of types from 7 on do not change.
func TestPacker_FramedChangesKeepTheirForm(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{9: 7}), User: "amsg"}
	changes := []feed.Change{
		{Type: newOfMessage, Message: id, Revision: 300},
		{Type: newOfNothing, Origin: 2},
		{Type: newOfUser, User: "bob", Origin: 3, Opaque: "more"},
	}
	want := strings.Join([]string{
		"01", "02", "04616d7367", "03626f62", "ff0112" + "0165858dfe7b70008000000000000007" + "ac02",
		"fd0008" + "0000000000000002", "fe020c" + "0000000000000003" + "6d6f7265",
	}, "")
	if got := hex.EncodeToString(newer.pack(changes)); got != want {
		t.Errorf("packed as\n%s, want\n%s", got, want)
	}
}

func TestPacker_RefusesInvalidFramedChanges(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	whole := newer.pack([]feed.Change{{Type: newOfMessage, Message: id, Revision: 300}})
	for n := range whole {
		for _, p := range []packer{known, newer} {
			if changes, err := p.unpack(whole[:n]); err == nil {
				t.Errorf("%d of %d bytes are read as %+v", n, len(whole), changes)
			}
		}
	}
	nobody := slices.Concat([]byte{packVersion, 0, byte(newOfMessage), 0}, whole[len(whole)-19:])
	for name, b := range map[string][]byte{
		"a user behind the list":      {packVersion, 0, byte(newOfNothing), 1, 8, 0, 0, 0, 0, 0, 0, 0, 1},
		"a payload without its field": {packVersion, 0, byte(newOfNothing), 0, 7, 0, 0, 0, 0, 0, 0, 1},
		"a message of nobody":         nobody,
	} {
		if changes, err := newer.unpack(b); err == nil {
			t.Errorf("%s: read as %+v", name, changes)
		}
	}
	if changes, err := known.unpack(nobody); err != nil || len(changes) != 1 {
		t.Errorf("a reader that does not know the type refuses its payload: %+v, %v", changes, err)
	}
	long := append([]byte{packVersion, 0, 200, 0, 0x81, 0x01}, make([]byte, feed.MaxChangePayload+1)...)
	if _, err := known.unpack(long); err == nil {
		t.Error("a payload over the limit is read")
	}
}

// FuzzUnpackChanges reads any bytes with this version's table and with a later one.
func FuzzUnpackChanges(f *testing.F) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	f.Add(known.pack([]feed.Change{{Type: feed.MessageEdited, Message: id, Revision: 2}, {Type: feed.UnknownChange, Key: "k"}}))
	f.Add(known.pack([]feed.Change{{Type: feed.MemberChanged, User: "bob", Origin: 5}, {Type: feed.RoomChanged}}))
	f.Add(newer.pack([]feed.Change{{Type: newOfMessage, Message: id, Revision: 1}, {Type: newOfUser, User: "bob", Origin: 5, Opaque: "more"}}))
	f.Add(newer.pack([]feed.Change{{Type: newOfNothing, Origin: 1}, {Type: newOfKey, Key: "k"}, {Type: 100, User: "ann", Opaque: "x"}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, p := range []packer{known, newer} {
			changes, err := p.unpack(b)
			if err != nil {
				continue
			}
			again := p.pack(changes)
			got, err := p.unpack(again)
			if d := cmp.Diff(changes, got); err != nil || d != "" {
				t.Errorf("%x is %+v, and written again: %v (-first +second)\n%s", b, changes, err, d)
			}
			if len(again) > len(b) {
				t.Errorf("%x is written longer: %x", b, again)
			}
			if older, err := known.unpack(b); err != nil || len(older) != len(changes) {
				t.Errorf("%x has %d changes, and for an older reader %d, %v", b, len(changes), len(older), err)
			}
		}
	})
}

// TestPacker_FitsAFullSegmentOfTheLongestChanges holds what MaxChangePayload promises.
func TestPacker_FitsAFullSegmentOfTheLongestChanges(t *testing.T) {
	var changes []feed.Change
	for i := range feed.MaxSegmentChanges {
		user := chat.UserID(strings.Repeat("u", chat.MaxUserID-4) + FeedSK(int64(i))[seqDigits-4:])
		changes = append(changes, feed.Change{Type: 200, User: user, Opaque: strings.Repeat("x", feed.MaxChangePayload)})
	}
	item := SegmentItem(feed.Segment{Room: "seattle", First: 1, Changes: changes, WrittenAt: time.UnixMilli(1)})
	if n := Size(item); n > 300<<10 {
		t.Errorf("%d bytes, more than 300 KB", n)
	}
}

// TestPackMerged_KeepsTheStoredForm checks that the bytes of stored segments do not change.
func TestPackMerged_KeepsTheStoredForm(t *testing.T) {
	merged := []feed.Merged{{Into: 0, Mark: 3}, {Into: 200, Mark: math.MaxUint64}}
	if got, want := hex.EncodeToString(packMerged(merged)), "0003"+"c801ffffffffffffffffff01"; got != want {
		t.Errorf("packed as %s, want %s", got, want)
	}
}

// TestPackMerged_FitsAFullSegment merges as many changes as a batch has into one entry.
func TestPackMerged_FitsAFullSegment(t *testing.T) {
	merged := make([]feed.Merged, feed.MaxSegmentChanges-1)
	for i := range merged {
		merged[i].Mark = math.MaxUint64
	}
	b := packMerged(merged)
	if got, err := unpackMerged(b, 1); err != nil || len(got) != len(merged) || len(b) > 12<<10 {
		t.Errorf("%d bytes are read as %d merged changes, %v", len(b), len(got), err)
	}
	if _, err := unpackMerged(append(b, 0, 1), 1); err == nil {
		t.Error("more merged changes than a batch has are read")
	}
}

// FuzzUnpackMerged reads any bytes as the merged changes of a segment of three entries.
func FuzzUnpackMerged(f *testing.F) {
	f.Add([]byte{})
	f.Add(packMerged([]feed.Merged{{Into: 1, Mark: 300}, {Into: 2, Mark: math.MaxUint64}}))
	f.Add([]byte{3, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		merged, err := unpackMerged(b, 3)
		if err != nil {
			return
		}
		if again := packMerged(merged); !bytes.Equal(again, b) {
			t.Errorf("%x is read as %+v, which is written as %x", b, merged, again)
		}
		for _, m := range merged {
			if m.Into > 2 {
				t.Errorf("%x names entry %d of 3", b, m.Into)
			}
		}
	})
}
