package hook_test

import (
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/test/nightly"
)

// strained is a receiver that is away first, and then has trouble: of every thirty requests it
// answers nine with 500, and three too late. One of these is processed nevertheless.
type strained struct {
	clock *clock

	mu           sync.Mutex
	away         bool
	count        int // the requests since it is back
	failed, late int
	received     map[chat.RoomID]int64
	texts        []string
	holes        int
}

func (s *strained) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	text, err := io.ReadAll(in.Body)
	var got request
	if err != nil || json.Unmarshal(text, &got) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if s.answer(got) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	s.mu.Lock()
	late := !s.away && s.count%10 == 4
	s.mu.Unlock()
	if late {
		<-in.Context().Done() // the sender has given up
	}
	w.WriteHeader(http.StatusInternalServerError)
}

// answer reports whether the receiver accepts a request.
func (s *strained) answer(got request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away {
		return false
	}
	s.count++
	switch {
	case s.count%10 == 4:
		s.late++
		s.clock.advance(outgoing.Timeout)
		if s.count%30 != 14 {
			return false
		}
	case s.count%3 == 0:
		s.failed++
		return false
	}
	for _, room := range got.Data.Items {
		id := chat.RoomID(room.ID)
		for _, c := range room.Changes {
			switch last := s.received[id]; {
			case c.Seq <= last: // it was processed before
				continue
			case c.Seq > last+1:
				s.holes++
			}
			s.received[id] = c.Seq
			if c.Message != nil {
				s.texts = append(s.texts, room.ID+": "+c.Message.Text)
			}
		}
	}
	return s.count%10 != 4
}

// postMany posts concurrently, as in busy rooms, and passes everything to the feed in batches.
func (w *world) postMany(rooms []chat.RoomID) {
	w.t.Helper()
	var all errgroup.Group
	all.SetLimit(8)
	for _, room := range rooms {
		w.posts++
		m := w.message(room, w.clock.Now().Truncate(time.Millisecond))
		all.Go(func() error {
			_, _, err := w.store.PutMessage(w.t.Context(), m)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		w.t.Fatal(err)
	}
	const batch = 100
	for records := range slices.Chunk(w.stream.Next(w.t), batch) {
		resp, err := w.feed.Handle(w.t.Context(), events.DynamoDBEvent{Records: records})
		if err != nil || len(resp.BatchItemFailures) > 0 {
			w.t.Fatal(resp, err)
		}
	}
	if err := w.note(w.outbox, w.stream.Next(w.t)); err != nil {
		w.t.Fatal(err)
	}
}

// TestDeliver_AwayForADay has a receiver that is away for a day, and then fails one request in
// three, and takes too long for one in ten. It receives everything once and in order, and another
// one notices nothing.
func TestDeliver_AwayForADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rooms := []chat.RoomID{"busy", "calm", "quiet"}
	for _, room := range rooms {
		w.room(room)
	}
	away := &strained{clock: w.clock, away: true, received: map[chat.RoomID]int64{}}
	server := httptest.NewServer(away)
	t.Cleanup(server.Close)
	if _, _, _, err := w.service().Put(t.Context(), bot, "away", hook.Settings{URL: server.URL}); err != nil {
		t.Fatal(err)
	}
	other := w.push("other", hook.Wanted{})
	random := rand.New(rand.NewPCG(1, 2))
	const halfHours = 48
	each := nightly.Times(20, 210) // 10,080 in a day
	var got []string
	for n := range halfHours {
		var in []chat.RoomID
		for range each {
			in = append(in, rooms[min(random.IntN(6), 2)])
		}
		w.postMany(in)
		w.sweep()
		w.deliver()
		if texts := other.taken(); len(texts) != each {
			t.Errorf("half hour %d: the other receiver has %d of %d", n, len(texts), each)
		} else {
			got = append(got, texts...)
		}
		w.clock.advance(30 * time.Minute)
	}
	away.mu.Lock()
	away.away = false
	away.mu.Unlock()
	w.client = outgoing.New(outgoing.Options{Loopback: true, Timeout: time.Second / 4}) // not to wait for the late
	t.Cleanup(w.client.Close)
	for range 1000 {
		if w.sweep(); w.queue.len() == 0 && len(w.dueRows()) == 0 {
			break
		}
		w.clock.advance(max(w.deliver(), time.Minute))
	}
	if !maps.Equal(away.received, other.received) || away.holes > 0 || len(other.holes) > 0 {
		t.Errorf("received %v of %v, holes %d and %q", away.received, other.received, away.holes, other.holes)
	}
	slices.Sort(got)
	slices.Sort(away.texts)
	if want := each * halfHours; len(away.texts) != want || !slices.Equal(away.texts, got) {
		t.Errorf("received %d texts of %d", len(away.texts), want)
	}
	t.Logf("%d texts in %d requests, of which %d failed and %d were late", len(got), away.count, away.failed, away.late)
	if away.failed == 0 || away.late == 0 {
		t.Error("no request failed, or none was late")
	}
}
