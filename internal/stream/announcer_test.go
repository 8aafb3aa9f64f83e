package stream_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/nightly"
)

// announcing returns a handler of a new process that only announces.
func (w *fixture) announcing(options ...func(*dynamodb.Options)) *stream.Handler {
	store := w.newStore(time.Now, options...)
	return stream.NewHandler(stream.Options{
		Store: store, Failures: w.failures, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Projections: []stream.Projection{stream.NewAnnouncer(store)},
	})
}

// join stores the membership of a person who joins seattle, or whom by adds.
func (w *fixture) join(user, by chat.UserID) {
	w.t.Helper()
	m := chat.Membership{Room: "seattle", User: user, Name: "N", Role: policy.Member, JoinedAt: time.Now().UTC(), By: by}
	if m.Announce = by; by == "" {
		m.Announce = "maker"
	}
	if ok, err := w.store.ChangeMembership(w.t.Context(), membership.Change{After: m}); !ok || err != nil {
		w.t.Fatal(ok, err)
	}
}

// lines returns the system messages of seattle, as text and with how many people each lists.
func (w *fixture) lines() (texts []string, people int) {
	w.t.Helper()
	all, _, err := w.store.Messages(w.t.Context(), chat.MessageRange{Room: "seattle", Order: chat.Oldest, Limit: chat.MaxLimit})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range all {
		if m.System == nil {
			continue
		}
		texts, people = append(texts, string(m.ID.User)+": "+m.Text), people+len(m.System.People)
	}
	slices.Sort(texts)
	return texts, people
}

// joined returns the next records of the stream, all created at one time, as joins of one hour
// are.
func (w *fixture) joined() []events.DynamoDBEventRecord {
	w.t.Helper()
	records := w.stream.Next(w.t)
	for i := range records {
		records[i].Change.ApproximateCreationDateTime = events.SecondsEpochTime{Time: time.Date(2018, 8, 29, 12, 30, 0, 0, time.UTC)}
	}
	return records
}

// TestAnnouncer_JoinsOfAnHourAreOneMessage delivers joins repeatedly, in pieces and to several
// processes. Messages list each person once, and do not count as messages of the room.
func TestAnnouncer_JoinsOfAnHourAreOneMessage(t *testing.T) {
	t.Parallel()
	for seed := range uint64(nightly.Times(5, 100)) {
		w := newFixture(t)
		w.room("seattle", 3)
		random := rand.New(rand.NewPCG(nightly.Seed(t), seed))
		w.join("a", "")
		w.join("b", "")
		w.join("c", "bob")
		records := w.joined()
		handlers := []*stream.Handler{w.announcing(), w.announcing()}
		for range 8 {
			from := random.IntN(len(records))
			w.deliver(handlers[random.IntN(2)], records[from:from+1+random.IntN(len(records)-from)])
		}
		w.deliver(handlers[0], records)
		texts, _ := w.lines()
		for i, text := range texts { // in the order in which they were delivered first
			texts[i] = strings.Replace(text, "b and a joined.", "a and b joined.", 1)
		}
		if diff := cmp.Diff([]string{"bob: c was added.", "maker: a and b joined."}, texts); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
		w.deliver(handlers[1], w.joined())
		head, err := w.store.FeedHead(t.Context(), "seattle")
		if err != nil || head.Count != 0 || head.Newest.Message != (chat.MessageID{}) {
			t.Errorf("the feed counts %d messages, newest %v, %v", head.Count, head.Newest.Message, err)
		}
		if types := w.typesOf(); types["message.created"] != 2 || types["message.edited"] != 1 {
			t.Errorf("the feed has %v", types)
		}
	}
}

// typesOf counts the entries of seattle's feed by the names of their types.
func (w *fixture) typesOf() map[string]int {
	types := map[string]int{}
	for _, c := range w.feedOf("seattle") {
		types[c.Type.String()]++
	}
	return types
}

// TestAnnouncer_ListsAtMostTwenty lets more people join than a message lists.
func TestAnnouncer_ListsAtMostTwenty(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	for i := range chat.MaxSystemPeople + 5 {
		w.join(chat.UserID(fmt.Sprintf("u%02d", i)), "")
	}
	records := w.joined()
	w.deliver(w.announcing(), records)
	w.deliver(w.announcing(), records)
	texts, people := w.lines()
	if len(texts) != 1 || people != chat.MaxSystemPeople || !strings.HasSuffix(texts[0], "u18, u19 and others joined.") {
		t.Errorf("%d people in %q", people, texts)
	}
}

// TestAnnouncer_KeepsADeletedMessage lets a moderator delete the message before another person
// joins.
func TestAnnouncer_KeepsADeletedMessage(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	w.join("a", "")
	h := w.announcing()
	w.deliver(h, w.joined())
	all, _, err := w.store.Messages(t.Context(), chat.MessageRange{Room: "seattle", Order: chat.Oldest, Limit: 1})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	w.revise(all[0], all[0].Tombstone("maker", time.Now().UTC()))
	w.join("b", "")
	w.deliver(h, w.joined())
	if texts, people := w.lines(); people != 0 || !cmp.Equal(texts, []string{"maker: "}) {
		t.Errorf("%d people in %q", people, texts)
	}
}

// TestAnnouncer_SurvivesACrashAtEachStep ends the process at each of its requests.
func TestAnnouncer_SurvivesACrashAtEachStep(t *testing.T) {
	t.Parallel()
	steps := int64(1)
	for at := int64(1); at <= steps; at++ {
		for _, after := range []bool{false, true} {
			w := newFixture(t)
			w.room("seattle", 1)
			w.join("a", "")
			w.join("b", "")
			records := w.joined()
			c := &crash{at: at, after: after}
			_, err := w.announcing(c.options).Handle(t.Context(), events.DynamoDBEvent{Records: records})
			steps = max(steps, c.count.Load())
			if err != nil {
				t.Fatal(err)
			}
			w.deliver(w.announcing(), records)
			if texts, _ := w.lines(); !cmp.Equal(texts, []string{"maker: a and b joined."}) {
				t.Fatalf("request %d, took effect: %v: %q", at, after, texts)
			}
		}
	}
	if steps < 8 {
		t.Errorf("only %d requests", steps)
	}
}

// TestAnnouncer_OnlyNewJoins changes memberships that stay, and joins that are not announced.
func TestAnnouncer_OnlyNewJoins(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	member := chat.Membership{Room: "seattle", User: "a", Name: "A", Role: policy.Member, JoinedAt: time.Now().UTC()}
	moderator := member
	moderator.Role = policy.Moderator
	for _, c := range []membership.Change{{After: member}, {Before: member, After: moderator}, {Before: moderator}} {
		if ok, err := w.store.ChangeMembership(t.Context(), c); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	w.deliver(w.announcing(), w.joined())
	if texts, _ := w.lines(); len(texts) > 0 {
		t.Errorf("%q", texts)
	}
	if types := w.typesOf(); types[feed.MemberChanged.String()] == 0 {
		t.Errorf("the feed has %v", types)
	}
}

// TestAnnouncer_OnceForAMembership changes the role of a person who joined in an earlier hour.
func TestAnnouncer_OnceForAMembership(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.room("seattle", 1)
	w.join("a", "")
	w.deliver(w.announcing(), w.joined())
	before, err := w.store.Membership(t.Context(), "seattle", "a")
	after := before
	after.Role = policy.Moderator
	if ok, changeErr := w.store.ChangeMembership(t.Context(), membership.Change{Before: before, After: after}); !ok || err != nil || changeErr != nil {
		t.Fatal(ok, err, changeErr)
	}
	w.deliver(w.announcing(), w.stream.Next(t)) // years later
	if texts, _ := w.lines(); !cmp.Equal(texts, []string{"maker: a joined."}) {
		t.Errorf("%q", texts)
	}
}
