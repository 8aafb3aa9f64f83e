package chat

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/expiring"
	"example.com/parley/internal/tokenbucket"
)

// Service applies the rules of the domain to a store. The argument caller of its methods is the
// authenticated user on whose behalf they act. They return an *Error for everything that a caller
// can act on. Each method may return Unavailable in addition to the errors that it names.
//
// app.New creates one for each process, with the services of the capabilities, which call it to
// authorize and to read rooms. The HTTP API calls all of them. A Service lives as long as its
// process: in Lambda, from a cold start until the environment is removed. All state is in the
// store. The process remembers only public rooms, for RoomCacheAge, and how much each person has
// sent lately, so losing it loses nothing. A Service starts no goroutine and needs no end. It is
// safe for concurrent use.
type Service struct {
	store          Store
	audit          Auditor
	names          Names
	slowMode       *SlowMode
	feed           FeedPositions
	shards         RoomShards
	uploads        Uploads
	clock          func() time.Time
	random         io.Reader
	recent         *expiring.Cache[RoomID, Room] // public rooms
	buckets        *tokenbucket.Buckets[UserID]
	mayCreateRooms func(UserID) bool
}

// Options are the settings of a Service. SendRate, SendBurst and MayCreateRooms are optional.
type Options struct {
	Store    Store
	Audit    Auditor
	Names    Names
	SlowMode *SlowMode
	Feed     FeedPositions
	// Shards changes the shards of rooms. If it is nil, a draft must not set them.
	Shards RoomShards
	// Uploads finds the attachments of drafts. If it is nil, a draft must have none.
	Uploads Uploads
	Clock   func() time.Time
	// Random must be unpredictable and safe for concurrent use, because ids and keys are derived
	// from it.
	Random io.Reader
	// SendRate and SendBurst limit the messages of one person through this process: SendRate per
	// second, and SendBurst in a burst. Zero selects the default.
	SendRate, SendBurst int
	// MayCreateRooms reports whether a user may create rooms; nil allows everyone.
	MayCreateRooms func(UserID) bool
}

// NewService returns a Service.
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
		store: o.Store, audit: o.Audit, names: o.Names, slowMode: o.SlowMode, feed: o.Feed, shards: o.Shards,
		uploads: o.Uploads, clock: o.Clock, random: o.Random, mayCreateRooms: o.MayCreateRooms,
		recent:  expiring.NewCache[RoomID, Room](RoomCacheAge, o.Clock),
		buckets: tokenbucket.New[UserID](o.SendRate, o.SendBurst, o.Clock),
	}
}

// TakeTokens consumes tokens of the caller's budget for messages, edits and events, and returns 0.
// The budget may become negative. If it holds less than one token, TakeTokens consumes nothing and
// returns how long to wait for one. Services that act as themselves have no such budget, because a
// process may not hold back what their limits allow.
func (s *Service) TakeTokens(ctx context.Context, caller UserID, tokens int) (wait time.Duration) {
	if IsService(ctx, caller) {
		return 0
	}
	return s.buckets.Take(caller, tokens)
}

// now returns the current time with the precision of messages.
func (s *Service) now() time.Time { return ServerTime(s.clock()) }

// ServerTime returns an instant with the precision of messages and other records: in UTC, to the
// millisecond.
func ServerTime(at time.Time) time.Time { return at.UTC().Truncate(time.Millisecond) }

func (s *Service) newUUID(at time.Time) (uuid.UUID, error) {
	var tail [10]byte
	if _, err := io.ReadFull(s.random, tail[:]); err != nil {
		return uuid.UUID{}, fmt.Errorf("create a message id: %w", err)
	}
	return NewUUID(at, tail), nil
}
