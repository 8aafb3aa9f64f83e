package dynamo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/table"
)

// LiveStore implements live.Store on the third table.
type LiveStore struct{ table *Table }

var _ live.Store = (*LiveStore)(nil)

// NewLive returns a LiveStore on a table that exists. It does not use a clock.
func NewLive(db *dynamodb.Client, o Options) *LiveStore {
	return &LiveStore{table: NewTable(db, o.Table, o.Observe)}
}

// CreateLiveTable creates the table of live connections on a local engine, as the stack does in an
// account. It does not change an existing table.
func CreateLiveTable(ctx context.Context, db *dynamodb.Client, name string) error {
	_, err := db.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            &name,
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{text(table.PK), text(table.SK)},
		KeySchema:            keys(table.PK, table.SK),
	})
	var exists *types.ResourceInUseException
	if errors.As(err, &exists) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	return enableTTL(ctx, db, name, table.TTL)
}

// enableTTL makes a table remove items some time after the Unix time in an attribute.
func enableTTL(ctx context.Context, db *dynamodb.Client, name, attribute string) error {
	_, err := db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               &name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: &attribute, Enabled: aws.Bool(true)},
	})
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	return nil
}

// AddRooms is one update: 1 write unit, and 2 from about 30 private rooms on. If there may be too
// many rooms, the update is repeated for the missing ones.
func (s *LiveStore) AddRooms(ctx context.Context, c live.Connection, rooms []chat.RoomID, now time.Time) (bool, error) {
	const op = "add rooms to connection"
	missing := rooms
	for range chat.MaxChangeTries {
		before, failed, err := s.table.replaceItem(ctx, op, table.LiveConnectionKey(c), table.LiveRoomsAdded(c, missing, now, live.MaxRooms))
		if err != nil || !failed {
			return err == nil && table.KindOf(before) == "", err // an engine may return the keys of a new item
		}
		o, err := table.ParseLiveConnection(before)
		if err != nil {
			return false, translate(op, err)
		}
		missing = slices.DeleteFunc(slices.Clone(rooms), func(room chat.RoomID) bool { return slices.Contains(o.Rooms, room) })
		if len(o.Rooms)+len(missing) > live.MaxRooms {
			return false, live.TooManyRooms()
		}
	}
	return false, chat.TooBusy()
}

// RemoveRooms is one update: 1 write unit, and 2 from about 30 private rooms on.
func (s *LiveStore) RemoveRooms(ctx context.Context, c live.Connection, rooms []chat.RoomID) error {
	if len(rooms) == 0 {
		return nil
	}
	_, _, err := s.table.UpdateItem(ctx, "remove rooms from connection", table.LiveConnectionKey(c), table.LiveRoomsRemoved(rooms))
	return err
}

// SeeConnection is one update: 1 write unit, and 2 from about 30 private rooms on.
func (s *LiveStore) SeeConnection(ctx context.Context, c live.Connection, now time.Time) (live.Opened, bool, error) {
	o, found, err := s.see(ctx, c, table.LiveSeen(now))
	o.Seen = now
	return o, found, err
}

// RenewConnection is one update, like SeeConnection.
func (s *LiveStore) RenewConnection(ctx context.Context, c live.Connection, now time.Time) (live.Opened, bool, error) {
	o, found, err := s.see(ctx, c, table.LiveRenewed(c.Until, now))
	o.Seen, o.Until = now, c.Until
	return o, found, err
}

// see changes a stored connection and returns it as it was before.
func (s *LiveStore) see(ctx context.Context, c live.Connection, u table.Update) (live.Opened, bool, error) {
	const op = "see connection"
	before, failed, err := s.table.replaceItem(ctx, op, table.LiveConnectionKey(c), u)
	if err != nil || failed {
		return live.Opened{}, false, err
	}
	o, err := table.ParseLiveConnection(before)
	return o, err == nil, translate(op, err)
}

// ConnectionEnds is one strong batch read for every 100 connections: 1 read unit for each.
func (s *LiveStore) ConnectionEnds(ctx context.Context, all []live.Connection) (map[live.ConnectionID]time.Time, error) {
	const op = "read ends of connections"
	keys := make([]table.Item, len(all))
	for i, c := range all {
		keys[i] = table.LiveConnectionKey(c)
	}
	items, err := s.table.BatchGet(ctx, op, keys, Strong)
	if err != nil {
		return nil, err
	}
	ends := make(map[live.ConnectionID]time.Time, len(items))
	for _, item := range items {
		if table.KindOf(item) == "" {
			continue
		}
		id, end, err := table.ParseLiveEnd(item)
		if err != nil {
			return nil, translate(op, err)
		}
		ends[id] = end
	}
	return ends, nil
}

// DeleteConnection is one delete: 1 write unit, and 2 from about 30 private rooms on.
func (s *LiveStore) DeleteConnection(ctx context.Context, c live.Connection) (live.Opened, bool, error) {
	const op = "delete connection"
	before, _, err := s.table.deleteItem(ctx, op, table.LiveConnectionKey(c), table.Update{})
	return parseItem(op, before, err, table.ParseLiveConnection)
}

// PutGone is one put: 1 write unit.
func (s *LiveStore) PutGone(ctx context.Context, id live.ConnectionID, now time.Time) error {
	_, err := s.table.PutItem(ctx, "record end of connection", table.LiveGoneItem(id, now), table.Update{})
	return err
}

// IsGone is one strong batch read: 1 read unit.
func (s *LiveStore) IsGone(ctx context.Context, id live.ConnectionID) (bool, error) {
	items, err := s.table.BatchGet(ctx, "read end of connection", []table.Item{table.LiveGoneKey(id)}, Strong)
	return err == nil && items[0] != nil, err
}

// Connections is one strong query: 1 read unit for every 4 KB of the person's connections.
func (s *LiveStore) Connections(ctx context.Context, user chat.UserID) ([]live.Opened, error) {
	q := Query{Operation: "list connections", Partition: table.LiveUserPK(user), Consistency: Strong}
	return queryAll(ctx, s.table, q, table.ParseLiveConnection)
}
