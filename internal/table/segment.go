package table

import (
	"encoding/binary"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// TTL is the attribute by which DynamoDB removes expired items, in whole seconds. Only feed
// segments have it.
const TTL = "expires"

const (
	feedPrefix = "feed#"
	readPrefix = "read#"
	// seqDigits is the width of a sequence number in a key, so text order is number order.
	seqDigits = 19
	skHead    = "head"

	attrGeneration  = "gen"
	attrChanges     = "changes"
	attrMerged      = "merged"
	attrWritten     = "at"
	attrSettled     = "settled"
	attrCreatedFrom = "from"
	attrCreatedTo   = "to"
	attrReceived    = "r"

	attrClosed = "closed"
)

// AttrSeq is the number of a change in a room, in the head of its feed and in people's markers.
const AttrSeq = "seq"

// AttrCount is the number of messages up to AttrSeq.
const AttrCount = "count"

// FeedPK returns the partition key of a room's feed.
func FeedPK(room chat.RoomID) string { return feedPrefix + string(room) }

// FeedSK returns the sort key of the segment that begins with a sequence number.
func FeedSK(first int64) string { return fmt.Sprintf("%0*d", seqDigits, first) }

// SegmentKey returns the primary key of a segment.
func SegmentKey(room chat.RoomID, first int64) Item { return Key(FeedPK(room), FeedSK(first)) }

// ParseSegmentKey reads the primary key of a segment: its room, and the number of its first change.
func ParseSegmentKey(item Item) (chat.RoomID, int64, error) {
	room, err := chat.ParseRoomID(strings.TrimPrefix(KeyPart(item, PK), feedPrefix))
	if err != nil {
		return "", 0, err
	}
	first, err := parseFeedSK(KeyPart(item, SK))
	return room, first, err
}

// Segments writes and reads segments with changes of the types in a table.
type Segments struct{ Types feed.ChangeTable }

// SegmentItem writes a segment of changes that this version knows.
func SegmentItem(s feed.Segment) Item { return Segments{feed.KnownChanges()}.Item(s) }

// ParseSegment reads a segment as this version does.
func ParseSegment(item Item) (feed.Segment, error) { return Segments{feed.KnownChanges()}.Parse(item) }

// Item writes a segment.
func (c Segments) Item(s feed.Segment) Item {
	item := SegmentKey(s.Room, s.First)
	Stamp(item, FeedKind)
	item[attrGeneration], item[AttrCount] = Text(s.Generation), Number(s.Count)
	item[attrWritten], item[attrSettled] = Number(s.WrittenAt.UnixMilli()), Number(s.Settled)
	item[attrCreatedFrom], item[attrCreatedTo] = Number(s.CreatedFrom.UnixMilli()), Number(s.CreatedTo.UnixMilli())
	if !s.ReceivedFrom.IsZero() {
		item[attrReceived] = &types.AttributeValueMemberB{Value: packReceived(s)}
	}
	item[attrChanges] = &types.AttributeValueMemberB{Value: packer{c.Types}.pack(s.Changes)}
	if len(s.Merged) > 0 {
		item[attrMerged] = &types.AttributeValueMemberB{Value: packMerged(s.Merged)}
	}
	maps.Copy(item, newestOf(s))
	if !s.Expires.IsZero() {
		item[TTL] = Number(s.Expires.Unix())
	}
	return item
}

// Parse reads an item that Item wrote, with this change table or another one. It keeps changes of
// types that the table lacks as stored bytes.
func (c Segments) Parse(item Item) (feed.Segment, error) {
	r := Reader{Item: item}
	r.Expect(FeedKind)
	room, first, err := ParseSegmentKey(item)
	r.Keep(err)
	s := feed.Segment{
		Room: room, First: first, Generation: r.Text(attrGeneration), Count: r.Number(AttrCount),
		WrittenAt: r.OptionalTime(attrWritten), Settled: r.Number(attrSettled),
		CreatedFrom: r.OptionalTime(attrCreatedFrom), CreatedTo: r.OptionalTime(attrCreatedTo),
	}
	if seconds := r.OptionalNumber(TTL); seconds != 0 {
		s.Expires = time.Unix(seconds, 0).UTC()
	}
	s.ReceivedFrom, s.ReceivedTo = r.received(s.WrittenAt)
	s.Changes, err = packer{c.Types}.unpack(r.Bytes(attrChanges))
	r.Keep(err)
	s.Merged, err = unpackMerged(r.OptionalBytes(attrMerged), len(s.Changes))
	r.Keep(err)
	s.Newest = r.newestIn(s)
	if r.Err != nil {
		return feed.Segment{}, fmt.Errorf("feed segment: %w: %w", chat.ErrUnreadable, r.Err)
	}
	return s, nil
}

// packReceived encodes the times at which the first and the last message of a segment were
// received: how many milliseconds before the segment, as varints with a sign.
func packReceived(s feed.Segment) []byte {
	b := binary.AppendVarint(nil, s.WrittenAt.UnixMilli()-s.ReceivedFrom.UnixMilli())
	return binary.AppendVarint(b, s.WrittenAt.UnixMilli()-s.ReceivedTo.UnixMilli())
}

// received reads the times that packReceived encoded, for a segment that was written at a time.
func (r *Reader) received(written time.Time) (from, to time.Time) {
	b := r.OptionalBytes(attrReceived)
	if b == nil {
		return from, to
	}
	u := unpacker{rest: b}
	from, to = u.timeBefore(written), u.timeBefore(written)
	if len(u.rest) > 0 || to.Before(from) {
		u.fail("times of messages")
	}
	r.Keep(u.err)
	return from, to
}

func parseFeedSK(sk string) (int64, error) {
	n, err := strconv.ParseInt(sk, 10, 64)
	if err != nil || n < 1 || FeedSK(n) != sk {
		return 0, fmt.Errorf("%w: feed key %q", errKey, sk)
	}
	return n, nil
}

// FeedHeadKey returns the primary key of the head of a room's feed. It sorts after all segments.
func FeedHeadKey(room chat.RoomID) Item { return Key(FeedPK(room), skHead) }

// FeedHeadUpdate moves the head of a feed forward unless it is closed, or creates the head.
func FeedHeadUpdate(h feed.Head) Update {
	u := Update{
		Expression: "SET #seq = :seq, #count = :count, #gen = :gen, #at = :at, #settled = :settled",
		Condition:  "attribute_not_exists(PK) OR #seq < :seq AND attribute_not_exists(#closed)",
		Names: map[string]string{
			"#seq": AttrSeq, "#count": AttrCount, "#gen": attrGeneration, "#at": attrWritten, "#settled": attrSettled,
			"#closed": attrClosed,
		},
		Values: Item{
			":seq": Number(h.Last), ":count": Number(h.Count), ":gen": Text(h.Generation),
			":at":      Number(h.WrittenAt.UnixMilli()),
			":settled": Number(h.Settled),
		},
	}.Stamped(FeedHeadKind)
	attributes := newestAttributes(h.Newest)
	var unknown []string
	for _, name := range []string{attrNewest, attrNewestAt, attrNewestShard, attrNewestGap} {
		u.Names["#"+name] = name
		if attributes[name] == nil {
			unknown = append(unknown, "#"+name)
			continue
		}
		u.Expression += fmt.Sprintf(", #%s = :%s", name, name)
		u.Values[":"+name] = attributes[name]
	}
	if len(unknown) > 0 {
		u.Expression += " REMOVE " + strings.Join(unknown, ", ")
	}
	return u
}

// ParseFeedHead reads an item that FeedHeadUpdate wrote.
func ParseFeedHead(item Item) (feed.Head, error) {
	r := Reader{Item: item}
	r.Expect(FeedHeadKind)
	room, err := chat.ParseRoomID(strings.TrimPrefix(r.Text(PK), feedPrefix))
	r.Keep(err)
	h := feed.Head{
		Room: room, Last: r.Number(AttrSeq), Count: r.Number(AttrCount), Generation: r.Text(attrGeneration),
		WrittenAt: r.OptionalTime(attrWritten), Settled: r.Number(attrSettled), Closed: item[attrClosed] != nil,
		Newest: r.newest(),
	}
	if r.Err != nil {
		return feed.Head{}, fmt.Errorf("feed head: %w: %w", chat.ErrUnreadable, r.Err)
	}
	return h, nil
}
