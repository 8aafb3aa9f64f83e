package chat

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"
)

// Service applies the rules of the domain on a store. Its methods take
// the caller first: the user on whose behalf they act, already
// authenticated. They return *Error for everything a caller can do something
// about. A Service is safe for concurrent use.
type Service struct {
	store   Store
	clock   func() time.Time
	random  io.Reader
	rooms   *roomCache
	buckets *buckets
	makers  func(UserID) bool
	logs    LogStore
	logLife time.Duration
	log     *slog.Logger
}

// Options are the settings of a Service. Store, Logs, Clock and Random are required.
type Options struct {
	Store Store
	// Logs keeps the activity log and the rooms' audits.
	Logs  LogStore
	Clock func() time.Time
	// Random must be safe for concurrent use and unpredictable: ids and
	// keys come from it.
	Random io.Reader
	// SendRate and SendBurst bound what one person sends through this
	// process: so many a second, so many at once. Zero is the default.
	SendRate, SendBurst int
	// Makers says who may make rooms; nil is everyone.
	Makers func(UserID) bool
	// LogLife is how long log entries are kept; zero is the default.
	LogLife time.Duration
	// Log is told of what failed beside a change that was made; nil hears nothing.
	Log *slog.Logger
}

// NewService makes a service.
func NewService(o Options) *Service {
	if o.SendRate == 0 {
		o.SendRate = DefaultSendRate
	}
	if o.SendBurst == 0 {
		o.SendBurst = DefaultSendBurst
	}
	if o.Makers == nil {
		o.Makers = func(UserID) bool { return true }
	}
	if o.LogLife == 0 {
		o.LogLife = DefaultLogLife
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{
		store: o.Store, clock: o.Clock, random: o.Random, makers: o.Makers,
		rooms: newRoomCache(o.Clock), buckets: newBuckets(o.SendRate, o.SendBurst, o.Clock),
		logs: o.Logs, logLife: o.LogLife, log: o.Log,
	}
}

// now is the server's time as messages carry it.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Millisecond) }

func (s *Service) newUUID(at time.Time) (uuid.UUID, error) {
	var tail [10]byte
	if _, err := io.ReadFull(s.random, tail[:]); err != nil {
		return uuid.UUID{}, fmt.Errorf("make a message id: %w", err)
	}
	return NewUUID(at, tail), nil
}
