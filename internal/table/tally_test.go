package table

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

func TestPackTally_ReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := chat.Tally{}
		for range rapid.IntRange(0, chat.MaxEmoji).Draw(t, "emoji") {
			want.Reactions = append(want.Reactions, chat.ReactionCount{
				Emoji: rapid.StringN(1, 10, 40).Draw(t, "e"), Count: rapid.IntRange(1, chat.MaxVersion).Draw(t, "n"),
			})
		}
		if rapid.Bool().Draw(t, "replies") {
			want.Replies = chat.ReplyCount{Count: rapid.IntRange(1, 9999).Draw(t, "count"), LastAt: noon, Users: []string{"amsg", "bob"}}
		}
		if rapid.Bool().Draw(t, "votes") {
			want.Votes = chat.VoteCount{Voters: rapid.IntRange(1, 9999).Draw(t, "voters"), Options: []int{0, 7}}
		}
		if rapid.Bool().Draw(t, "later") {
			want.Opaque = "\x07\x03abc\xff\x00"
		}
		got, err := unpackTally(packTally(want))
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Fatalf("%v (-want +got):\n%s", err, d)
		}
	})
}

// FuzzUnpackTally unpacks arbitrary bytes. A tally that unpacks is packed again, and the result
// unpacks to the same tally.
func FuzzUnpackTally(f *testing.F) {
	f.Add(packTally(chat.Tally{Reactions: []chat.ReactionCount{{Emoji: "👍", Count: 300}}, Opaque: "\x07\x01x"}))
	f.Add(packTally(chat.Tally{Replies: chat.ReplyCount{Count: 2, Users: []string{"bob"}, LastAt: time.UnixMilli(1000)}}))
	f.Add(packTally(chat.Tally{Votes: chat.VoteCount{Voters: 3, Options: []int{1, 2}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		first, err := unpackTally(b)
		if err != nil {
			return
		}
		packed := packTally(first)
		again, err := unpackTally(packed)
		if err != nil || !bytes.Equal(packTally(again), packed) {
			t.Errorf("%x is %+v, and written again %+v, %v", b, first, again, err)
		}
	})
}

// TestPackTally_KeepsItsForm checks that the stored bytes do not change, and which are refused.
func TestPackTally_KeepsItsForm(t *testing.T) {
	tally := chat.Tally{
		Version: 9, Reactions: []chat.ReactionCount{{Emoji: "👍", Count: 300}},
		Replies: chat.ReplyCount{Count: 2, Users: []string{"bob"}, LastAt: time.UnixMilli(1000)}, Opaque: "\x03\x01x",
	}
	const want = "01" + "0108" + "0104f09f918dac02" + "0208" + "02e8070103626f62" + "030178"
	packed := packTally(tally)
	if got := hex.EncodeToString(packed); got != want {
		t.Errorf("packed as %s, want %s", got, want)
	}
	if packTally(chat.Tally{Version: 3}) != nil {
		t.Error("an empty tally has bytes")
	}
	for _, b := range [][]byte{{2}, {1, 1}, {1, 1, 2, 1, 9}, {1, 2, 1, 1}, packed[:5]} {
		if got, err := unpackTally(b); err == nil {
			t.Errorf("%x is read as %+v", b, got)
		}
	}
}

// TestPacker_ReaderBeforeCountsKeepsThem reads changes of tallies as the version before them did: as
// one opaque entry each, with an identity of its own, written back unchanged.
func TestPacker_ReaderBeforeCountsKeepsThem(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{9: 7}), User: "amsg"}
	changes := []feed.Change{
		{Type: feed.MessageCreated, Message: id, Revision: 1}, {Type: feed.CountsChanged, Message: id, Revision: 1},
		{Type: feed.CountsChanged, Message: id, Revision: 2}, {Type: feed.MessageEdited, Message: id, Revision: 2},
	}
	former := packer{slices.DeleteFunc(feed.KnownChanges(), func(k feed.ChangeKind) bool { return k.Type >= feed.FirstFramedChange })}
	stored := known.pack(changes)
	got, err := former.unpack(stored)
	if err != nil || len(got) != len(changes) || got[0] != changes[0] || got[3] != changes[3] {
		t.Fatalf("%+v, %v", got, err)
	}
	if got[1].Identity() == got[2].Identity() || !bytes.Equal(former.pack(got), stored) {
		t.Errorf("read as %+v", got)
	}
	if n := len(known.pack(changes[:2])) - len(known.pack(changes[:1])); n != 20 {
		t.Errorf("a change of counts has %d bytes", n)
	}
}

func TestParseMessage_HasItsTally(t *testing.T) {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	item := MessageItem(chat.Message{Room: "seattle", ID: id, ReceivedAt: noon, Text: "x", Digest: []byte("d")}, 0)
	want := chat.Tally{
		Version: 2, Reactions: []chat.ReactionCount{{Emoji: "👍", Count: 3}},
		Replies: chat.ReplyCount{Count: 1, Users: []string{"bob"}, LastAt: noon},
	}
	item[attrTallyVersion], item[attrTally] = Number(2), &types.AttributeValueMemberB{Value: packTally(want)}
	m, err := ParseMessage(item)
	if d := cmp.Diff(want, m.Tally); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	item[attrDeleted] = Number(noon.UnixMilli())
	delete(item, attrText)
	want.Reactions = nil
	m, err = ParseMessage(item)
	if d := cmp.Diff(want, m.Tally); err != nil || d != "" {
		t.Errorf("deleted: %v (-want +got):\n%s", err, d)
	}
	counted, err := ParseTally(item)
	if err != nil || !counted.Deleted || len(counted.Tally.Reactions) != 1 {
		t.Errorf("counted as %+v, %v", counted, err)
	}
	item[attrTally] = Number(1)
	if m, err := ParseMessage(item); err == nil {
		t.Errorf("a tally that is no bytes is read as %+v", m.Tally)
	}
}
