package feed_test

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/chattest"
)

// TestFeedPosition_IsOfTheBeginning requests the position of a listing that began before the head
// was read. The position must not be ahead of what the listing shows.
func TestFeedPosition_IsOfTheBeginning(t *testing.T) {
	t.Parallel()
	const slow = time.Second + time.Millisecond // longer than a listing waits
	for _, tt := range []struct {
		name    string
		written time.Duration // after the beginning
		read    time.Duration // when the head is read, after the beginning
		seq     int64
		late    bool
	}{
		{name: "written long before", written: -feed.IndexLag - 1, read: time.Second, seq: 2},
		{name: "settled only since the beginning", written: -feed.IndexLag, read: time.Millisecond, seq: 1},
		{name: "written at the beginning", written: 0, read: time.Second, seq: 1},
		{name: "written since the beginning", written: time.Millisecond, read: 2 * time.Millisecond, seq: 1, late: true},
		{name: "read late", written: -time.Second, read: slow, seq: 1, late: true},
		{name: "settled when it is read late", written: -feed.IndexLag, read: slow, seq: 2, late: true},
	} {
		w := newFixture(t)
		began := w.clock.Now()
		w.appendTo("seattle", []feed.Change{{Type: feed.RoomChanged, Origin: 1}}, nil)
		w.appendTo("seattle", []feed.Change{{Type: feed.RoomChanged, Origin: 2}}, func(s *feed.Segment) {
			s.Settled, s.WrittenAt = 1, began.Add(tt.written)
		})
		w.clock.Advance(tt.read)
		at, late, err := feed.NewPositions(w.store, w.clock.Now).FeedPosition(t.Context(), "seattle", began)
		if err != nil || at.Seq != tt.seq || late != tt.late {
			t.Errorf("%s: %d, late: %v, %v, want %d, late: %v", tt.name, at.Seq, late, err, tt.seq, tt.late)
		}
	}
}

// slowHeads delays each read of a head until a query has returned, and then calls before.
type slowHeads struct {
	before  func()
	queried chan struct{}
	once    sync.Once
}

func (h *slowHeads) options(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("slow heads", h.handle), middleware.After)
	})
}

func (h *slowHeads) handle(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	get, isGet := in.Parameters.(*dynamodb.GetItemInput)
	if isGet && reflect.DeepEqual(get.Key, table.FeedHeadKey("seattle")) {
		h.once.Do(func() {
			<-h.queried
			h.before()
		})
	}
	query, isQuery := in.Parameters.(*dynamodb.QueryInput)
	out, metadata, err := next.HandleInitialize(ctx, in)
	if isQuery && query.IndexName != nil {
		h.queried <- struct{}{}
	}
	return out, metadata, err
}

// TestMessages_SlowHeadAsksAgain posts a message after the page was read and before the head is
// read. The head is then so late that the message seems to be in the index. Either the page or the
// changes after it must show the message.
func TestMessages_SlowHeadAsksAgain(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	chattest.CreateRoomOf(t, w.Services, "seattle", 1)
	heads := &slowHeads{queried: make(chan struct{}, 2)} // the page is read twice
	heads.before = func() {
		m := w.sent("amsg", "hello")
		w.clock.Advance(time.Millisecond)
		w.appendTo("seattle", []feed.Change{feed.ChangeOf(m)}, nil)
		w.clock.Advance(2 * feed.IndexLag)
	}
	slow := app.New(app.Options{
		Store: dynamo.New(dynamo.LocalClient(w.endpoint, heads.options), dynamo.Options{Table: chattest.Table, Clock: w.clock.Now}), Clock: w.clock.Now,
	})
	page, err := slow.Messages(t.Context(), "eve", chat.MessageQuery{Room: "seattle", Limit: 9})
	if err != nil || len(page.Items) == 0 && page.Since.Seq > 0 {
		t.Errorf("%d messages, and changes from %d on, %v: the message is missing", len(page.Items), page.Since.Seq, err)
	}
	if w.heads["seattle"].Last() != 1 {
		t.Error("the feed was not written before the head was read")
	}
}
