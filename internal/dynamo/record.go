package dynamo

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/feedwriter"
	"parley/internal/table"
)

// ReadRecord reads a record of the table's stream. It reports false for one that enters no feed and
// is no row for duties.
func ReadRecord(r events.DynamoDBEventRecord) (rec feedwriter.Record, ok bool) {
	keys, err := items(r.Change.Keys)
	rec = feedwriter.Record{Sequence: r.Change.SequenceNumber, EventID: r.EventID, Generation: feedwriter.GenerationOf(r.EventSourceArn)}
	// Whole seconds, as the service gives them: a stored time must equal the one of a retry.
	rec.Change.Created = r.Change.ApproximateCreationDateTime.UTC().Truncate(time.Second)
	before, errBefore := items(r.Change.OldImage)
	after, errAfter := items(r.Change.NewImage)
	for _, e := range []error{errBefore, errAfter} {
		if err == nil {
			err = e
		}
	}
	var found table.RoomChange
	if err == nil {
		if room, row, isRow, err := table.ParseRow(before, after); isRow {
			rec.Room, rec.Row, rec.Err = room, &row, err
			rec.Change.Key = table.SortKeyOf(keys)
			return rec, true
		}
		found, ok, err = table.ParseChange(before, after)
	}
	if err == nil {
		rec.Room, rec.Change.Change, rec.Change.Item = found.Room, found.Change, found.Item
	} else {
		rec.Room, _ = table.RoomOf(keys)
		rec.Change.Change = feed.Change{Type: feed.UnknownChange, Key: table.SortKeyOf(keys)}
		rec.Err, ok = err, true
	}
	rec.Change.Origin = origin(r)
	return rec, ok
}

// ReadLive adds the personal changes of a record of the table's stream to a batch, and the ban or
// the deletion of a room, and the suspension of a person. An item that cannot be read has none: people see in their lists what they have missed.
func ReadLive(r events.DynamoDBEventRecord, b *feedwriter.Batch) {
	before, errBefore := items(r.Change.OldImage)
	after, errAfter := items(r.Change.NewImage)
	if errBefore != nil || errAfter != nil {
		return
	}
	b.Personal = append(b.Personal, table.ParsePersonal(before, after)...)
	if of, ok := table.ParseBan(after); ok {
		b.Banned = append(b.Banned, of)
	}
	if user, ok := table.ParseSuspension(after); ok {
		b.Suspended = append(b.Suspended, user)
	}
	if room, ok := table.ParseDeletion(after); ok {
		b.Deleted = append(b.Deleted, room)
	}
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

// attribute converts one value. A type that no item of a feed has becomes NULL.
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
	case events.DataTypeNull, events.DataTypeList, events.DataTypeMap, events.DataTypeNumberSet, events.DataTypeBinarySet:
		return &types.AttributeValueMemberNULL{Value: true}, nil
	}
	return nil, fmt.Errorf("type %d is unknown", v.DataType())
}
