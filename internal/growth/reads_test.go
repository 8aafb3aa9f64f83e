package growth_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/test/nightly"
)

// reads and nightlyReads are the numbers of random reads of the model.
const reads, nightlyReads = 10_000, 1_000_000

// TestReads_MissAndRepeatNothing reads rooms that grow and shrink, at random times, in pages of
// random sizes, and looks up messages as retries do.
func TestReads_MissAndRepeatNothing(t *testing.T) {
	t.Parallel()
	for seed, done := uint64(1), 0; done < nightly.Times(reads, nightlyReads); seed++ {
		s := newSim(seed, soundRules())
		for range 50 {
			if err := s.read(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			done++
		}
	}
}

// TestReads_EachRuleIsNeeded breaks each rule, and expects a read to notice.
func TestReads_EachRuleIsNeeded(t *testing.T) {
	t.Parallel()
	for name, breakRule := range map[string]func(*rules){
		"the delay before an epoch begins":        func(r *rules) { r.delay = 0 },
		"the delay includes the clocks":           func(r *rules) { r.delay -= margin },
		"the freshness of the epochs":             func(r *rules) { r.maxAge = time.Minute },
		"the grace after an epoch ends":           func(r *rules) { r.margins.MaxSendDelay = 0 },
		"the grace before an epoch begins":        func(r *rules) { r.margins.MaxClockAhead = 0 },
		"the shards of all epochs that are asked": func(r *rules) { r.superset = false },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := soundRules()
			breakRule(&broken)
			const most = 20_000
			for seed := uint64(1); seed <= most; seed++ {
				s := newSim(seed, broken)
				for range 20 {
					if s.read() != nil {
						return
					}
				}
			}
			t.Errorf("%d rooms were read without a fault", most)
		})
	}
}

// margin is the margin in growth.Delay.
const margin = 5 * time.Second

// read makes one random read of the room, and returns an error if it misses or repeats a message.
func (s *sim) read() error {
	now := s.near().Add(s.between(0, 10*time.Second))
	epochs := s.known(now)
	if s.rand.IntN(4) == 0 {
		return s.lookUp(now, epochs)
	}
	from, to := s.bounds()
	var want []posted
	for _, m := range s.messages {
		if !m.visible.After(now) && !m.received.Before(from) && (to.IsZero() || m.received.Before(to)) {
			want = append(want, m)
		}
	}
	oldest := s.rand.IntN(2) == 0
	if !oldest {
		slices.Reverse(want)
	}
	got := s.page(now, epochs, from, to, oldest)
	got = got[:min(len(got), 1+s.rand.IntN(60))]
	want = want[:min(len(want), len(got))]
	if !slices.Equal(got, want) {
		return fmt.Errorf("[%v, %v) at %v has %d messages, want %d: %v", from, to, now, len(got), len(want), epochs)
	}
	return nil
}

// bounds returns a random range. A zero time is unbounded.
func (s *sim) bounds() (from, to time.Time) {
	if s.rand.IntN(2) == 0 {
		from = s.near()
	}
	if s.rand.IntN(2) == 0 {
		to = s.near()
		if to.Before(from) {
			from, to = to, from
		}
	}
	return from, to
}

// lookUp finds each message by its id, as a retry or a join does.
func (s *sim) lookUp(now time.Time, epochs shard.Epochs) error {
	for _, m := range s.messages {
		if m.visible.After(now) || m.sent.After(now.Add(chat.MaxAhead+skew)) {
			continue
		}
		if at := shard.ForUser(m.user, epochs.At(m.sent).N); at != m.shard {
			return fmt.Errorf("a message sent %v is in shard %d, and looked up in %d at %v", m.sent, m.shard, at, now)
		}
		if shards := epochs.OfUser(m.user, m.sent, m.sent.Add(time.Millisecond)); !slices.Contains(shards, m.shard) {
			return fmt.Errorf("a message sent %v is in shard %d, not among %v", m.sent, m.shard, shards)
		}
	}
	return nil
}

// page merges the shards of a range as the store does, a few items at a time.
func (s *sim) page(now time.Time, epochs shard.Epochs, from, to time.Time, oldest bool) []posted {
	if !s.superset {
		epochs = shard.Fixed(epochs.Last().N)
	}
	windows := epochs.Windows(from, to, s.margins)
	m := shard.NewMerge(len(windows), func(a, b posted) bool {
		if oldest {
			return a.less(b)
		}
		return b.less(a)
	})
	rest := make([][]posted, len(windows))
	for i, w := range windows {
		rest[i] = s.inShard(w.Shard, now, from, to, oldest)
		if oldest && !w.First.Equal(from) {
			m.Defer(i, posted{received: w.First})
		} else if !oldest && !w.End.Equal(to) {
			m.Defer(i, posted{received: w.End})
		}
	}
	var page []posted
	for needs := m.Needs(); len(needs) > 0; needs = m.Needs() {
		for _, i := range needs {
			n := min(1+s.rand.IntN(5), len(rest[i]))
			m.Feed(i, rest[i][:n], n == len(rest[i]))
			rest[i] = rest[i][n:]
		}
		for next, ok := m.Pop(); ok; next, ok = m.Pop() {
			page = append(page, next)
		}
	}
	return page
}

// inShard returns the messages that a query of one shard finds.
func (s *sim) inShard(i int, now, from, to time.Time, oldest bool) []posted {
	var found []posted
	for _, m := range s.messages {
		if m.shard == i && !m.visible.After(now) && !m.received.Before(from) && (to.IsZero() || m.received.Before(to)) {
			found = append(found, m)
		}
	}
	if !oldest {
		slices.Reverse(found)
	}
	return found
}
