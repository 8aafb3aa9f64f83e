// Package app connects the chat service with the services for people, documents, activity and the
// feed. The edges serve its result.
package app

import (
	"context"
	"encoding/binary"
	"io"
	"log/slog"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/activity"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/block"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/direct"
	"example.com/parley/internal/document"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/incoming"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/live"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/people"
	"example.com/parley/internal/picture"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/poll"
	"example.com/parley/internal/privateroom"
	"example.com/parley/internal/quote"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/report"
	"example.com/parley/internal/saved"
	"example.com/parley/internal/search"
	"example.com/parley/internal/thread"
)

// Services are the chat service and the services that extend it.
type Services struct {
	*chat.Service
	Accounts  *account.Service
	Members   *membership.Service
	People    *people.Service
	Pictures  *picture.Service
	Direct    *direct.Service
	Private   *privateroom.Service
	Documents *document.Service
	Activity  *activity.Service
	Files     *attachment.Service
	Quotes    *quote.Service
	Feed      *feed.Service
	Inbox     *inbox.Service
	Mentions  *mention.Service
	Notify    *notify.Service
	Invites   *invite.Service
	Incoming  *incoming.Service
	Pins      *pin.Service
	Polls     *poll.Service
	Saved     *saved.Service
	Blocks    *block.Service
	Reports   *report.Service
	Threads   *thread.Service
	Reactions *reaction.Service
	Live      *live.Service
	Search    *search.Service
	Hooks     *hook.Service // nil if the deployment has none
	Meter     *ratelimit.Meter
	// ServiceMeter charges the services that act as themselves.
	ServiceMeter *ratelimit.Meter
	stores       Stores
}

// Stores store everything except logs and live connections.
type Stores interface {
	chat.Store
	membership.Store
	direct.Store
	growth.Store
	privateroom.Store
	chat.SlowModeStore
	feed.Store
	inbox.Source
	thread.Source
	live.Heads
	hook.Tails
	// RoomDeletedBy returns the user who deleted a room. deleted is false for a room that exists
	// or never existed.
	RoomDeletedBy(ctx context.Context, room chat.RoomID) (user chat.UserID, deleted bool, err error)
	// Table returns the table, for capabilities that make their own calls.
	Table() *dynamo.Table
}

// Options are the settings of Services. Store, Logs, Live, Clock and Random are required.
type Options struct {
	Store Stores
	// Logs stores activity logs and the audit logs of rooms.
	Logs activity.Store
	// Live stores live connections and their subscriptions.
	Live  live.Store
	Clock func() time.Time
	// Random must be unpredictable and safe for concurrent use, because ids and keys are derived
	// from it.
	Random io.Reader
	// SendRate and SendBurst limit the messages of one person through this process: SendRate per
	// second, and SendBurst in a burst. Zero selects the default.
	SendRate, SendBurst int
	// Limits bound each person, across all processes; zero means no limits.
	Limits ratelimit.Limits
	// ServiceLimits bound each service that acts as itself, instead of Limits.
	ServiceLimits ratelimit.Limits
	// MayCreateRooms reports whether a user may create rooms; nil allows everyone.
	MayCreateRooms func(chat.UserID) bool
	// Bucket stores the files of messages; nil stores none. FileLimits bound them; zero selects the
	// defaults.
	Bucket     *bucket.Client
	FileLimits attachment.Limits
	// Directory says who may list people; zero allows everyone.
	Directory people.Directory
	// ProfilesByServices lets only services change the facts of profiles.
	ProfilesByServices bool
	// Hooks says who may have hooks.
	Hooks hook.Rules
	// HookAddresses are the ones that hooks may have.
	HookAddresses outgoing.Options
	// LogRetention is how long log entries are stored; zero selects the default.
	LogRetention time.Duration
	// Log receives failures that are not returned to any caller; nil discards them.
	Log *slog.Logger
}

// New returns services connected to one another.
func New(o Options) *Services {
	recorder := activity.NewRecorder(activity.RecorderOptions{
		Store: o.Logs, Clock: o.Clock, Random: o.Random, Retention: o.LogRetention, Log: o.Log,
	})
	pictures := picture.NewService(picture.Options{
		Table: o.Store.Table(), Profiles: people.NewStore(o.Store.Table()), Bucket: o.Bucket, Clock: o.Clock,
		Random: o.Random,
	})
	people := people.NewService(people.Options{
		Table: o.Store.Table(), Clock: o.Clock, Directory: o.Directory, ServicesOnly: o.ProfilesByServices,
		Pictures: pictures,
	})
	positions := feed.NewPositions(o.Store, o.Clock)
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	files := attachment.NewService(attachment.Options{
		Table: o.Store.Table(), Bucket: o.Bucket, Messages: o.Store, Limits: o.FileLimits, Clock: o.Clock,
	})
	slowMode := chat.NewSlowMode(o.Store, o.Clock)
	rooms := chat.NewService(chat.Options{
		Store: o.Store, Audit: recorder, Names: people, SlowMode: slowMode, Feed: positions, Uploads: files,
		Shards: growth.NewOwnerSetting(o.Store, o.Clock, log), Clock: o.Clock, Random: o.Random,
		SendRate: o.SendRate, SendBurst: o.SendBurst, MayCreateRooms: o.MayCreateRooms,
	})
	files.For(rooms)
	blocks := block.NewService(o.Store.Table(), o.Clock)
	live := live.NewService(live.Options{Store: o.Live, Rooms: rooms, Heads: o.Store, Blocks: blocks, Clock: o.Clock})
	members := membership.NewService(membership.Options{
		Store: o.Store, Rooms: rooms, Audit: recorder, Names: people, Counts: positions, Live: live, Clock: o.Clock,
	})
	mentions := mention.NewService(mention.NewStore(o.Store.Table()), o.Store, rooms, blocks)
	accounts := account.NewService(account.Options{Table: o.Store.Table(), Audit: recorder, Live: live, Clock: o.Clock})
	inbox := inbox.NewService(inbox.Options{
		Store: inbox.NewStore(o.Store.Table()), Source: o.Store, Rooms: rooms, Blocks: blocks, Mentions: mentions,
		Clock: o.Clock,
	})
	budgets := dynamo.NewBudgets(o.Store.Table())
	s := &Services{
		Service: rooms, Accounts: accounts, Members: members, People: people, Pictures: pictures,
		Activity: activity.NewService(recorder, rooms), Files: files,
		Feed:     feed.NewService(o.Store, rooms, o.Clock),
		Inbox:    inbox,
		Mentions: mentions,
		Notify:   notify.NewService(o.Store.Table()),
		Blocks:   blocks,
		Live:     live,
		Meter: ratelimit.NewMeter(ratelimit.Options{
			Store: budgets, Limits: o.Limits, Clock: o.Clock, Chance: chance(o.Random),
		}),

		ServiceMeter: ratelimit.NewMeter(ratelimit.Options{
			Store: budgets, Limits: o.ServiceLimits, Clock: o.Clock, Chance: chance(o.Random),
		}),
		stores: o.Store,
	}
	s.addRooms(o, recorder, positions, slowMode)
	s.addMessages(o, recorder, log)
	return s
}

// addRooms adds the capabilities that make rooms and fill them.
func (s *Services) addRooms(o Options, audit *activity.Recorder, positions *feed.Positions, slow *chat.SlowMode) {
	rooms := s.Service
	s.Direct = direct.NewService(direct.Options{
		Store: o.Store, Rooms: rooms, Names: s.People, Counts: positions, Audit: audit, Clock: o.Clock,
	})
	s.Private = privateroom.NewService(o.Store, rooms, audit, o.Clock)
	s.Documents = document.NewService(document.Options{
		Table: o.Store.Table(), Rooms: rooms, SlowMode: slow, Audit: audit, Clock: o.Clock,
	})
	s.Invites = invite.NewService(invite.Options{
		Table: o.Store.Table(), Rooms: rooms, Members: o.Store, Accounts: s.Accounts, Audit: audit, Names: s.People,
		Counts: positions, Clock: o.Clock, Random: o.Random,
	})
	s.Incoming = incoming.NewService(incoming.Options{
		Table: o.Store.Table(), Rooms: rooms, Messages: o.Store, Audit: audit, Clock: o.Clock, Random: o.Random,
	})
}

// addMessages adds the capabilities that concern single messages.
func (s *Services) addMessages(o Options, audit chat.Auditor, log *slog.Logger) {
	t, rooms := o.Store.Table(), s.Service
	s.Quotes = quote.New(o.Store)
	s.Pins = pin.NewService(pin.Options{Table: t, Rooms: rooms, Messages: o.Store, Audit: audit, Clock: o.Clock})
	s.Polls = poll.NewService(t, rooms, o.Store, o.Clock)
	s.Saved = saved.NewService(t, rooms, o.Store, o.Clock)
	s.Reports = report.NewService(report.Options{
		Table: t, Rooms: rooms, Messages: o.Store, Audit: audit, Clock: o.Clock,
	})
	s.Threads = thread.NewService(t, o.Store, rooms, s.Blocks)
	s.Reactions = reaction.NewService(t, rooms, o.Store)
	s.Search = search.New(search.Options{
		Store: o.Store, Rooms: s.Inbox, Access: rooms, Blocks: s.Blocks, Bucket: o.Bucket, Clock: o.Clock, Log: log,
	})
	if o.Hooks.On {
		s.Hooks = hook.NewService(hook.Options{
			Table: t, Feed: s.Feed, Tails: o.Store, Clock: o.Clock, Random: o.Random, Rooms: rooms, Audit: audit,
			Rules:     o.Hooks,
			Addresses: o.HookAddresses,
		})
	}
}

// chance returns a source of numbers in [0, 1) from random bytes. If random bytes are unavailable
// it returns 0, so that everything is recorded.
func chance(random io.Reader) func() float64 {
	return func() float64 {
		var b [4]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return 0
		}
		return float64(binary.BigEndian.Uint32(b[:])) / (1 << 32)
	}
}

// DeleteRoom is as for chat.Service. It ends all live subscriptions to the room before it returns,
// even if a retry finds that the caller has already deleted the room.
func (s *Services) DeleteRoom(ctx context.Context, caller chat.UserID, room chat.RoomID, p *chat.Precondition) error {
	refused := s.Service.DeleteRoom(ctx, caller, room, p)
	if refused == nil {
		return s.Live.RemoveRoom(ctx, room)
	}
	if chat.KindOf(refused) != chat.NotFound {
		return refused
	}
	err := s.Live.RemoveRoomIf(ctx, room, func(ctx context.Context) (bool, error) {
		by, deleted, err := s.stores.RoomDeletedBy(ctx, room)
		return deleted && by == caller, err
	})
	if err != nil {
		return err
	}
	return refused
}
