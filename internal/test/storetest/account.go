package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
)

// accountTests are the tests of accounts.
var accountTests = []contractTest{
	{"a suspension is set once and ends", suspensionIsSetOnce},
	{"one of several concurrent suspensions is stored", concurrentSuspensions},
}

func wantSuspension(t *testing.T, s app.Store, user chat.UserID, want account.Suspension) {
	t.Helper()
	for _, read := range []func(context.Context, chat.UserID) (account.Account, error){s.Account, s.CurrentAccount} {
		got, err := read(t.Context(), user)
		if err != nil || got.Suspension != want {
			t.Errorf("the account of %s is %+v, %v, want the suspension %+v", user, got, err, want)
		}
	}
}

func suspensionIsSetOnce(t *testing.T, s app.Store) {
	none := account.Suspension{}
	first := account.Suspension{At: start, By: "help-desk", Reason: "spam\nagain"}
	SetsEveryField(t, first)
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

func concurrentSuspensions(t *testing.T, s app.Store) {
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
