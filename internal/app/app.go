package app

import (
	"io"
	"log/slog"
	"time"

	"parley/internal/activity"
	"parley/internal/chat"
	"parley/internal/document"
	"parley/internal/feed"
	"parley/internal/people"
)

// Services are the chat and the capabilities beside it.
type Services struct {
	*chat.Service
	People    *people.Service
	Documents *document.Service
	Activity  *activity.Service
	Feed      *feed.Service
}

// Store keeps everything but logs.
type Store interface {
	chat.Store
	people.Store
	document.Store
	feed.Store
}

// Options are the settings of Services. Store, Logs, Clock and Random are required.
type Options struct {
	Store Store
	// Logs keeps the activity log and the rooms' audits.
	Logs  activity.Store
	Clock func() time.Time
	// Random must be safe for concurrent use and unpredictable: ids and
	// keys come from it.
	Random io.Reader
	// SendRate and SendBurst bound what one person sends through this
	// process: so many a second, so many at once. Zero is the default.
	SendRate, SendBurst int
	// MayCreateRooms says who may make rooms; nil is everyone.
	MayCreateRooms func(chat.UserID) bool
	// LogRetention is how long log entries are kept; zero is the default.
	LogRetention time.Duration
	// Log receives the failures that no caller is told of; nil discards them.
	Log *slog.Logger
}

// New connects the services to one another.
func New(o Options) *Services {
	recorder := activity.NewRecorder(activity.RecorderOptions{Store: o.Logs, Clock: o.Clock, Random: o.Random, Retention: o.LogRetention, Log: o.Log})
	people := people.NewService(o.Store)
	rooms := chat.NewService(chat.Options{
		Store: o.Store, Audit: recorder, Names: people, Feed: feed.NewPositions(o.Store, o.Clock), Clock: o.Clock, Random: o.Random,
		SendRate: o.SendRate, SendBurst: o.SendBurst, MayCreateRooms: o.MayCreateRooms,
	})
	return &Services{
		Service: rooms, People: people, Activity: activity.NewService(recorder, rooms),
		Documents: document.NewService(document.Options{Store: o.Store, Rooms: rooms, Audit: recorder, Clock: o.Clock}),
		Feed:      feed.NewService(o.Store, rooms, o.Clock),
	}
}
