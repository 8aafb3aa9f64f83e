package growth_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/growth"
	"example.com/parley/internal/shard"
)

// rules make the shards of a room certain. A seeded bug breaks one of them.
type rules struct {
	delay    time.Duration // from the write of an epoch to its start
	maxAge   time.Duration // of the epochs that a process uses
	margins  shard.Margins // by which a reader widens its range
	superset bool          // a reader queries the shards of all epochs in its range, not only of the last
}

func soundRules() rules {
	return rules{
		delay: growth.Delay, maxAge: chat.EpochMaxAge,
		margins: shard.Margins{MaxSendDelay: chat.MaxAge, MaxClockAhead: chat.MaxAhead}, superset: true,
	}
}

const (
	// skew is how far the clock of a process may be off.
	skew = 1500 * time.Millisecond
	// flight is how long the put of a message may take, with all its attempts.
	flight = 8 * time.Second
	// write is how long the write of an epoch may take.
	write = 2 * time.Second
)

// sim is the life of one room on a model of the table: its epochs and its messages, at true times.
type sim struct {
	rules
	rand     *rand.Rand
	start    time.Time
	length   time.Duration
	epochs   shard.Epochs
	written  []time.Time // when each epoch was in the table
	messages []posted
}

// posted is a message in the table.
type posted struct {
	user           string
	sent, received time.Time
	shard          int
	visible        time.Time
}

func (p posted) less(q posted) bool {
	return cmp.Or(p.received.Compare(q.received), cmp.Compare(p.user, q.user), p.sent.Compare(q.sent)) < 0
}

func newSim(seed uint64, r rules) *sim {
	s := &sim{
		rules: r, rand: rand.New(rand.NewPCG(seed, 0)), start: time.Unix(1_535_544_000, 0).UTC(),
		epochs: shard.Fixed(1), written: []time.Time{{}},
	}
	s.length = []time.Duration{time.Minute, time.Hour, 72 * time.Hour}[s.rand.IntN(3)]
	s.grow()
	for range 40 + s.rand.IntN(160) {
		s.post()
	}
	slices.SortFunc(s.messages, func(a, b posted) int {
		if a.less(b) {
			return -1
		}
		return 1
	})
	return s
}

// between returns a random duration in [from, to], in milliseconds.
func (s *sim) between(from, to time.Duration) time.Duration {
	return (from + time.Duration(s.rand.Int64N(int64(to-from)+1))).Truncate(time.Millisecond)
}

// grow changes the shards some times, up and down.
func (s *sim) grow() {
	at := s.start
	for range s.rand.IntN(5) {
		at = at.Add(s.between(time.Second, s.length/3))
		begin := at.Add(s.between(-skew, skew)).Add(s.delay)
		if next := s.epochs.With(1<<s.rand.IntN(7), begin); next != nil {
			s.epochs, s.written = next, append(s.written, at.Add(s.between(0, write)))
		}
	}
}

// known returns the epochs that a process uses at a time.
func (s *sim) known(at time.Time) shard.Epochs {
	read := at.Add(-s.between(0, s.maxAge))
	n := 1
	for n < len(s.epochs) && !s.written[n].After(read) {
		n++
	}
	return s.epochs[:n]
}

// near returns a time: often close to the beginning of an epoch.
func (s *sim) near() time.Time {
	if s.rand.IntN(3) > 0 {
		return s.epochs[s.rand.IntN(len(s.epochs))].From.Add(s.between(-20*time.Second, 20*time.Second))
	}
	return s.start.Add(s.between(-s.length, s.length))
}

// post adds a message that the service accepts: sent up to a day before, or a little ahead.
func (s *sim) post() {
	at := s.near()
	if at.Before(s.start.Add(-s.length)) {
		at = s.start
	}
	server := at.Add(s.between(-skew, skew))
	sent := server.Add(chat.MaxAhead - s.between(0, 4*time.Second))
	if s.rand.IntN(3) == 0 {
		sent = server.Add(-s.between(0, chat.MaxAge))
	}
	user := fmt.Sprint("u", s.rand.IntN(30))
	s.messages = append(s.messages, posted{
		user: user, sent: sent, received: server, visible: at.Add(s.between(0, flight)),
		shard: shard.ForUser(user, s.known(at).At(sent).N),
	})
}
