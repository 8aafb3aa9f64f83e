// Package block stores whom people have blocked. A block takes effect when its owner reads, so the
// blocked person cannot notice it. To the blocked person, its owner seems offline.
package block

import (
	"context"
	"fmt"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/expiring"
	"example.com/parley/internal/table"
)

const (
	// MaxBlocks limits how many people one person can block, so that their list is one small item.
	MaxBlocks = 1000
	// CacheAge is how long a process may use a person's previous list. It delays changes for one
	// reader, and saves a read in most requests of a person who polls.
	CacheAge = 5 * time.Second
)

// Service blocks people. It is safe for concurrent use.
type Service struct {
	table *dynamo.Table
	clock func() time.Time
	lists *expiring.Cache[chat.UserID, map[chat.UserID]bool]
}

// NewService returns a Service.
func NewService(t *dynamo.Table, clock func() time.Time) *Service {
	return &Service{
		table: t, clock: clock, lists: expiring.NewCache[chat.UserID, map[chat.UserID]bool](CacheAge, clock),
	}
}

// Block adds a person to the caller's list. It succeeds if the list already contains them, and
// reveals nothing about them. The error is Invalid for the caller, and Conflict if the list is
// full.
func (s *Service) Block(ctx context.Context, caller, user chat.UserID) error {
	if caller == user {
		return chat.Invalidf("user", "must be another person: you cannot block yourself")
	}
	ok, err := s.add(ctx, caller, user, MaxBlocks)
	s.lists.Delete(caller)
	if err == nil && !ok {
		err = chat.Conflictf("you have blocked as many people as possible; unblock somebody first")
	}
	return err
}

// add adds a person to a user's list, unless it contains them. If the list already has limit
// people, it changes nothing and ok is false. It is one conditional update: 1 write unit for each
// KB of the list.
func (s *Service) add(ctx context.Context, user, blocked chat.UserID, limit int) (ok bool, err error) {
	_, failed, err := s.table.UpdateItem(ctx, "block", table.BlocksKey(user), Addition(blocked, limit))
	return err == nil && !failed, err
}

// Unblock removes a person from the caller's list. It succeeds if the list does not contain them.
// It is one conditional update: 1 write unit for each KB of the list.
func (s *Service) Unblock(ctx context.Context, caller, user chat.UserID) error {
	_, _, err := s.table.UpdateItem(ctx, "unblock", table.BlocksKey(caller), removal(user))
	s.lists.Delete(caller)
	return err
}

// Blocks returns the people whom the caller has blocked, in order. Changes from about the last
// second may be missing. It is one eventual read: half a read unit for every 4 KB.
func (s *Service) Blocks(ctx context.Context, caller chat.UserID) ([]chat.UserID, error) {
	users, _, err := dynamo.ReadEventual(ctx, s.table, "read blocks", table.BlocksKey(caller), Parse)
	return users, err
}

// Blocked returns the people whom a user has blocked, as of CacheAge ago or later. The caller must
// not change the map.
func (s *Service) Blocked(ctx context.Context, user chat.UserID) (map[chat.UserID]bool, error) {
	if blocked, ok := s.lists.Get(user); ok {
		return blocked, nil
	}
	asOf := s.clock()
	users, err := s.Blocks(ctx, user)
	if err != nil {
		return nil, err
	}
	blocked := setOf(users)
	s.lists.Put(user, blocked, asOf)
	return blocked, nil
}

// Blockers returns the given people who have blocked a user. Changes from about the last second
// may be missing. It reads the list of each person except the user, and does not cache them,
// because lists may be long. It is one eventual batch read for every 100 people: half a read unit
// for every 4 KB of each list, and for each person without one.
func (s *Service) Blockers(ctx context.Context, user chat.UserID, among []chat.UserID) (map[chat.UserID]bool, error) {
	const op = "read blockers"
	others := slices.Clone(among)
	slices.Sort(others)
	others = slices.DeleteFunc(slices.Compact(others), func(u chat.UserID) bool { return u == user })
	if len(others) == 0 {
		return nil, nil
	}
	keys := make([]table.Item, len(others))
	for i, other := range others {
		keys[i] = table.BlocksKey(other)
	}
	items, err := s.table.BatchGet(ctx, op, keys, dynamo.Eventual)
	if err != nil {
		return nil, err
	}
	blockers := map[chat.UserID]bool{}
	for i, item := range items {
		if item == nil {
			continue
		}
		users, err := Parse(item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		if slices.Contains(users, user) {
			blockers[others[i]] = true
		}
	}
	return blockers, nil
}

func setOf(users []chat.UserID) map[chat.UserID]bool {
	set := make(map[chat.UserID]bool, len(users))
	for _, u := range users {
		set[u] = true
	}
	return set
}

// Addition adds a person to a list that has fewer than limit people or already contains the
// person.
func Addition(user chat.UserID, limit int) table.Update {
	return table.Update{
		Expression: "ADD #users :set",
		Condition:  "attribute_not_exists(#users) OR size(#users) < :limit OR contains(#users, :user)",
		Names:      map[string]string{"#users": table.AttrUsers},
		Values: table.Item{
			":limit": table.Number(int64(limit)),
			":user":  table.Text(string(user)), ":set": table.Set([]chat.UserID{user}),
		},
	}.Stamped(table.BlocksKind)
}

// removal removes a person from a list that contains them.
func removal(user chat.UserID) table.Update {
	return table.Update{
		Expression: "DELETE #users :set",
		Condition:  "contains(#users, :user)",
		Names:      map[string]string{"#users": table.AttrUsers},
		Values:     table.Item{":user": table.Text(string(user)), ":set": table.Set([]chat.UserID{user})},
	}
}

// Parse reads a list, in order. An empty list has no attribute, because DynamoDB has no empty
// sets.
func Parse(item table.Item) ([]chat.UserID, error) {
	r := table.Reader{Item: item}
	r.Expect(table.BlocksKind)
	users := r.OptionalUsers(table.AttrUsers)
	if r.Err != nil {
		return nil, fmt.Errorf("blocks: %w", r.Err)
	}
	return users, nil
}
