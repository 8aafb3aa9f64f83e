package storetest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/internal/app"
	"parley/internal/chat"
)

func wantBlocks(t *testing.T, s app.Store, user chat.UserID, want ...chat.UserID) {
	t.Helper()
	got, err := s.Blocks(t.Context(), user)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("blocks of %s: %v (-want +got):\n%s", user, err, d)
	}
}

func blocksAreASet(t *testing.T, s app.Store) {
	block := func(user, blocked chat.UserID, want bool) {
		t.Helper()
		if ok, err := s.Block(t.Context(), user, blocked, 2); ok != want || err != nil {
			t.Errorf("%s blocks %s: %v, %v, want %v", user, blocked, ok, err, want)
		}
	}
	unblock := func(user, blocked chat.UserID) {
		t.Helper()
		if err := s.Unblock(t.Context(), user, blocked); err != nil {
			t.Error(err)
		}
	}
	wantBlocks(t, s, "amsg")
	unblock("amsg", "bob") // never blocked
	wantBlocks(t, s, "amsg")
	block("amsg", "carl", true)
	block("amsg", "bob", true)
	block("amsg", "bob", true) // once more, though the list is full
	block("amsg", "dora", false)
	block("am", "dora", true)
	wantBlocks(t, s, "amsg", "bob", "carl")
	wantBlocks(t, s, "bob")
	unblock("am", "carl") // another person's
	unblock("amsg", "dora")
	unblock("amsg", "carl")
	block("amsg", "dora", true)
	wantBlocks(t, s, "amsg", "bob", "dora")
	unblock("amsg", "bob")
	unblock("amsg", "dora")
	unblock("amsg", "dora")
	wantBlocks(t, s, "amsg")
	block("amsg", "a-user-of.all:signs_@|+=", true)
	wantBlocks(t, s, "amsg", "a-user-of.all:signs_@|+=")
	wantBlocks(t, s, "am", "dora")
}

func blockersAreFound(t *testing.T, s app.Store) {
	const people = 210 // more than two batches
	var among, want []chat.UserID
	for n := range people {
		user := chat.UserID(fmt.Sprintf("user-%03d", n))
		among = append(among, user)
		for _, blocked := range [][]chat.UserID{{}, {"bob"}, {"eve"}, {"bob", "eve"}}[n%4] {
			if ok, err := s.Block(t.Context(), user, blocked, people); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		if n%4 == 2 {
			if err := s.Unblock(t.Context(), user, "eve"); err != nil {
				t.Fatal(err)
			}
		}
		if n%4 == 3 {
			want = append(want, user)
		}
	}
	got, err := s.Blockers(t.Context(), "eve", among)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("who has blocked eve: %v (-want +got):\n%s", err, d)
	}
	if got, err := s.Blockers(t.Context(), "eve", nil); len(got) != 0 || err != nil {
		t.Errorf("among nobody: %v, %v", got, err)
	}
}

func concurrentBlocks(t *testing.T, s app.Store) {
	const people, limit = 16, 8
	var mu sync.Mutex
	admitted := 0
	var all sync.WaitGroup
	for n := range people {
		all.Go(func() {
			ok, err := s.Block(t.Context(), "amsg", chat.UserID(fmt.Sprintf("user-%d", n)), limit)
			mu.Lock()
			defer mu.Unlock()
			if ok {
				admitted++
			}
			if err != nil && chat.KindOf(err) != chat.Unavailable {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := s.Blocks(t.Context(), "amsg")
	if err != nil || len(got) != admitted || admitted > limit {
		t.Errorf("%d people are blocked, %d were admitted: %v", len(got), admitted, err)
	}
}
