package block

import (
	"context"
	"slices"
	"time"

	"parley/internal/chat"
	"parley/internal/expiring"
)

const (
	// MaxBlocks limits whom one person can block, so that their list is one small item.
	MaxBlocks = 1000
	// CacheAge is how long a process may use the previous list of a person. It delays what one
	// reader sees, and spares most requests of a person who polls a read.
	CacheAge = 5 * time.Second
)

// Store stores whom people have blocked. All methods return a *chat.Error of kind Unavailable if
// the store cannot answer at present.
type Store interface {
	// Blocks returns the people whom a user has blocked, in order. Changes within about the last
	// second may be missing.
	Blocks(ctx context.Context, user chat.UserID) ([]chat.UserID, error)
	// Blockers returns those of some people who have blocked a user, in the same order. The people
	// are all different. Changes within about the last second may be missing.
	Blockers(ctx context.Context, user chat.UserID, among []chat.UserID) ([]chat.UserID, error)
	// Block adds a person to a user's list, unless it has them. If the list has limit people
	// already, it changes nothing and ok is false.
	Block(ctx context.Context, user, blocked chat.UserID, limit int) (ok bool, err error)
	// Unblock removes a person from a user's list, if it has them.
	Unblock(ctx context.Context, user, blocked chat.UserID) error
}

// Service blocks people. It is safe for concurrent use.
type Service struct {
	store Store
	clock func() time.Time
	lists *expiring.Cache[chat.UserID, map[chat.UserID]bool]
}

// NewService returns a service.
func NewService(store Store, clock func() time.Time) *Service {
	return &Service{store: store, clock: clock, lists: expiring.NewCache[chat.UserID, map[chat.UserID]bool](CacheAge, clock)}
}

// Block adds a person to the caller's list. It succeeds if the list has them already, and reveals
// nothing about them. The error is Invalid for the caller, and Conflict if the list is full.
func (s *Service) Block(ctx context.Context, caller, user chat.UserID) error {
	if caller == user {
		return chat.Invalidf("user", "must be another person: you cannot block yourself")
	}
	ok, err := s.store.Block(ctx, caller, user, MaxBlocks)
	s.lists.Delete(caller)
	if err == nil && !ok {
		err = &chat.Error{Kind: chat.Conflict, Detail: "you have blocked as many people as possible; unblock somebody first"}
	}
	return err
}

// Unblock removes a person from the caller's list. It succeeds if the list does not have them.
func (s *Service) Unblock(ctx context.Context, caller, user chat.UserID) error {
	err := s.store.Unblock(ctx, caller, user)
	s.lists.Delete(caller)
	return err
}

// Blocks returns the people whom the caller has blocked, in order.
func (s *Service) Blocks(ctx context.Context, caller chat.UserID) ([]chat.UserID, error) {
	return s.store.Blocks(ctx, caller)
}

// Blocked returns the people whom a user has blocked, as of CacheAge ago or later. The caller must
// not change the map.
func (s *Service) Blocked(ctx context.Context, user chat.UserID) (map[chat.UserID]bool, error) {
	if blocked, ok := s.lists.Get(user); ok {
		return blocked, nil
	}
	asOf := s.clock()
	users, err := s.store.Blocks(ctx, user)
	if err != nil {
		return nil, err
	}
	blocked := setOf(users)
	s.lists.Put(user, blocked, asOf)
	return blocked, nil
}

// Blockers returns those of some people who have blocked a user. It reads the list of each person
// but the user, in one call for every 100, and keeps none: lists may be long.
func (s *Service) Blockers(ctx context.Context, user chat.UserID, among []chat.UserID) (map[chat.UserID]bool, error) {
	others := slices.Clone(among)
	slices.Sort(others)
	others = slices.DeleteFunc(slices.Compact(others), func(u chat.UserID) bool { return u == user })
	if len(others) == 0 {
		return nil, nil
	}
	blockers, err := s.store.Blockers(ctx, user, others)
	return setOf(blockers), err
}

func setOf(users []chat.UserID) map[chat.UserID]bool {
	set := make(map[chat.UserID]bool, len(users))
	for _, u := range users {
		set[u] = true
	}
	return set
}
