package history_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	httpclient "example.com/parley/client"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/follow"
)

const (
	// catchUpTime ends the wait of a reader that does not connect, or does not read to the end of a
	// feed.
	catchUpTime = time.Minute
	// readerPoll is short, because a history is.
	readerPoll = 200 * time.Millisecond
)

// socketReader is a person who follows all rooms through a socket. Its observations join the
// history. The network loses, repeats and reorders its frames and breaks its connections.
type socketReader struct {
	world *world
	n     int
	stop  context.CancelFunc
	done  chan error
	live  chan struct{} // closed when the server has answered that the rooms are subscribed

	mu           sync.Mutex
	r            *rand.Rand // of the network
	open         []*lossy
	seq          map[chat.RoomID]int64 // the last number that the reader received
	frames, lost int                   // of changes: those that arrived, and those that the network lost
}

func (w *world) startReader(n int) *socketReader {
	s := &socketReader{
		world: w, n: n, done: make(chan error, 1), live: make(chan struct{}), r: rand.New(rand.NewPCG(w.setup.seed, uint64(5000+n))), seq: map[chat.RoomID]int64{},
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(w.t.Context()))
	s.stop = stop
	token, err := w.front.tokens.Token(string(person(n%w.setup.people)), time.Hour)
	if err != nil {
		w.t.Fatal(err)
	}
	api, err := httpclient.New(w.front.url, httpclient.Fixed(token), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	if w.setup.forgetful {
		go func() { s.done <- s.readFrames(ctx, token) }()
		return s
	}
	config := follow.Config{
		Client: api, Socket: follow.SocketAddress(w.front.url), Dial: s.dial, Handle: s.handle, Clock: time.Now, Random: rand.Float64, Poll: readerPoll,
		Reload: func(context.Context, string) (string, error) { return "", errors.New("no feed was restored") },
	}
	for room := range w.pools {
		config.Rooms = append(config.Rooms, follow.Room{ID: string(room)})
	}
	go func() { s.done <- follow.Run(ctx, config) }()
	return s
}

// readFrames hands over frames as they come. It is the seeded fault of a client that does not look
// at the numbers.
func (s *socketReader) readFrames(ctx context.Context, token string) error {
	conn, err := s.dial(ctx, follow.SocketAddress(s.world.front.url), token)
	if err != nil {
		return err
	}
	defer conn.Close()
	var rooms []string
	for room := range s.world.pools {
		rooms = append(rooms, fmt.Sprintf(`{"id":%q,"mode":"full"}`, room))
	}
	if err := conn.Write(ctx, fmt.Appendf(nil, `{"type":"hello","id":"1","rooms":[%s]}`, strings.Join(rooms, ","))); err != nil {
		return err
	}
	for {
		text, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		for _, e := range eventsOf(text) {
			e.Changes = slices.DeleteFunc(e.Changes, func(c follow.Change) bool { return c.Seq <= s.at(chat.RoomID(e.Room)) })
			if err := s.handle(e); err != nil {
				return err
			}
		}
	}
}

// handle records the changes that the reader receives.
func (s *socketReader) handle(e follow.Event) error {
	if e.Type != follow.Changes {
		return nil
	}
	rec, room := s.world.rec, chat.RoomID(e.Room)
	called := rec.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	var run entries
	since := int64(0)
	flush := func() {
		if len(run) > 0 {
			rec.log(room, readInput{since}, called, run)
			run = nil
		}
	}
	for _, c := range e.Changes {
		if last := s.seq[room]; c.Seq != last+1 && last != 0 {
			rec.report(lostLive, "%s: reader %d received %d after %d", room, s.n, c.Seq, last)
		}
		s.seq[room] = c.Seq
		kind := changeType(c.Type)
		if !kind.OfMessage() { // the frame does not show all of its identity
			flush()
			continue
		}
		id, err := chat.ParseMessageID(c.ID)
		if err != nil {
			return err
		}
		s.world.views.note(rec, room, c)
		if len(run) == 0 {
			since = c.Seq - 1
		}
		run = append(run, feed.Change{Type: kind, Message: id, Revision: c.Revision})
	}
	flush()
	return nil
}

func changeType(name string) feed.ChangeType {
	for _, k := range feed.KnownChanges() {
		if k.Name == name {
			return k.Type
		}
	}
	return feed.UnknownChange
}

// views holds the text of each revision that a reader was shown.
type views struct {
	mu    sync.Mutex
	texts map[shownRevision]string
}

type shownRevision struct {
	room     chat.RoomID
	id       string
	revision int
}

// note compares a message with what others were shown of its revision.
func (v *views) note(rec *recorder, room chat.RoomID, c follow.Change) {
	if c.Message == nil || c.Message.Revision < c.Revision {
		rec.report(wrongAnswer, "%s: number %d is revision %d of %s, but shows %+v", room, c.Seq, c.Revision, c.ID, c.Message)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	key := shownRevision{room, c.ID, c.Message.Revision}
	if text, seen := v.texts[key]; seen && text != c.Message.Text {
		rec.report(wrongAnswer, "%+v is %q to one reader and %q to another", key, text, c.Message.Text)
	}
	v.texts[key] = c.Message.Text
}

// awaitLive waits until the reader is subscribed.
func (s *socketReader) awaitLive() {
	s.world.t.Helper()
	select {
	case <-s.live:
	case err := <-s.done:
		s.world.t.Fatalf("reader %d ended with %v", s.n, err)
	case <-time.After(catchUpTime):
		s.world.t.Fatalf("reader %d is not subscribed", s.n)
	}
}

// subscribed records an acknowledgment of the server.
func (s *socketReader) subscribed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.live:
	default:
		close(s.live)
	}
}

// finish breaks the readers' connections, waits until they have read the feeds to their ends, and
// stops them.
func (w *world) finish(readers []*socketReader) {
	for _, s := range readers {
		s.cut()
	}
	deadline := time.Now().Add(catchUpTime)
	if w.setup.forgetful {
		deadline = time.Now() // such a reader never catches up
	}
	for _, s := range readers {
		for room := range w.pools {
			head, err := w.store.CurrentFeedHead(w.t.Context(), room)
			if err != nil {
				w.t.Fatal(err)
			}
			for s.at(room) != head.Last && time.Now().Before(deadline) {
				time.Sleep(readerPoll / 10)
			}
			if at := s.at(room); at != head.Last {
				w.rec.report(lostLive, "%s: reader %d is at %d, the feed at %d", room, s.n, at, head.Last)
			}
		}
	}
	for _, s := range readers {
		s.stop()
		s.cut()
		err := <-s.done
		w.frames += s.frames
		w.lost += s.lost
		if !w.setup.forgetful && !errors.Is(err, context.Canceled) {
			w.rec.report(wrongAnswer, "reader %d ended with %v", s.n, err)
		}
	}
}

func (s *socketReader) at(room chat.RoomID) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seq[room]
}

// TestSocketReader_FindsLostFrames lets readers not look at the numbers of frames, of which the
// network loses one at least.
func TestSocketReader_FindsLostFrames(t *testing.T) {
	t.Parallel()
	wantFound(t, func(seed uint64) string {
		w := newWorld(t, setup{seed: seed, clients: 12, steps: 20, rooms: 1, people: 3, sockets: 2, forgetful: true})
		w.run()
		return firstOf(w.check(), lostLive)
	})
}

// eventsOf returns the changes in a frame, as package follow hands them over.
func eventsOf(text []byte) (events []follow.Event) {
	var in struct {
		Type  string
		Rooms []struct {
			ID      string
			Changes []follow.Change
		}
	}
	if json.Unmarshal(text, &in) != nil || in.Type != follow.Changes {
		return nil
	}
	for _, r := range in.Rooms {
		events = append(events, follow.Event{Type: follow.Changes, Room: r.ID, Changes: r.Changes})
	}
	return events
}
