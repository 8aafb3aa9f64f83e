package stream

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// Read reads a record of the table's stream. An unreadable record is an unknown change, or a row,
// of the room that its keys name.
func Read(r events.DynamoDBEventRecord) Record {
	keys, err := Image(r.Change.Keys)
	before, errBefore := Image(r.Change.OldImage)
	after, errAfter := Image(r.Change.NewImage)
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

// Image converts an image of an event into an item of the SDK. An empty image is nil.
func Image(image map[string]events.DynamoDBAttributeValue) (table.Item, error) {
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

// Record is the meaning of a record of the table's stream.
type Record struct {
	Room       chat.RoomID // the room of Change and Row; empty if unknown
	Change     feed.StreamChange
	InFeed     bool   // Change enters the feed of the room
	Generation string // of the stream, in the form of GenerationOf
	Sequence   string // the record's sequence number in the stream
	EventID    string
	// Row is set for a row that enters no feed, and is only for projections. Change then has no
	// type.
	Row  *feed.RowChange
	Join *feed.Join // set for a membership that a system message reports
	// Err is why the record could not be read. Change is then an UnknownChange, unless Row is
	// set.
	Err error
	// Personal are changes for the connections of individual people.
	Personal []feed.PersonalChange
	// Deleted is the room that was deleted, Banned the person banned from a room, and Suspended a
	// person who was or still is suspended. They are zero for other records.
	Deleted   chat.RoomID
	Banned    chat.MemberOf
	Suspended chat.UserID
	// Erasure is the step of a person's erasure to make now; zero for other records.
	Erasure account.ErasureStep
}

// addTo adds to a batch everything of a record for consumers except its feed entry.
func (r Record) addTo(b *feed.Batch) {
	b.Personal = append(b.Personal, r.Personal...)
	if r.Deleted != "" {
		b.Deleted = append(b.Deleted, r.Deleted)
	}
	if r.Banned != (chat.MemberOf{}) {
		b.Banned = append(b.Banned, r.Banned)
	}
	if r.Suspended != "" {
		b.Suspended = append(b.Suspended, r.Suspended)
	}
}

// failed returns the failure of a record that cannot be read or appended.
func (r Record) failed(err error) Failure {
	return Failure{Room: r.Room, Key: r.Change.Key, Sequence: r.Sequence, EventID: r.EventID, Reason: err.Error()}
}

// GenerationOf returns the label in a stream's ARN, which is the time at which the stream was
// enabled. A restored table has another label, as does a table whose stream was disabled and
// enabled again. A later label sorts after an earlier one.
func GenerationOf(arn string) string {
	_, label, _ := strings.Cut(arn, "/stream/")
	return label
}
