package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/direct"
	"example.com/parley/internal/table"
)

// DirectRoom is one strong read: 1 read unit.
func (s *Store) DirectRoom(ctx context.Context, people []chat.UserID) (direct.Record, bool, error) {
	return ReadStrong(ctx, s.table, "read direct room", table.DirectKey(people), table.ParseDirect)
}

// CreateDirectRoom puts the record, the room's three items and two for each person in one
// transaction: 18 write units for two people, and 5 for each further person. It also reports false
// if another transaction on the record interfered.
func (s *Store) CreateDirectRoom(ctx context.Context, room chat.Room, members []chat.Membership) (bool, error) {
	writes := []Write{s.table.PutNew(table.DirectItem(room))}
	return s.table.transactIf(
		ctx, "create direct room", firstContended, append(writes, s.newRoom(room, members...)...)...,
	)
}

// RejoinDirectRoom is one transaction: 2 write units, and 5 for each person.
func (s *Store) RejoinDirectRoom(ctx context.Context, before direct.Record, back []direct.Return) (bool, error) {
	writes := []Write{s.table.Update(table.DirectKey(before.Room.Direct), table.DirectReturned(before))}
	for _, c := range back {
		writes = append(
			writes, s.table.Put(table.RoleItem(c.After), table.RoleCondition(c.Before)),
			s.table.PutAny(table.MemberItem(c.After)),
		)
	}
	return s.table.transactIf(ctx, "rejoin direct room", anyConditionFailed, writes...)
}

// firstContended reports whether a transaction was cancelled because of its first item: the
// condition did not hold, or every attempt gave way to another transaction.
func firstContended(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) == 0 {
		return false
	}
	code := aws.ToString(cancelled.CancellationReasons[0].Code)
	return code == ConditionFailed || code == "TransactionConflict"
}
