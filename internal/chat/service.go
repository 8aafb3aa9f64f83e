package chat

import (
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"
)

// Service applies the rules of the domain on a store. Its methods take
// the caller first: the user on whose behalf they act, already
// authenticated. They return *Error for everything a caller can do something
// about. A Service is safe for concurrent use.
type Service struct {
	store          Store
	audit          Auditor
	names          Names
	feed           FeedPositions
	clock          func() time.Time
	random         io.Reader
	rooms          *roomCache
	buckets        *buckets
	mayCreateRooms func(UserID) bool
}

// Options are the settings of a Service. SendRate, SendBurst and Makers are optional.
type Options struct {
	Store Store
	Audit Auditor
	Names Names
	Feed  FeedPositions
	Clock func() time.Time
	// Random must be safe for concurrent use and unpredictable: ids and
	// keys come from it.
	Random io.Reader
	// SendRate and SendBurst bound what one person sends through this
	// process: so many a second, so many at once. Zero is the default.
	SendRate, SendBurst int
	// MayCreateRooms says who may make rooms; nil is everyone.
	MayCreateRooms func(UserID) bool
}

// NewService makes a service.
func NewService(o Options) *Service {
	if o.SendRate == 0 {
		o.SendRate = DefaultSendRate
	}
	if o.SendBurst == 0 {
		o.SendBurst = DefaultSendBurst
	}
	if o.MayCreateRooms == nil {
		o.MayCreateRooms = func(UserID) bool { return true }
	}
	return &Service{
		store: o.Store, audit: o.Audit, names: o.Names, feed: o.Feed, clock: o.Clock, random: o.Random, mayCreateRooms: o.MayCreateRooms,
		rooms: newRoomCache(o.Clock), buckets: newBuckets(o.SendRate, o.SendBurst, o.Clock),
	}
}

// TakeTokens takes tokens from the caller's budget of messages, edits and events, and returns how long to
// wait when it is used up.
func (s *Service) TakeTokens(caller UserID, tokens int) (wait time.Duration) {
	return s.buckets.take(caller, tokens)
}

// now is the server's time as messages carry it.
func (s *Service) now() time.Time { return ServerTime(s.clock()) }

// ServerTime returns an instant as messages and other records carry it: in UTC, to the millisecond.
func ServerTime(at time.Time) time.Time { return at.UTC().Truncate(time.Millisecond) }

func (s *Service) newUUID(at time.Time) (uuid.UUID, error) {
	var tail [10]byte
	if _, err := io.ReadFull(s.random, tail[:]); err != nil {
		return uuid.UUID{}, fmt.Errorf("make a message id: %w", err)
	}
	return NewUUID(at, tail), nil
}
