package restore_test

import (
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// suspended suspends a person, and ends it again if ends is true.
func (l *live) suspended(user chat.UserID, ends bool) {
	l.Helper()
	if _, err := l.Accounts.Suspend(l.Context(), "desk", user, "spam"); err != nil {
		l.Fatal(err)
	}
	l.passes(time.Second)
	if !ends {
		return
	}
	if _, err := l.Accounts.EndSuspension(l.Context(), "desk", user); err != nil {
		l.Fatal(err)
	}
	l.passes(time.Second)
}

// wantSuspended compares who is suspended in a table.
func (w *world) wantSuspended(name string, want map[chat.UserID]bool) {
	w.Helper()
	store := dynamo.New(w.db, dynamo.Options{Table: name, Clock: w.clock})
	for user, suspended := range want {
		a, err := store.CurrentAccount(w.Context(), user)
		if err != nil || a.Suspension.IsZero() == suspended {
			w.Errorf("%s in %s: %+v, %v, want suspended %v", user, name, a, err, suspended)
		}
	}
}

// TestCopy_SuspensionThatEndedStaysEnded copies from a table as of before some suspensions ended. Those
// that the current table has lost are put back, and no others.
func TestCopy_SuspensionThatEndedStaysEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.live("old")
	l.suspended("ann", false)
	l.suspended("bob", false)
	point := w.now
	w.snapshot("old", "restored")
	w.passes(time.Minute)
	if _, err := l.Accounts.EndSuspension(t.Context(), "desk", "ann"); err != nil {
		t.Fatal(err)
	}
	w.lose("old", table.AccountKey("bob"))
	w.copied(w.options("restored", "old", point))
	w.wantSuspended("old", map[chat.UserID]bool{"ann": false, "bob": true})
	if again := w.copied(w.options("restored", "old", point)); again.Changes() != 0 {
		t.Errorf("a second run: %v", again)
	}
}

// TestDeletions_SuspendsThoseWhoWereSuspendedSince continues with a table as of before some people were
// suspended: for the first time, and again.
func TestDeletions_SuspendsThoseWhoWereSuspendedSince(t *testing.T) {
	t.Parallel()
	for name, apply := range map[string]func(*world, time.Time) int{
		"deletions": func(w *world, point time.Time) int {
			return w.deletions(w.options("old", "restored", point)).Changes()
		},
		"copy": func(w *world, point time.Time) int { return w.copied(w.options("old", "restored", point)).Changes() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			l := w.live("old")
			l.suspended("ann", true)
			l.suspended("bob", true)
			l.suspended("dora", false)
			point := w.now
			w.snapshot("old", "restored")
			w.passes(time.Minute)
			l.suspended("ann", false)
			l.suspended("carl", false)
			if n := apply(w, point); n != 2 {
				t.Errorf("%d changes, want 2", n)
			}
			w.wantSuspended("restored", map[chat.UserID]bool{"ann": true, "bob": false, "carl": true, "dora": true})
			if n := apply(w, point); n != 0 {
				t.Errorf("a second run changes %d", n)
			}
		})
	}
}
