package stream_test

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/poll"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/table"
	"example.com/parley/internal/tally"
	"example.com/parley/internal/thread"
)

// counting returns a handler like handler, which also counts.
func (w *fixture) counting(options ...func(*dynamodb.Options)) *stream.Handler {
	store := w.newStore(time.Now, options...)
	return stream.NewHandler(stream.Options{
		Store: store, Failures: w.failures, Clock: time.Now, Log: slog.New(slog.DiscardHandler),
		Projections: []stream.Projection{thread.NewProjection(store.Table()), tally.NewCounter(store)}, Consumers: w.consumers,
	})
}

func (w *fixture) react(m chat.Message, user chat.UserID, emoji string) {
	w.t.Helper()
	r := reaction.Reaction{Room: m.Room, Message: m.ID, Emoji: emoji, User: user, ReceivedAt: m.ReceivedAt}
	if _, err := reaction.NewStore(w.store.Table()).Put(w.t.Context(), r); err != nil {
		w.t.Error(err)
	}
}

func (w *fixture) unreact(m chat.Message, user chat.UserID, emoji string) {
	w.t.Helper()
	if _, err := reaction.NewStore(w.store.Table()).Delete(w.t.Context(), reaction.Reaction{Room: m.Room, Message: m.ID, Emoji: emoji, User: user}); err != nil {
		w.t.Error(err)
	}
}

// tallyOf returns the current tally of a message.
func (w *fixture) tallyOf(m chat.Message) chat.Tally {
	w.t.Helper()
	current, err := w.store.Message(w.t.Context(), m.Room, m.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	return current.Tally
}

// settle delivers what the stream has until it is empty: counts come back as changes.
func (w *fixture) settle(h *stream.Handler) {
	w.t.Helper()
	for range 10 {
		records := w.stream.Next(w.t)
		if len(records) == 0 {
			return
		}
		w.deliver(h, records)
	}
	w.t.Fatal("the stream never ends")
}

// wantTally checks that the tally of a message matches its rows, and that the feed reports each of
// its versions once.
func (w *fixture) wantTally(m chat.Message, want ...chat.ReactionCount) {
	w.t.Helper()
	got := w.tallyOf(m)
	rows, err := w.store.ReactionCounts(w.t.Context(), m.Room, m.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	sum := func(all []chat.ReactionCount) map[string]int {
		by := map[string]int{}
		for _, c := range all {
			by[c.Emoji] += c.Count
		}
		return by
	}
	if fmt.Sprint(sum(got.Reactions)) != fmt.Sprint(sum(rows)) || !slices.Equal(got.Reactions, want) {
		w.t.Errorf("the tally is %+v, the rows are %+v, want %+v", got.Reactions, rows, want)
	}
	versions := 0
	_, all := w.wholeFeedOf(m.Room)
	for _, c := range all {
		if c.Type == feed.CountsChanged && c.Message == m.ID {
			if versions++; c.Revision != versions {
				w.t.Errorf("the feed reports tally %d after %d", c.Revision, versions-1)
			}
		}
	}
	if versions != got.Version {
		w.t.Errorf("the feed reports %d tallies of %d", versions, got.Version)
	}
}

//golden:record
func TestProjection_CountsReactions(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	m, other := w.post("seattle", "amsg", 1), w.post("seattle", "amsg", 2)
	h := w.counting()
	w.settle(h)
	w.react(m, "bob", "👍")
	w.react(m, "amsg", "👍")
	w.react(m, "bob", "❤")
	w.react(other, "bob", "#\u20E3")
	w.settle(h)
	w.wantTally(m, chat.ReactionCount{Emoji: "❤", Count: 1}, chat.ReactionCount{Emoji: "👍", Count: 2})
	w.wantTally(other, chat.ReactionCount{Emoji: "#\u20E3", Count: 1})
	w.react(m, "bob", "👍") // again
	w.react(m, "bob", "☀")
	w.unreact(m, "bob", "❤")
	w.unreact(m, "carol", "❤") // none
	w.settle(h)
	w.wantTally(m, chat.ReactionCount{Emoji: "👍", Count: 2}, chat.ReactionCount{Emoji: "☀", Count: 1})
	if v := w.tallyOf(m).Version; v != 2 {
		t.Errorf("two batches of reactions made %d tallies", v)
	}

	edited := w.revise(m, m.Edited("other", m.ReceivedAt.Add(time.Second)))
	if got := w.tallyOf(m); len(got.Reactions) != 2 || got.Version != 2 {
		t.Errorf("after an edit: %+v", got)
	}
	w.revise(edited, edited.Tombstone("amsg", m.ReceivedAt.Add(2*time.Second)))
	if got := w.tallyOf(m); len(got.Reactions) != 0 {
		t.Errorf("a deleted message has the reactions %+v", got)
	}
	w.settle(h)
	if got := w.tallyOf(m); len(got.Reactions) != 0 || got.Version != 3 {
		t.Errorf("after the deletion: %+v", got)
	}
	if len(w.failures.all) != 0 {
		t.Errorf("failures: %+v", w.failures.all)
	}
}

// TestProjection_CountIsExactAtOnce has a hundred people react to one message concurrently, each
// twice. Four consumers each process the whole stream meanwhile, in pieces of their own.
func TestProjection_CountIsExactAtOnce(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	m := w.post("seattle", "amsg", 1)
	const many = 100
	pieces := make(chan batch)
	var consumers []func()
	queues := make([]chan batch, 4)
	for i := range queues {
		queues[i] = make(chan batch, many+1)
		h := w.counting()
		consumers = append(consumers, func() {
			for records := range queues[i] {
				for piece := range slices.Chunk(records, 3+i) {
					w.deliver(h, piece)
				}
			}
		})
	}
	consumers = append(consumers, func() {
		for records := range pieces {
			for _, q := range queues {
				q <- records
			}
		}
		for _, q := range queues {
			close(q)
		}
	})
	consumers = append(consumers, func() {
		defer close(pieces)
		for turn := range 10 { // ten people concurrently, ten times
			var people sync.WaitGroup
			for i := range many / 10 {
				people.Go(func() {
					user := chat.UserID(fmt.Sprintf("user%d", turn*many/10+i))
					w.react(m, user, "👍")
					w.react(m, user, "👍")
				})
			}
			people.Wait()
			pieces <- w.stream.Next(t)
		}
	})
	concurrently(consumers...)
	w.settle(w.counting())
	w.wantTally(m, chat.ReactionCount{Emoji: "👍", Count: many})
	versions := w.tallyOf(m).Version
	if versions < 5 {
		t.Errorf("the tally was written %d times, so the consumers hardly met", versions)
	}
	t.Logf("%d reactions, each twice, by four consumers wrote the tally %d times", many, versions)
}

func (w *fixture) vote(m chat.Message, user chat.UserID, choices ...int) {
	w.t.Helper()
	item := poll.Item(chat.Vote{Room: m.Room, Message: m.ID, User: user, Choices: chat.Choose(choices...)})
	if _, err := w.store.Table().PutItem(w.t.Context(), "vote", item, table.Update{}); err != nil {
		w.t.Error(err)
	}
}

func TestProjection_CountsVotes(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	m := w.post("seattle", "amsg", 1)
	h := w.counting()
	w.settle(h)
	want := func(version, voters int, options ...int) {
		t.Helper()
		w.settle(h)
		if got := w.tallyOf(m); got.Version != version || got.Votes.Voters != voters || !slices.Equal(got.Votes.Options, options) {
			t.Errorf("%+v, want version %d with %d voters for %v", got, version, voters, options)
		}
	}
	w.vote(m, "bob", 0)
	w.vote(m, "carol", 0, 2)
	want(1, 2, 2, 0, 1)
	w.vote(m, "bob", 2)
	want(2, 2, 1, 0, 2)
	w.vote(m, "bob", 2) // again
	want(2, 2, 1, 0, 2)
	if _, err := w.store.Table().DeleteItem(t.Context(), "withdraw vote", table.VoteKey(m.Room, m.ID, "carol")); err != nil {
		t.Fatal(err)
	}
	want(3, 1, 0, 0, 1)
	w.revise(m, m.Tombstone("amsg", m.ReceivedAt.Add(time.Second)))
	want(4, 0)
	if len(w.failures.all) != 0 {
		t.Errorf("failures: %+v", w.failures.all)
	}
}
