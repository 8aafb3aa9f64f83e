package storetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/reaction"
)

var reactionTests = []contractTest{
	{"reactions are a set, listed by emoji", reactionsAreASet},
	{"a person's reactions are found by the time of the messages", ownReactionsAreFound},
	{"concurrent reactions are all stored", concurrentReactions},
}

// reactionsAreASet reacts with similar emoji by similar users, lists in pages of every size, and
// takes reactions back.
func reactionsAreASet(t *testing.T, s app.Store) {
	m := message("seattle", "amsg", start, start, 1)
	other := message("seattle", "amsg", start, start.Add(time.Second), 2)
	react := func(m chat.Message, user chat.UserID, emoji string) {
		t.Helper()
		r := reaction.Reaction{Room: m.Room, Message: m.ID, Emoji: emoji, User: user, ReceivedAt: m.ReceivedAt}
		SetsEveryField(t, r)
		for range 2 {
			if _, err := s.PutReaction(t.Context(), r); err != nil {
				t.Error(err)
			}
		}
	}
	want := slices.Sorted(slices.Values(similarIDs))
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
		if _, err := s.DeleteReaction(t.Context(), reaction.Reaction{Room: "seattle", Message: m.ID, Emoji: "👍", User: want[1]}); err != nil {
			t.Error(err)
		}
	}
	wantReactors(t, s, reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "👍", Limit: 50}, slices.Delete(slices.Clone(want), 1, 2)...)
}

// wantReactors reads all pages of a query.
func wantReactors(t *testing.T, s app.Store, q reaction.ReactorQuery, want ...chat.UserID) {
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
func ownReactionsAreFound(t *testing.T, s app.Store) {
	var all []reaction.Reaction
	for n := range 6 {
		room := chat.RoomID([]string{"seattle", "seattle-1"}[n%2])
		m := message(room, "amsg", start, start.Add(time.Duration(n)*time.Millisecond), n)
		for _, emoji := range []string{"👍", "❤"} {
			r := reaction.Reaction{Room: room, Message: m.ID, Emoji: emoji, User: "bob", ReceivedAt: m.ReceivedAt}
			others := r
			others.User = "bo"
			for _, r := range []reaction.Reaction{r, others} {
				if _, err := s.PutReaction(t.Context(), r); err != nil {
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
			found, err := s.OwnReactions(t.Context(), q)
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
func concurrentReactions(t *testing.T, s app.Store) {
	m := message("seattle", "amsg", start, start, 1)
	var people sync.WaitGroup
	var want []chat.UserID
	for n := range 16 {
		user := chat.UserID(fmt.Sprintf("user-%02d", n))
		if n%2 == 0 {
			want = append(want, user)
		}
		people.Go(func() {
			r := reaction.Reaction{Room: "seattle", Message: m.ID, Emoji: "👍", User: user, ReceivedAt: m.ReceivedAt}
			_, err := s.PutReaction(t.Context(), r)
			if n%2 == 1 && err == nil {
				_, err = s.DeleteReaction(t.Context(), r)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	people.Wait()
	wantReactors(t, s, reaction.ReactorQuery{Room: "seattle", Message: m.ID, Emoji: "👍", Limit: 5}, want...)
}
