package stream

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// Read reads a record of the table's stream. An unreadable record is an unknown change, or a row,
// of the room that its keys name.
func Read(r events.DynamoDBEventRecord) Record {
	keys, err := items(r.Change.Keys)
	before, errBefore := items(r.Change.OldImage)
	after, errAfter := items(r.Change.NewImage)
	var c ItemChange
	if err = cmp.Or(err, errBefore, errAfter); err == nil {
		c, err = ParseChange(before, after)
	}
	rec := Record{
		Sequence: r.Change.SequenceNumber, EventID: r.EventID, Generation: GenerationOf(r.EventSourceArn), Err: err,
		Room: c.Room, InFeed: c.InFeed, Change: feed.StreamChange{Change: c.Change, Item: c.Item}, Row: c.Row,
		Join: c.Join, Personal: c.Personal, Deleted: c.Deleted, Banned: c.Banned, Suspended: c.Suspended,
		Erasure: c.Erasure,
	}
	switch {
	case c.Row != nil:
		rec.Change.Key = table.SortKeyOf(keys)
	case err != nil:
		rec.Room, _ = table.RoomOf(keys)
		rec.InFeed, rec.Change.Change = true, feed.Change{Type: feed.UnknownChange, Key: table.SortKeyOf(keys)}
	}
	// Whole seconds, as the service gives them: a stored time must equal a retry's time.
	rec.Change.Created = r.Change.ApproximateCreationDateTime.UTC().Truncate(time.Second)
	rec.Change.Origin = origin(r)
	if rec.Join != nil {
		rec.Join.At = rec.Change.Created
	}
	return rec
}

// origin returns an identity of the record that a retry of it shares. It is made from the item's
// key and the record's number, since numbers are unique only within a shard of the stream.
func origin(r events.DynamoDBEventRecord) uint64 {
	pk, sk := r.Change.Keys[table.PK], r.Change.Keys[table.SK]
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s", textOf(pk), textOf(sk), r.Change.SequenceNumber))
	return binary.BigEndian.Uint64(sum[:])
}

func textOf(v events.DynamoDBAttributeValue) string {
	if v.DataType() != events.DataTypeString {
		return ""
	}
	return v.String()
}

// items converts an image of an event into an item of the SDK. An empty image is nil.
func items(image map[string]events.DynamoDBAttributeValue) (table.Item, error) {
	if len(image) == 0 {
		return nil, nil
	}
	item := make(table.Item, len(image))
	for name, v := range image {
		value, err := attribute(v)
		if err != nil {
			return nil, fmt.Errorf("%w: attribute %s: %w", chat.ErrUnreadable, name, err)
		}
		item[name] = value
	}
	return item, nil
}

// attribute converts one value. A type that no feed item has becomes NULL.
func attribute(v events.DynamoDBAttributeValue) (types.AttributeValue, error) {
	switch v.DataType() {
	case events.DataTypeString:
		return &types.AttributeValueMemberS{Value: v.String()}, nil
	case events.DataTypeNumber:
		return &types.AttributeValueMemberN{Value: v.Number()}, nil
	case events.DataTypeBinary:
		return &types.AttributeValueMemberB{Value: v.Binary()}, nil
	case events.DataTypeBoolean:
		return &types.AttributeValueMemberBOOL{Value: v.Boolean()}, nil
	case events.DataTypeStringSet:
		return &types.AttributeValueMemberSS{Value: v.StringSet()}, nil
	case events.DataTypeNull, events.DataTypeList, events.DataTypeMap, events.DataTypeNumberSet,
		events.DataTypeBinarySet:
		return &types.AttributeValueMemberNULL{Value: true}, nil
	}
	return nil, fmt.Errorf("type %d is unknown", v.DataType())
}
