package hook_test

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/test/nightly"
)

// TestDeliver_BeforeTheHeadMoves delivers segments that readers may not see yet: of a new feed, and
// one behind another that they may.
func TestDeliver_BeforeTheHeadMoves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.push("all", hook.Wanted{})
	outbox := hook.NewOutbox(w.store.Table(), w.queue, w.clock.Now, hook.Rules{On: true})
	segment := func(first int64) feed.Segment {
		t.Helper()
		s := feed.Segment{
			Room: "seattle", First: first, Generation: "g", WrittenAt: w.clock.Now(), CreatedFrom: w.clock.Now(), CreatedTo: w.clock.Now(),
			Changes: []feed.Change{{Type: feed.RoomChanged, Origin: uint64(first)}},
		}
		if ok, err := w.store.AppendSegment(t.Context(), s); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if err := outbox.Wake(t.Context(), []hook.News{{Room: "seattle", First: first, Generation: "g"}}, nil); err != nil {
			t.Fatal(err)
		}
		return s
	}
	move := func(s feed.Segment) {
		t.Helper()
		if err := w.store.PutFeedHead(t.Context(), s.Head()); err != nil {
			t.Fatal(err)
		}
	}
	first := segment(1)
	if pause := w.deliver(); pause == 0 || r.count() > 0 {
		t.Errorf("before the head has moved, a pause of %v", pause)
	}
	move(first)
	second := segment(2)
	if pause := w.deliver(); pause == 0 || r.received["seattle"] != 1 {
		t.Errorf("before it has moved again, a pause of %v, and %d received", pause, r.received["seattle"])
	}
	move(second)
	if pause := w.deliver(); pause != 0 || r.received["seattle"] != 2 || r.count() != 2 {
		t.Errorf("then a pause of %v, and %d received", pause, r.received["seattle"])
	}
}

// TestDeliver_BehindInANewRoom has a room whose first change is in a row when the next comes.
func TestDeliver_BehindInANewRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	r := w.push("all", hook.Wanted{})
	w.deliver()
	w.post("seattle")
	w.pump()
	r.next(slices.Repeat([]int{http.StatusInternalServerError}, 3)...)
	for range 3 {
		w.clock.advance(w.deliver())
	}
	if got := w.dueRows(); len(got) != 1 {
		t.Fatalf("rows %q", got)
	}
	w.clock.advance(3 * time.Minute)
	w.post("seattle")
	w.pump()
	w.deliver()
	if got := r.taken(); !slices.Equal(got, []string{"seattle: text 1", "seattle: text 2"}) {
		t.Errorf("received %q", got)
	}
}

// TestDeliver_WhileARowIsReplayed delivers when a replay has begun and no row says so yet.
func TestDeliver_WhileARowIsReplayed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.room("seattle")
	w.pump()
	r := w.push("all", hook.Wanted{})
	from := w.clock.Now()
	w.post("seattle")
	w.pump()
	w.deliver()
	r.taken()
	puts := 0
	s := w.service(func(o *dynamodb.Options) {
		o.HTTPClient = before{o.HTTPClient, func(operation string) {
			if operation == "UpdateItem" && puts == 0 {
				puts++
				w.pump()
				w.deliver()
			}
		}}
	})
	if err := s.Replay(t.Context(), bot, "all", from); err != nil {
		t.Fatal(err)
	}
	w.pump()
	w.deliver()
	if got := r.taken(); puts == 0 || !slices.Equal(got, []string{"seattle: text 1"}) {
		t.Errorf("received %q again", got)
	}
}

// TestDeliver_AwayForADay has a receiver that is away for a day, and then fails one request in
// three. It receives everything in order, and another one notices nothing.
func TestDeliver_AwayForADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rooms := []chat.RoomID{"busy", "calm", "quiet"}
	for _, room := range rooms {
		w.room(room)
	}
	away, other := w.address("away", hook.Wanted{}), w.address("other", hook.Wanted{})
	w.pump()
	w.deliver()
	random := rand.New(rand.NewPCG(1, 2))
	away.mu.Lock()
	away.refuse = func(request) int { return http.StatusBadGateway }
	away.mu.Unlock()
	const batches = 48
	for n := range batches {
		for range nightly.Times(600, 2_400) / batches {
			w.post(rooms[min(random.IntN(6), 2)])
		}
		w.pump()
		w.sweep()
		w.deliver()
		if got := len(other.taken()); got == 0 {
			t.Errorf("half hour %d: the other receiver waits", n)
		}
		w.clock.advance(30 * time.Minute)
	}
	away.mu.Lock()
	away.refuse = func(request) int { return random.IntN(3) / 2 * http.StatusInternalServerError }
	away.mu.Unlock()
	for range 1000 {
		if w.sweep(); w.queue.len() == 0 && len(w.dueRows()) == 0 {
			break
		}
		w.clock.advance(max(w.deliver(), time.Minute))
	}
	if !maps.Equal(away.received, other.received) || len(away.holes) > 0 || len(other.holes) > 0 {
		t.Errorf("received %v of %v, holes %q", away.received, other.received, away.holes)
	}
	if got, want := len(away.taken()), nightly.Times(600, 2_400)/batches*batches; got != want {
		t.Errorf("received %d texts of %d", got, want)
	}
}
