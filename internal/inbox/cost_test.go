package inbox_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/measure/steps"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

// meter counts units, and the steps of calls that wait for one another.
type meter struct {
	steps steps.Meter
	mu    sync.Mutex
	units float64
	names []string
}

func (m *meter) observe(_ context.Context, u dynamo.Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.units += u.Units
	m.names = append(m.names, u.Operation)
}

// measured returns the units, the steps and the operations of the calls that f makes. It runs f in a
// bubble of synctest, whose clock stands still until every call of a step waits for the end of the
// step.
func (m *meter) measured(t *testing.T, f func(context.Context)) (units float64, steps int, names []string) {
	t.Helper()
	m.mu.Lock()
	m.units, m.names = 0, nil
	m.mu.Unlock()
	m.steps.Reset()
	synctest.Test(t, func(t *testing.T) { f(t.Context()) })
	return m.units, m.steps.Reset(), m.names
}

// newMeteredFixture returns a fixture, and services with empty caches whose reads are measured.
func newMeteredFixture(t *testing.T) (*fixture, *app.Services, *meter) {
	t.Helper()
	w := &fixture{t: t, heads: map[chat.RoomID]feed.Segment{}}
	endpoint := enginetest.Start(t)
	w.Services, w.clock = chattest.NewOn(t, endpoint, func(*app.Options) {})
	w.store = dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: w.clock.Now})
	m := &meter{steps: steps.Meter{Pause: time.Millisecond}}
	unkept := func(o *dynamodb.Options) { // a connection that is kept alive would stop the clock of a bubble
		o.HTTPClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	}
	store := dynamo.New(dynamo.LocalClient(endpoint, unkept, m.steps.Options), dynamo.Options{Table: chattest.Table, Clock: w.clock.Now, Observe: m.observe})
	return w, app.New(app.Options{Store: store, Clock: w.clock.Now, Random: strings.NewReader("")}), m
}

// TestRoomsOf_CostsThreeSteps lists 30 rooms, with nothing unread and with a few messages in one.
func TestRoomsOf_CostsThreeSteps(t *testing.T) {
	t.Parallel()
	w, metered, meter := newMeteredFixture(t)
	const rooms = 30
	for n := range rooms {
		id := chat.RoomID(fmt.Sprintf("room-%02d", n))
		chattest.CreateRoom(t, w.Services, id, 2)
		w.said(id, "bob", "hello")
		if _, err := w.Inbox.MarkRead(t.Context(), "maker", id, w.heads[id].Last()); err != nil {
			t.Fatal(err)
		}
	}
	list := func(ctx context.Context, limit int) chat.Page[inboxRoom] {
		page, err := metered.Inbox.RoomsOf(ctx, "maker", "maker", chat.PageRequest{Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	units, steps, names := meter.measured(t, func(ctx context.Context) {
		if page := list(ctx, 50); len(page.Items) != rooms || page.Items[0].Reading.Unread != 0 || page.Items[0].Newest == nil {
			t.Errorf("%d rooms, the first is %+v", len(page.Items), page.Items[0])
		}
	})
	t.Logf("30 rooms, nothing unread: %.1f units in %d steps, %d calls", units, steps, len(names))
	if units > 50 || steps > 3 {
		t.Errorf("30 rooms cost %.1f units in %d steps, want 50 in 3: %q", units, steps, names)
	}
	units, _, names = meter.measured(t, func(ctx context.Context) { list(ctx, 1) })
	t.Logf("one room of 30: %.1f units, %d calls", units, len(names))
	if units > 20 {
		t.Errorf("a page of one room costs %.1f units, want the heads and little else: %q", units, names)
	}
	for range 100 {
		w.said("room-07", "bob", "hello")
	}
	more, steps, names := meter.measured(t, func(ctx context.Context) {
		if page := list(ctx, 1); page.Items[0].Room.ID != "room-07" || page.Items[0].Reading.Unread != 100 {
			t.Errorf("%+v", page.Items[0])
		}
	})
	t.Logf("100 unread: %.1f units more, %d steps", more-units, steps)
	if more-units > 6 || steps > 3 {
		t.Errorf("100 unread messages cost %.1f units more, in %d steps: %q", more-units, steps, names)
	}
}
