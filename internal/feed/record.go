package feed

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// Change is a change to be appended.
type Change struct {
	chat.Change
	// Created is the time of the change by the stream, in whole seconds; zero when it is unknown.
	Created time.Time
	// Item is the changed item as the stream's record holds it. It is not stored in the feed.
	Item chat.ChangedItem
}

// record is a stream record that a feed is to have.
type record struct {
	room       chat.RoomID // empty when it is unknown
	change     Change
	generation string
	sequence   string
	eventID    string
	failure    *Failure // nil for a record that could be read
}

// readRecord reads a stream record. ok is false for one that is of no feed.
func readRecord(r events.DynamoDBEventRecord) (rec record, ok bool) {
	keys, err := items(r.Change.Keys)
	rec = record{sequence: r.Change.SequenceNumber, eventID: r.EventID, generation: generationOf(r.EventSourceArn)}
	// Whole seconds, as the service gives them: a stored time must equal the one of a retry.
	rec.change.Created = r.Change.ApproximateCreationDateTime.UTC().Truncate(time.Second)
	before, errBefore := items(r.Change.OldImage)
	after, errAfter := items(r.Change.NewImage)
	for _, e := range []error{errBefore, errAfter} {
		if err == nil {
			err = e
		}
	}
	var found table.RoomChange
	if err == nil {
		found, ok, err = table.ParseChange(before, after)
	}
	if err == nil {
		rec.room, rec.change.Change, rec.change.Item = found.Room, found.Change, found.Item
	} else {
		rec.room, _ = table.RoomOf(keys)
		rec.change.Change = chat.Change{Type: chat.UnknownChange, Key: table.SortKeyOf(keys)}
		f := rec.failed(err)
		rec.failure, ok = &f, true
	}
	rec.change.Origin = origin(r)
	return rec, ok
}

// failed returns the failure of a record that cannot be entered.
func (r record) failed(err error) Failure {
	return Failure{Room: r.room, Key: r.change.Key, Sequence: r.sequence, EventID: r.eventID, Reason: err.Error()}
}

// origin returns an identity of the record that a retry of it shares. It is made from the item's key
// and the record's number, since numbers are unique only within a shard of the stream.
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

// generationOf returns the label of a stream, which is the time at which it was enabled. A restored
// table has another label, and so has a table whose stream was disabled for a while.
func generationOf(arn string) string {
	_, label, _ := strings.Cut(arn, "/stream/")
	return label
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
			return nil, fmt.Errorf("%w: attribute %s: %w", table.ErrUnreadable, name, err)
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
	case events.DataTypeNull, events.DataTypeList, events.DataTypeMap,
		events.DataTypeStringSet, events.DataTypeNumberSet, events.DataTypeBinarySet:
		return &types.AttributeValueMemberNULL{Value: true}, nil
	}
	return nil, fmt.Errorf("type %d is unknown", v.DataType())
}
