package chat

import (
	"io"
	"log/slog"
	"time"
)

// Services are the chat and the capabilities beside it.
type Services struct {
	*Service
	People    *PeopleService
	Documents *DocumentService
	Activity  *ActivityService
	Feed      *FeedService
}

// AllStore keeps everything but logs.
type AllStore interface {
	Store
	PeopleStore
	DocumentStore
	FeedStore
}

// ServicesOptions are the settings of Services. Store, Logs, Clock and Random are required.
type ServicesOptions struct {
	Store AllStore
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
	// Log receives the failures that no caller is told of; nil discards them.
	Log *slog.Logger
}

// NewServices connects the services to one another.
func NewServices(o ServicesOptions) *Services {
	recorder := NewRecorder(RecorderOptions{Store: o.Logs, Clock: o.Clock, Random: o.Random, Retention: o.LogLife, Log: o.Log})
	people := NewPeopleService(o.Store)
	rooms := NewService(Options{
		Store: o.Store, Audit: recorder, Names: people, Feed: NewPositions(o.Store, o.Clock), Clock: o.Clock, Random: o.Random,
		SendRate: o.SendRate, SendBurst: o.SendBurst, Makers: o.Makers,
	})
	return &Services{
		Service: rooms, People: people, Activity: NewActivityService(recorder, rooms),
		Documents: NewDocumentService(DocumentOptions{Store: o.Store, Rooms: rooms, Audit: recorder, Clock: o.Clock}),
		Feed:      NewFeedService(o.Store, rooms, o.Clock),
	}
}
