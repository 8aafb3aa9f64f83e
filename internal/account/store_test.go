package account_test

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/storetest"
	"example.com/parley/internal/test/tabletest"
)

// start is the time at which the tests of the store begin.
var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// TestStore_KeepsTheContract runs on every engine that Parley runs on.
func TestStore_KeepsTheContract(t *testing.T) {
	t.Parallel()
	tabletest.Keeps(t, "accounts", tabletest.Create, account.NewStore, map[string]func(*testing.T, account.Store){
		"a suspension is set once and ends":               suspensionIsSetOnce,
		"one of several concurrent suspensions is stored": concurrentSuspensions,
		"an erasure is requested once and made in steps":  erasureIsMadeInSteps,
	})
}

func wantSuspension(t *testing.T, s account.Store, user chat.UserID, want account.Suspension) {
	t.Helper()
	for _, read := range []func(context.Context, chat.UserID) (account.Account, error){s.Account, s.CurrentAccount} {
		got, err := read(t.Context(), user)
		if err != nil || got.Suspension != want {
			t.Errorf("the account of %s is %+v, %v, want the suspension %+v", user, got, err, want)
		}
	}
}

func suspensionIsSetOnce(t *testing.T, s account.Store) {
	none := account.Suspension{}
	first := account.Suspension{At: start, By: "help-desk", Reason: "spam\nagain"}
	storetest.SetsEveryField(t, first)
	wantSuspension(t, s, "bob", none)
	end := account.Ending{At: start.Add(time.Second), By: "desk"}
	if ended, err := s.EndSuspension(t.Context(), "bob", end); err != nil || !ended.IsZero() {
		t.Errorf("without a suspension: %+v, %v", ended, err)
	}
	for _, tried := range []account.Suspension{first, {At: start.Add(time.Second), By: "other"}} {
		if got, err := s.Suspend(t.Context(), "bob", tried); err != nil || got != first {
			t.Errorf("suspend: %+v, %v", got, err)
		}
	}
	wantSuspension(t, s, "bob", first)
	wantSuspension(t, s, "bo", none)
	for _, tried := range []account.Ending{end, {At: start.Add(2 * time.Second), By: "other"}} {
		if ended, err := s.EndSuspension(t.Context(), "bob", tried); err != nil || ended != end {
			t.Errorf("the end: %+v, %v, want %+v", ended, err, end)
		}
	}
	wantSuspension(t, s, "bob", none)
	second := account.Suspension{At: start.Add(time.Minute), By: "other"}
	if got, err := s.Suspend(t.Context(), "bob", second); err != nil || got != second {
		t.Errorf("once more: %+v, %v", got, err)
	}
	wantSuspension(t, s, "bob", second) // without the first one's reason
	again := account.Ending{At: start.Add(2 * time.Minute), By: "desk"}
	if ended, err := s.EndSuspension(t.Context(), "bob", again); err != nil || ended != again {
		t.Errorf("the end of the second one: %+v, %v, want %+v", ended, err, again)
	}
}

func concurrentSuspensions(t *testing.T, s account.Store) {
	var mu sync.Mutex
	returned := map[account.Suspension]bool{}
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			got, err := s.Suspend(t.Context(), "bob", account.Suspension{At: start.Add(time.Duration(n) * time.Second), By: "help-desk"})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			returned[got] = true
		})
	}
	all.Wait()
	if len(returned) != 1 {
		t.Errorf("several suspensions were returned: %v", returned)
	}
}

func erasureIsMadeInSteps(t *testing.T, s account.Store) {
	first := account.Erasure{At: start, By: "desk", Step: 1}
	storetest.SetsEveryField(t, first)
	want := func(want account.Erasure) {
		t.Helper()
		if a, err := s.CurrentAccount(t.Context(), "bob"); err != nil || a.Erasure != want {
			t.Errorf("the erasure is %+v, %v, want %+v", a.Erasure, err, want)
		}
	}
	if got, err := s.Erase(t.Context(), "bob", first); err != nil || got.InProgress() {
		t.Errorf("of somebody who is not suspended: %+v, %v", got, err)
	}
	if _, err := s.Suspend(t.Context(), "bob", account.Suspension{At: start, By: "desk"}); err != nil {
		t.Fatal(err)
	}
	for _, tried := range []account.Erasure{first, {At: start.Add(time.Second), By: "other", Step: 1}} {
		if got, err := s.Erase(t.Context(), "bob", tried); err != nil || got != first {
			t.Errorf("erase: %+v, %v, want %+v", got, err, first)
		}
	}
	end := account.Ending{At: start, By: "desk"}
	if ended, err := s.EndSuspension(t.Context(), "bob", end); chat.KindOf(err) != chat.Conflict {
		t.Errorf("the suspension ends meanwhile: %+v, %v", ended, err)
	}
	second := first
	second.Step = 2
	for range 2 { // a retry changes nothing
		if err := s.NextErasure(t.Context(), "bob", 1); err != nil {
			t.Error(err)
		}
		want(second)
	}
	for _, step := range []int64{1, 2, 2} {
		if err := s.EndErasure(t.Context(), "bob", step); err != nil {
			t.Error(err)
		}
		if step == 1 {
			want(second)
		}
	}
	ended := first
	ended.Step = 0
	want(ended)
	again := account.Erasure{At: start.Add(time.Minute), By: "other", Step: 1}
	if got, err := s.Erase(t.Context(), "bob", again); err != nil || got != again {
		t.Errorf("once more: %+v, %v", got, err)
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
