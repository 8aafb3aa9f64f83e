package table

import (
	"encoding/binary"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

const (
	attrNewest      = "newest"
	attrNewestAt    = "newestAt"
	attrNewestShard = "newestShard"
	attrNewestGap   = "newestGap"
	// attrNewestHere replaces the first three in a segment that creates its newest message.
	attrNewestHere = "n"
)

// newestAttributes returns the attributes of a newest message. It returns none if the message is
// not known.
func newestAttributes(n feed.Newest) Item {
	if n.Message == (chat.MessageID{}) {
		return Item{}
	}
	item := Item{
		attrNewest: Text(n.Message.String()), attrNewestAt: Number(n.ReceivedAt.UnixMilli()),
		attrNewestShard: Number(int64(n.Shard)),
	}
	if !n.Gap.IsZero() {
		item[attrNewestGap] = Number(n.Gap.UnixMilli())
	}
	return item
}

// newest reads the attributes that newestAttributes returns.
func (r *Reader) newest() feed.Newest {
	text := r.OptionalText(attrNewest)
	if text == "" {
		return feed.Newest{}
	}
	id, err := chat.ParseMessageID(text)
	r.Keep(err)
	return feed.Newest{
		Message: id, ReceivedAt: r.OptionalTime(attrNewestAt), Shard: int(r.OptionalNumber(attrNewestShard)),
		Gap: r.OptionalTime(attrNewestGap),
	}
}

// newestOf returns the attributes of a segment's newest message. Most segments create the message.
// Its id is then among the changes and not written again.
func newestOf(s feed.Segment) Item {
	for i := len(s.Changes) - 1; i >= 0 && s.Newest.Gap.IsZero(); i-- {
		if c := s.Changes[i]; c.CreatesInRoom() && c.Message == s.Newest.Message {
			return Item{attrNewestHere: &types.AttributeValueMemberB{Value: packNewest(i, s.Newest, s.WrittenAt)}}
		}
	}
	return newestAttributes(s.Newest)
}

// newestIn reads the attributes that newestOf returns, for a segment that is otherwise complete.
func (r *Reader) newestIn(s feed.Segment) feed.Newest {
	b := r.OptionalBytes(attrNewestHere)
	if b == nil {
		return r.newest()
	}
	at, n, err := unpackNewest(b, len(s.Changes), s.WrittenAt)
	r.Keep(err)
	if err != nil || !s.Changes[at].CreatesInRoom() { // a change of a type that this version does not know
		return feed.Newest{}
	}
	n.Message = s.Changes[at].Message
	return n
}

// packNewest encodes the newest message of a segment, which an entry creates: the entry's index,
// the message's shard, and how many milliseconds before the segment it was received. All are
// varints, the last one with a sign.
func packNewest(entry int, n feed.Newest, written time.Time) []byte {
	b := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(entry)), uint64(n.Shard)) //nolint:gosec // neither is negative
	return binary.AppendVarint(b, written.UnixMilli()-n.ReceivedAt.UnixMilli())
}

// unpackNewest decodes the result of packNewest, for a segment with that many entries. It rejects
// anything else. The message has no id yet.
func unpackNewest(b []byte, entries int, written time.Time) (entry int, n feed.Newest, err error) {
	u := unpacker{rest: b}
	entry, n.Shard = int(u.number(feed.MaxSegmentChanges)), int(u.number(chat.MaxShards)) //nolint:gosec // both are bounded
	n.ReceivedAt = u.timeBefore(written)
	if entry >= entries || len(u.rest) > 0 {
		u.fail("newest message of entry %d of %d", entry, entries)
	}
	return entry, n, u.err
}
