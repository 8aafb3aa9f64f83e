package reaction_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/storetest"
	"example.com/parley/internal/test/tabletest"
)

// start is the time at which the tests of rows begin.
var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// TestStore_KeepsTheContract runs on every engine that Parley runs on.
func TestStore_KeepsTheContract(t *testing.T) {
	t.Parallel()
	tabletest.Keeps(t, "reactions", tabletest.Create, reaction.NewStore, map[string]func(*testing.T, reaction.Store){
		"reactions are a set, listed by emoji":                       reactionsAreASet,
		"a person's reactions are found by the time of the messages": ownReactionsAreFound,
		"concurrent reactions are all stored":                        concurrentReactions,
	})
}

// message returns the nth message of a room, by amsg.
func message(room chat.RoomID, at time.Time, n int) chat.Message {
	return chat.Message{Room: room, ID: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{2: byte(n >> 8), 3: byte(n)}), User: "amsg"}, ReceivedAt: at}
}

// reactionsAreASet reacts with similar emoji by similar users, lists in pages of every size, and
// takes reactions back.
func reactionsAreASet(t *testing.T, s reaction.Store) {
	m := message("seattle", start, 1)
	other := message("seattle", start.Add(time.Second), 2)
	react := func(m chat.Message, user chat.UserID, emoji string) {
		t.Helper()
		r := reaction.Reaction{Room: m.Room, Message: m.ID, Emoji: emoji, User: user, ReceivedAt: m.ReceivedAt}
		storetest.SetsEveryField(t, r)
		for range 2 {
			if _, err := s.Put(t.Context(), r); err != nil {
				t.Error(err)
			}
		}
	}
	want := slices.Sorted(slices.Values(storetest.SimilarIDs))
	for _, user := range want {
		react(m, user, "👍")
	}
	react(m, "amsg", "👍🏽")
	react(m, "amsg", "#\u20E3")
	react(other, "bob", "👍")
	for limit := 1; limit <= len(want)+1; limit++ {
		wantReactors(t, s, reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "👍", Limit: limit}, want...)
	}
	wantReactors(t, s, reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "👍🏽", Limit: 5}, "amsg")
	wantReactors(t, s, reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "#\u20E3", Limit: 5}, "amsg")
	wantReactors(t, s, reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "#", Limit: 5})
	wantReactors(t, s, reaction.ReactorQuery{Room: "sea", Message: m.ID, Emoji: "👍", Limit: 5})
	for range 2 {
		if _, err := s.Delete(t.Context(), reaction.Reaction{Room: "seattle", Message: m.ID, Emoji: "👍", User: want[1]}); err != nil {
			t.Error(err)
		}
	}
	wantReactors(t, s, reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "👍", Limit: 50}, slices.Delete(slices.Clone(want), 1, 2)...)
}

// wantReactors reads all pages of a query.
func wantReactors(t *testing.T, s reaction.Store, q reaction.ReactorQuery, want ...chat.UserID) {
	t.Helper()
	var got []chat.UserID
	for {
		users, more, err := s.Reactors(t.Context(), q)
		if err != nil || len(users) > q.Limit || more && len(users) == 0 {
			t.Fatalf("%+v: %v, %v, %v", q, users, more, err)
		}
		got = append(got, users...)
		if !more {
			break
		}
		q.After = users[len(users)-1]
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s with pages of %d (-want +got):\n%s", q.Emoji, q.Limit, d)
	}
}

// ownReactionsAreFound finds a person's reactions by when the messages were received.
func ownReactionsAreFound(t *testing.T, s reaction.Store) {
	var all []reaction.Reaction
	for n := range 6 {
		room := chat.RoomID([]string{"seattle", "seattle-1"}[n%2])
		m := message(room, start.Add(time.Duration(n)*time.Millisecond), n)
		for _, emoji := range []string{"👍", "❤"} {
			r := reaction.Reaction{Room: room, Message: m.ID, Emoji: emoji, User: "bob", ReceivedAt: m.ReceivedAt}
			others := r
			others.User = "bo"
			for _, r := range []reaction.Reaction{r, others} {
				if _, err := s.Put(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			all = append(all, r)
		}
	}
	for first := range 7 {
		for last := range 7 {
			q := reaction.OwnQuery{
				User: "bob", Room: "seattle", First: start.Add(time.Duration(first) * time.Millisecond), Last: start.Add(time.Duration(last) * time.Millisecond),
			}
			if last < first {
				continue
			}
			want := map[reaction.Reaction]bool{}
			for _, r := range all {
				if r.Room == q.Room && !r.ReceivedAt.Before(q.First) && !r.ReceivedAt.After(q.Last) {
					want[r] = true
				}
			}
			found, err := s.Own(t.Context(), q)
			got := map[reaction.Reaction]bool{}
			for _, r := range found {
				got[r] = true
			}
			if d := cmp.Diff(want, got); d != "" || err != nil || len(found) != len(want) {
				t.Errorf("from %d to %d: %d rows, %v (-want +got):\n%s", first, last, len(found), err, d)
			}
		}
	}
}

// concurrentReactions lets sixteen people concurrently react and take their reactions back. Each
// ends with what they did last.
func concurrentReactions(t *testing.T, s reaction.Store) {
	m := message("seattle", start, 1)
	var people sync.WaitGroup
	var want []chat.UserID
	for n := range 16 {
		user := chat.UserID(fmt.Sprintf("user-%02d", n))
		if n%2 == 0 {
			want = append(want, user)
		}
		people.Go(func() {
			r := reaction.Reaction{Room: "seattle", Message: m.ID, Emoji: "👍", User: user, ReceivedAt: m.ReceivedAt}
			_, err := s.Put(t.Context(), r)
			if n%2 == 1 && err == nil {
				_, err = s.Delete(t.Context(), r)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	people.Wait()
	wantReactors(t, s, reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "👍", Limit: 5}, want...)
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

// TestStore_ConsumesTheUnitsOfTheDesign counts the units of each call for a message of 100
// bytes, and of counts of 100 and 1,000 rows.
func TestStore_ConsumesTheUnitsOfTheDesign(t *testing.T) {
	t.Parallel()
	now := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	reads, writes := 0.0, 0.0
	s := dynamo.New(tabletest.Start(t, "chat"), dynamo.Options{Table: "chat", Clock: func() time.Time { return now }, Observe: func(_ context.Context, u dynamo.Usage) {
		if u.Write {
			writes += u.Units
		} else {
			reads += u.Units
		}
	}})
	reactions := reaction.NewStore(s.Table())
	room := chat.Room{ID: "seattle", Name: "Seattle", CreatedBy: "maker", CreatedAt: now, Shards: 1, DigestKey: []byte(strings.Repeat("k", 32))}
	if created, err := s.CreateRoom(t.Context(), room, chat.OwnerOf(room, "maker")); err != nil || !created {
		t.Fatal(created, err)
	}
	m := chat.Message{
		Room: "seattle", ID: chat.MessageID{UUID: chat.NewUUID(now, [10]byte{1}), User: "amsg"},
		Text: strings.Repeat("x", 100), ReceivedAt: now, Digest: []byte("sixteen bytes..."),
	}
	if _, created, err := s.PutMessage(t.Context(), m); err != nil || !created {
		t.Fatal(created, err)
	}
	of := func(n int) reaction.Reaction {
		user := chat.UserID(fmt.Sprintf("0a1b2c3d-4e5f-4a6b-8c7d-%012d", n)) // as long as a Cognito subject
		return reaction.Reaction{Room: "seattle", Message: m.ID, Emoji: "👍", User: user, ReceivedAt: now}
	}
	count := func(want int) func() error {
		return func() error {
			got, err := s.ReactionCounts(t.Context(), "seattle", m.ID)
			if err == nil && (len(got) != 1 || got[0].Count != want) {
				err = fmt.Errorf("counted %+v, want %d", got, want)
			}
			return err
		}
	}
	fill := func(from, to int) func() error {
		return func() error {
			for n := from; n < to; n++ {
				if _, err := reactions.Put(t.Context(), of(n)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for _, tt := range []struct {
		name                  string
		do                    func() error
		maxReads, exactWrites float64
	}{
		{"react", fill(0, 1), 0, 2},
		{"react again", fill(0, 1), 0, 0}, // billed as 1, which a failed response does not report
		{"99 more react", fill(1, 100), 0, 198},
		{"who reacted, 20", func() error {
			_, _, err := reactions.Reactors(t.Context(), reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "👍", Limit: 19})
			return err
		}, 1, 0},
		{"one's own of a page", func() error {
			_, err := reactions.Own(t.Context(), reaction.OwnQuery{User: of(0).User, Room: "seattle", First: now, Last: now})
			return err
		}, 0.5, 0},
		{"read the tally", func() error { _, _, err := s.Counted(t.Context(), "seattle", m.ID); return err }, 1, 0},
		{"count 100 rows", count(100), 8, 0},
		{"write the tally", func() error {
			_, err := s.PutTally(t.Context(), "seattle", m.ID, chat.Tally{Version: 1, Reactions: []chat.ReactionCount{{Emoji: "👍", Count: 100}}})
			return err
		}, 0, 2},
		{"take a reaction back", func() error { _, err := reactions.Delete(t.Context(), of(0)); return err }, 0, 2},
		{"901 more react", fill(100, 1001), 0, 1802},
		{"count 1,000 rows", count(1000), 75, 0},
	} {
		reads, writes = 0, 0
		if err := tt.do(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		t.Logf("%-20s %5.1f R %6.1f W", tt.name, reads, writes)
		if reads > tt.maxReads || writes != tt.exactWrites {
			t.Errorf("%s: %.1f R and %.1f W, want at most %.1f R and %.1f W", tt.name, reads, writes, tt.maxReads, tt.exactWrites)
		}
	}
}
