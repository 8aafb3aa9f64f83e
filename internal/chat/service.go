// Package chat is the core of the domain: rooms, members and messages. It holds their rules, the
// service that applies them, and the contract that a store implements.
//
// The package does not depend on AWS, HTTP or JSON. Time and randomness are arguments. The user on
// whose behalf a method acts is always an explicit argument, named caller.
//
// Memberships, people, documents, activity logs and the feed are separate packages that import
// this one. Package chat reaches them through the interfaces Auditor, Names and FeedPositions.
// They use Authorizer to reach it.
//
// Lists are read in pages. A PageRequest holds the cursor of the previous page. A cursor encodes a
// CursorPosition, and is valid only within the CursorScope of its query. A FeedPosition is encoded
// in the same way, but clients store it for months.
//
// Besides Service, the package has small types that each use a store. Directory lists public
// rooms, Quotes reads quoted messages, SlowMode spaces people's contributions, and MessageReader
// reads messages from many rooms.
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

// recentRoom returns a room, at most RoomCacheAge old, or NotFound.
func (s *Service) recentRoom(ctx context.Context, id RoomID) (Room, error) {
	if room, ok := s.recent.Get(id); ok {
		return room, nil
	}
	return s.CurrentRoom(ctx, id)
}

// Forget drops what the process remembers of a room, after a change elsewhere.
func (s *Service) Forget(id RoomID) { s.recent.Delete(id) }

// CurrentRoom returns the current state of a room, or NotFound. It checks no access. It caches
// public rooms only. Rooms with private ids are always read, so that the number of reads does not
// reveal members. Missing rooms are not cached, because they may be created at any moment.
func (s *Service) CurrentRoom(ctx context.Context, id RoomID) (Room, error) {
	asOf := s.clock()
	room, err := s.store.Room(ctx, id)
	if err == nil && !id.Private() {
		s.recent.Put(id, room, asOf)
	}
	return room, err
}
