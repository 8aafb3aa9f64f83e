package reaction_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/reaction"
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
