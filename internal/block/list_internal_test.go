package block

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/tabletest"
)

func newBlocks(t *testing.T) *Service {
	t.Helper()
	return NewService(dynamo.NewTable(tabletest.Start(t, "chat"), "chat", nil), time.Now)
}

func TestAdd_KeepsASet(t *testing.T) {
	t.Parallel()
	s := newBlocks(t)
	want := func(user chat.UserID, want ...chat.UserID) {
		t.Helper()
		if got, err := s.Blocks(t.Context(), user); !slices.Equal(got, want) || err != nil {
			t.Errorf("%s has blocked %v, %v, want %v", user, got, err, want)
		}
	}
	block := func(user, blocked chat.UserID, want bool) {
		t.Helper()
		if ok, err := s.add(t.Context(), user, blocked, 2); ok != want || err != nil {
			t.Errorf("%s blocks %s: %v, %v, want %v", user, blocked, ok, err, want)
		}
	}
	unblock := func(user, blocked chat.UserID) {
		t.Helper()
		if err := s.Unblock(t.Context(), user, blocked); err != nil {
			t.Error(err)
		}
	}
	want("amsg")
	unblock("amsg", "bob") // never blocked
	want("amsg")
	block("amsg", "carl", true)
	block("amsg", "bob", true)
	block("amsg", "bob", true) // once more, though the list is full
	block("amsg", "dora", false)
	block("am", "dora", true)
	want("amsg", "bob", "carl")
	want("bob")
	unblock("am", "carl") // another person's
	unblock("amsg", "dora")
	unblock("amsg", "carl")
	block("amsg", "dora", true)
	want("amsg", "bob", "dora")
	unblock("amsg", "bob")
	unblock("amsg", "dora")
	unblock("amsg", "dora")
	want("amsg")
	block("amsg", "a-user-of.all:signs_@|+=", true)
	want("amsg", "a-user-of.all:signs_@|+=")
	want("am", "dora")
}

func TestAdd_ConcurrentlyWithinTheLimit(t *testing.T) {
	t.Parallel()
	s := newBlocks(t)
	const people, limit = 16, 8
	var admitted atomic.Int64
	var all sync.WaitGroup
	for n := range people {
		all.Go(func() {
			ok, err := s.add(t.Context(), "amsg", chat.UserID(fmt.Sprintf("user-%d", n)), limit)
			if ok {
				admitted.Add(1)
			}
			if err != nil && chat.KindOf(err) != chat.Unavailable {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got, err := s.Blocks(t.Context(), "amsg")
	if err != nil || int64(len(got)) != admitted.Load() || len(got) > limit {
		t.Errorf("%d people are blocked, %d were admitted: %v", len(got), admitted.Load(), err)
	}
}
