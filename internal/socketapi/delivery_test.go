package socketapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/feedtest"
)

// delivering is a world whose changes reach connections, by way of the stream and the feed's
// handler.
type delivering struct {
	*world
	stream *feedtest.Stream
	feed   *stream.Handler
}

func newDelivering(t *testing.T, change ...func(*app.Options)) *delivering {
	t.Helper()
	w := &delivering{world: newWorld(t, change...)}
	w.stream = feedtest.Open(t, w.endpoint, chattest.Table)
	delivery := live.NewDelivery(live.DeliveryOptions{
		Rows: w.rows, Connections: w.rows, Rooms: chat.NewService(chat.Options{Store: w.store, Clock: w.clock.Now}),
		Poster: w.sent, Missed: w.rows, Clock: w.clock.Now, Log: slog.New(slog.DiscardHandler), Wait: w.wait, Times: live.Times{Read: time.Minute, Post: time.Minute},
	})
	w.feed = stream.NewHandler(stream.Options{
		Store: w.store, Clock: w.clock.Now,
		Log: slog.New(slog.DiscardHandler), Consumers: []stream.Consumer{delivery},
	})
	return w
}

// deliver passes the changes since the last call to the feed's handler.
func (w *delivering) deliver() {
	w.t.Helper()
	out, err := w.feed.Handle(w.t.Context(), events.DynamoDBEvent{Records: w.stream.Next(w.t)})
	if err != nil || len(out.BatchItemFailures) > 0 {
		w.t.Fatal(out, err)
	}
}

// heard returns the types of the frames that a connection was sent, with the types of changes and
// of personal events.
func (c *client) heard() string {
	c.t.Helper()
	var all []string
	for _, frame := range c.sent.take(c.id) {
		var f struct {
			Type  string
			Event struct{ Type string }
			Rooms []struct{ Changes []struct{ Type string } }
		}
		if err := json.Unmarshal([]byte(frame), &f); err != nil {
			c.t.Fatal(frame, err)
		}
		name := f.Type
		if f.Event.Type != "" {
			name += " " + f.Event.Type
		}
		for _, room := range f.Rooms {
			for _, change := range room.Changes {
				name += " " + change.Type
			}
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

// TestDelivery_EveryRole changes a room and follows what each role is sent, on a connection with
// all changes, on one with counts, and on one without rooms.
func TestDelivery_EveryRole(t *testing.T) {
	t.Parallel()
	const created, edited, deleted = "changes message.created", "changes message.edited", "changes message.deleted"
	const member, room, counts = "changes member.changed", "changes room.changed message.created", "counts"
	const removed = "unsubscribed, personal room.removed"
	reads := []step{{created, counts, ""}, {edited, counts, ""}, {deleted, counts, ""}, {member, counts, ""}, {room, counts, ""}}
	nothing := []step{{}, {}, {}, {}, {}}
	blocks := step{"personal block.changed", "personal block.changed", "personal block.changed"}
	marks := step{"personal read.changed", "personal read.changed", "personal read.changed"}
	for _, tt := range []struct {
		private bool
		user    string
		changes []step
		read    step
		ban     step
	}{
		{false, "owner", reads, marks, step{}}, // whom nobody bans
		{false, "moderator", reads, marks, step{removed, removed, removed}},
		{false, "member", reads, marks, step{removed, removed, removed}},
		{false, "muted", reads, marks, step{removed, removed, removed}},
		{false, "banned", nothing, step{}, step{}},
		{false, "stranger", reads, marks, step{"unsubscribed", "unsubscribed", ""}},
		{true, "owner", reads, marks, step{}},
		{true, "moderator", reads, marks, step{removed, removed, removed}},
		{true, "member", reads, marks, step{removed, removed, removed}},
		{true, "muted", reads, marks, step{removed, removed, removed}},
		{true, "banned", nothing, step{}, step{}},
		{true, "stranger", nothing, step{}, step{}},
	} {
		t.Run(fmt.Sprintf("private %t, %s", tt.private, tt.user), func(t *testing.T) {
			t.Parallel()
			w := newDelivering(t)
			id := w.roomOfRoles(tt.private)
			w.deliver()
			all := [3]*client{w.connect(tt.user), w.connect(tt.user), w.connect(tt.user)}
			all[0].send(`{"type":"hello","id":"1","rooms":[{"id":"` + string(id) + `"}]}`)
			all[1].send(`{"type":"hello","id":"1","rooms":[{"id":"` + string(id) + `","mode":"counts"}]}`)
			all[2].send(`{"type":"hello","id":"1","rooms":[]}`)
			user := chat.UserID(tt.user)
			for i, change := range w.changes(id) {
				w.after(change, all, fmt.Sprint("change ", i), tt.changes[i])
			}
			w.after(func() { _, _ = w.Inbox.MarkRead(t.Context(), user, id, 3) }, all, "read marker", tt.read)
			w.after(func() { w.must(w.Blocks.Block(t.Context(), user, "eve")) }, all, "block", blocks)
			if tt.user == "owner" {
				return
			}
			w.after(func() { w.must(chattest.SetRole(t, w.Services, "maker", id, user, policy.Banned)) }, all, "ban", tt.ban)
			w.after(w.changes(id)[0], all, "after the ban", step{})
		})
	}
}

// step is what three connections of a person hear: with all changes, with counts, without rooms.
type step struct{ full, counts, none string }

// changes returns one change of each kind to a room, by others.
func (w *delivering) changes(room chat.RoomID) []func() {
	var m chat.Message
	topic := "new"
	return []func(){
		func() {
			var err error
			m, _, err = w.PostMessage(w.t.Context(), "maker", room, chat.MessageDraft{Text: "hello"})
			w.must(err)
		},
		func() {
			_, _, err := w.EditMessage(w.t.Context(), "maker", chat.Revision{Room: room, ID: m.ID, Base: chat.AnyRevision}, chat.MessageEdit{Text: &topic})
			w.must(err)
		},
		func() {
			_, err := w.DeleteMessage(w.t.Context(), "maker", chat.Revision{Room: room, ID: m.ID, Base: chat.AnyRevision})
			w.must(err)
		},
		func() { w.must(chattest.SetRole(w.t, w.Services, "maker", room, "newcomer", policy.Member)) },
		func() {
			_, _, err := w.PutRoom(w.t.Context(), "maker", room, chat.RoomDraft{Topic: &topic})
			w.must(err)
		},
	}
}

func (w *delivering) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// after makes a change, delivers it, and compares what the connections hear.
func (w *delivering) after(change func(), all [3]*client, name string, want step) {
	w.t.Helper()
	w.clock.Advance(3 * time.Second)
	for _, c := range all {
		w.sent.take(c.id)
	}
	change()
	w.deliver()
	if got := (step{all[0].heard(), all[1].heard(), all[2].heard()}); got != want {
		w.t.Errorf("%s: heard %q, want %q", name, got, want)
	}
}

// noRows is a table in which the processes that remove people find no subscriptions. So they leave
// those that exist, as if they had ended before the deletion.
type noRows struct{ live.Store }

func (noRows) Subscriptions(context.Context, chat.RoomID) ([]live.Subscription, error) {
	return nil, nil
}

// TestDelivery_AfterAnInterruptedBan bans members, and leaves their subscriptions. The next batch
// finds them. The ban of somebody who was no member is in no feed: only its retry ends theirs.
func TestDelivery_AfterAnInterruptedBan(t *testing.T) {
	t.Parallel()
	for _, user := range []string{"moderator", "member", "muted"} {
		t.Run(user, func(t *testing.T) {
			t.Parallel()
			w := newDelivering(t, func(o *app.Options) { o.Live = noRows{o.Live} })
			id := w.roomOfRoles(false)
			w.deliver()
			c, other := w.connect(user).hello(string(id)), w.connect("other").hello(string(id))
			w.must(chattest.SetRole(t, w.Services, "maker", id, chat.UserID(user), policy.Banned))
			w.deliver()
			if got := c.heard(); !strings.Contains(got, "unsubscribed") || strings.Contains(got, "changes") {
				t.Errorf("%s heard %q of the ban", user, got)
			}
			w.changes(id)[0]()
			w.deliver()
			if got := c.heard(); got != "" {
				t.Errorf("%s heard %q after the ban", user, got)
			}
			if got := other.heard(); !strings.Contains(got, "changes message.created") {
				t.Errorf("others heard %q", got)
			}
		})
	}
}

// interruption does something before one of the calls of a request to the store. The calls of the
// request are made one after another.
type interruption struct {
	at int // the number of the call, from 1
	do func()

	mu    sync.Mutex
	calls int
}

type interruptionKey struct{}

// in returns a context for the request.
func (i *interruption) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, interruptionKey{}, i)
}

// interruptible lets the interruption of a context interrupt the calls of a client.
func interruptible(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("interruption", interrupt), middleware.Before)
	})
}

func interrupt(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	if i, ok := ctx.Value(interruptionKey{}).(*interruption); ok {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.calls++; i.calls == i.at {
			i.do()
		}
	}
	return next.HandleInitialize(ctx, in)
}
