package storetest

import (
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/app"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/ratelimit"
)

// budgetTests are the tests of what people spend.
var budgetTests = []contractTest{
	{"a budget is spent until it is empty, and refills", budgetIsSpent},
	{"budgets and a suspension leave one another alone", budgetsAndSuspension},
	{"concurrent spending adds up", concurrentSpending},
}

func budgetIsSpent(t *testing.T, s app.Stores) {
	const window = 3 * time.Second
	full := start
	for _, step := range []struct {
		after time.Duration // since start
		by    time.Duration
		full  bool // the guess
		spent bool
		want  time.Duration // the stored instant, since start
	}{
		{0, 2 * time.Second, true, true, 2 * time.Second},
		{0, time.Second, true, true, 3 * time.Second}, // a wrong guess
		{0, time.Second, false, false, 3 * time.Second},
		{0, time.Second, true, false, 3 * time.Second},
		{time.Microsecond, 5 * time.Second, false, true, 8 * time.Second},
		{5 * time.Second, time.Second, false, false, 8 * time.Second},
		{5*time.Second + time.Microsecond, time.Microsecond, false, true, 8*time.Second + time.Microsecond},
		{time.Minute, time.Second, false, true, time.Minute + time.Second},                 // a wrong guess
		{time.Minute + time.Second, time.Second, false, true, time.Minute + 2*time.Second}, // full just now
		{time.Hour, time.Second, true, true, time.Hour + time.Second},
		// The clock was an hour ahead: nobody waits until then.
		{2 * time.Minute, time.Second, true, true, 2*time.Minute + time.Second},
		{time.Hour, time.Second, true, true, time.Hour + time.Second},
		{2 * time.Minute, time.Second, false, true, 2*time.Minute + time.Second},                 // a wrong guess
		{2*time.Minute - 18*time.Second, time.Second, false, false, 2*time.Minute + time.Second}, // within trust
	} {
		p := ratelimit.Spending{Limit: ratelimit.Messages, Now: start.Add(step.after), By: step.by, Below: window, Trust: 20 * time.Second, Full: step.full}
		got, spent, err := dynamo.NewBudgets(s.Table()).Spend(t.Context(), "bob", p)
		if err != nil || spent != step.spent || !got.Equal(start.Add(step.want)) {
			t.Errorf("%+v: spent %v until %v, %v", step, spent, got.Sub(start), err)
		}
		full = start.Add(step.want)
	}
	a, err := account.NewStore(s.Table()).Account(t.Context(), "bob")
	if want := (account.Account{Budgets: ratelimit.Budgets{ratelimit.Messages: full}}); err != nil || a != want {
		t.Errorf("the account is %+v, %v, want %+v", a, err, want)
	}
	if a, err := account.NewStore(s.Table()).Account(t.Context(), "bo"); err != nil || a != (account.Account{}) {
		t.Errorf("another account is %+v, %v", a, err)
	}
}

func budgetsAndSuspension(t *testing.T, s app.Stores) {
	want := account.Account{}
	spend := func(id ratelimit.ID) {
		p := ratelimit.Spending{Limit: id, Now: start, By: time.Minute, Below: time.Hour, Trust: 3 * time.Hour, Full: true}
		if _, spent, err := dynamo.NewBudgets(s.Table()).Spend(t.Context(), "bob", p); err != nil || !spent {
			t.Errorf("%v: spent %v, %v", id, spent, err)
		}
		want.Budgets[id] = start.Add(time.Minute)
	}
	wantAccount := func() {
		t.Helper()
		if got, err := account.NewStore(s.Table()).Account(t.Context(), "bob"); err != nil || got != want {
			t.Errorf("the account is %+v, %v, want %+v", got, err, want)
		}
	}
	spend(ratelimit.Writes)
	want.Suspension = account.Suspension{At: start, By: "help-desk"}
	if _, err := account.NewStore(s.Table()).Suspend(t.Context(), "bob", want.Suspension); err != nil {
		t.Fatal(err)
	}
	wantAccount()
	for _, id := range ratelimit.IDs() {
		if id != ratelimit.Writes {
			spend(id)
		}
	}
	wantAccount()
	want.Suspension = account.Suspension{}
	want.Ended = account.Ending{At: start, By: "desk"}
	if _, err := account.NewStore(s.Table()).EndSuspension(t.Context(), "bob", want.Ended); err != nil {
		t.Fatal(err)
	}
	wantAccount()
}

func concurrentSpending(t *testing.T, s app.Stores) {
	const writers = 8
	var all sync.WaitGroup
	for n := range writers {
		all.Go(func() {
			p := ratelimit.Spending{Limit: ratelimit.Reads, Now: start, By: time.Second, Below: time.Hour, Trust: 3 * time.Hour, Full: n%2 == 0}
			if _, spent, err := dynamo.NewBudgets(s.Table()).Spend(t.Context(), "bob", p); err != nil || !spent {
				t.Errorf("spent %v, %v", spent, err)
			}
		})
	}
	all.Wait()
	a, err := account.NewStore(s.Table()).Account(t.Context(), "bob")
	if want := start.Add(writers * time.Second); err != nil || !a.Budgets[ratelimit.Reads].Equal(want) {
		t.Errorf("%+v, %v, want %v", a.Budgets, err, want)
	}
}
