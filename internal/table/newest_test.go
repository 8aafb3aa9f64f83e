package table

import (
	"bytes"
	"encoding/hex"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// talked is a segment of a message, a reply that the room does not list, and another message.
func talked() feed.Segment {
	id := func(tail byte) chat.MessageID {
		return chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{9: tail}), User: "amsg"}
	}
	return feed.Segment{
		Room: "seattle", First: 7, Generation: "g", WrittenAt: noon,
		Changes: []feed.Change{
			{Type: feed.MessageCreated, Message: id(1), Revision: 1},
			{Type: feed.ReplyCreated, Message: id(2), Revision: 1, Thread: id(1)},
			{Type: feed.MessageCreated, Message: id(3), Revision: 1},
		},
	}
}

func TestSegmentItem_KeepsTheNewestMessage(t *testing.T) {
	of := talked()
	other := chat.MessageID{UUID: of.Changes[0].Message.UUID, User: "bob"}
	for _, tt := range []struct {
		name   string
		newest feed.Newest
		short  bool
	}{
		{"none", feed.Newest{}, false},
		{"the last change's", feed.Newest{Message: of.Changes[2].Message, ReceivedAt: noon.Add(-time.Second), Shard: 64}, true},
		{"an earlier change's, received later", feed.Newest{Message: of.Changes[0].Message, ReceivedAt: noon.Add(time.Minute), Shard: 1}, true},
		{"without a shard", feed.Newest{Message: of.Changes[2].Message, ReceivedAt: noon}, true},
		{"after a gap", feed.Newest{Message: of.Changes[2].Message, ReceivedAt: noon, Shard: 1, Gap: noon}, false},
		{"a reply that the room does not list", feed.Newest{Message: of.Changes[1].Message, ReceivedAt: noon, Shard: 1}, false},
		{"of an earlier segment", feed.Newest{Message: other, ReceivedAt: noon, Shard: 2}, false},
	} {
		s := of
		s.Newest = tt.newest
		item := SegmentItem(s)
		got, err := ParseSegment(item)
		if err != nil || got.Newest != tt.newest {
			t.Errorf("%s: read as %+v, %v, want %+v", tt.name, got.Newest, err, tt.newest)
		}
		if short := item[attrNewestHere] != nil; short != tt.short || short && item[attrNewest] != nil {
			t.Errorf("%s: written short: %v, want %v", tt.name, short, tt.short)
		}
	}
}

// TestParseSegment_NewestOfALaterVersion reads a segment with a newest message that a change of an
// unknown type creates.
func TestParseSegment_NewestOfALaterVersion(t *testing.T) {
	s := talked()
	item := SegmentItem(s)
	item[attrNewestHere] = &types.AttributeValueMemberB{Value: packNewest(1, feed.Newest{ReceivedAt: noon, Shard: 1}, noon)}
	if got, err := ParseSegment(item); err != nil || got.Newest != (feed.Newest{}) {
		t.Errorf("read as %+v, %v, want none", got.Newest, err)
	}
	item[attrNewestHere] = &types.AttributeValueMemberB{Value: packNewest(3, feed.Newest{ReceivedAt: noon, Shard: 1}, noon)}
	if _, err := ParseSegment(item); err == nil {
		t.Error("a newest message of no change is read")
	}
}

// TestPackNewest_KeepsTheStoredForm checks that the bytes of stored segments do not change.
func TestPackNewest_KeepsTheStoredForm(t *testing.T) {
	n := feed.Newest{ReceivedAt: noon.Add(-200 * time.Millisecond), Shard: 16}
	if got, want := hex.EncodeToString(packNewest(2, n, noon)), "02"+"10"+"9003"; got != want {
		t.Errorf("packed as %s, want %s", got, want)
	}
}

// FuzzUnpackNewest reads any bytes as the newest message of a segment of three entries.
func FuzzUnpackNewest(f *testing.F) {
	f.Add([]byte{})
	f.Add(packNewest(2, feed.Newest{ReceivedAt: noon.Add(-time.Second), Shard: 64}, noon))
	f.Add(packNewest(0, feed.Newest{ReceivedAt: noon.Add(time.Hour)}, noon))
	f.Add([]byte{3, 1, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		entry, n, err := unpackNewest(b, 3, noon)
		if err != nil {
			return
		}
		if again := packNewest(entry, n, noon); !bytes.Equal(again, b) || entry > 2 {
			t.Errorf("%x is read as %+v of entry %d, which is written as %x", b, n, entry, again)
		}
	})
}
