package account

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/expiring"
)

// CacheAge is how long a process may use the account that it has read. Including the second by
// which an eventual read may lag, a suspension takes effect on reads within five seconds.
const CacheAge = 4 * time.Second

// Subscriptions ends the live delivery of rooms to people.
type Subscriptions interface {
	// RemovePerson ends all subscriptions of a suspended person. Changes after the call are not
	// delivered to them.
	RemovePerson(ctx context.Context, user chat.UserID) error
}

// Service reads and suspends accounts. It is safe for concurrent use.
type Service struct {
	store  Store
	audit  Auditor
	live   Subscriptions
	clock  func() time.Time
	recent *expiring.Cache[chat.UserID, Account]
}

// Options are the settings of a Service. Table and Clock are required.
type Options struct {
	Table *dynamo.Table
	Clock func() time.Time
	// Audit and Live are required to suspend people.
	Audit Auditor
	Live  Subscriptions
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		store: NewStore(o.Table), audit: o.Audit, live: o.Live, clock: o.Clock,
		recent: expiring.NewCache[chat.UserID, Account](CacheAge, o.Clock),
	}
}

// Check returns the account of a caller, and a Suspended error if they are suspended. It reads the
// account, so call it concurrently with other reads where possible.
func (s *Service) Check(ctx context.Context, caller chat.UserID) (Account, error) {
	a, err := s.read(ctx, caller)
	if err != nil {
		return Account{}, err
	}
	return a, a.Check()
}

// CheckCurrent is Check by a consistent read: it notices every suspension that was stored before.
func (s *Service) CheckCurrent(ctx context.Context, caller chat.UserID) error {
	a, err := s.store.CurrentAccount(ctx, caller)
	if err != nil {
		return err
	}
	return a.Check()
}

// CheckRecent is Check, but the account may be up to CacheAge old, which saves a read.
func (s *Service) CheckRecent(ctx context.Context, caller chat.UserID) (Account, error) {
	if a, ok := s.recent.Get(caller); ok {
		return a, a.Check()
	}
	return s.Check(ctx, caller)
}

// read reads an account, and caches it for CheckRecent.
func (s *Service) read(ctx context.Context, user chat.UserID) (Account, error) {
	asOf := s.clock()
	a, err := s.store.Account(ctx, user)
	if err == nil {
		s.recent.Put(user, a, asOf)
	}
	return a, err
}
