package restore_test

import (
	"slices"
	"testing"
	"time"

	"example.com/parley/internal/account"
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
		a, err := account.NewStore(store.Table()).CurrentAccount(w.Context(), user)
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

// erased erases a person as the feed function would, except that their account is the only item.
func (l *live) erased(user chat.UserID) {
	l.Helper()
	if err := l.Accounts.Erase(l.Context(), "desk", user); err != nil {
		l.Fatal(err)
	}
	l.passes(time.Second)
}

// wantErasing compares whose erasure is in progress in a table.
func (w *world) wantErasing(name string, want map[chat.UserID]bool) {
	w.Helper()
	store := dynamo.New(w.db, dynamo.Options{Table: name, Clock: w.clock})
	for user, erasing := range want {
		a, err := account.NewStore(store.Table()).CurrentAccount(w.Context(), user)
		if err != nil || a.Erasure.InProgress() != erasing || erasing && a.Suspension.IsZero() {
			w.Errorf("%s in %s: %+v, %v, want erasing %v", user, name, a, err, erasing)
		}
	}
}

// TestDeletions_ErasesThoseWhoWereErasedSince continues with a table as of before people were deleted:
// one who stays so, and one who has begun anew.
func TestDeletions_ErasesThoseWhoWereErasedSince(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.live("old")
	store := dynamo.New(w.db, dynamo.Options{Table: "old", Clock: w.clock})
	l.erased("ann")
	if err := account.NewStore(store.Table()).EndErasure(t.Context(), "ann", 1); err != nil {
		t.Fatal(err)
	}
	point := w.now
	w.snapshot("old", "restored")
	w.passes(time.Minute)
	for _, user := range []chat.UserID{"bob", "carl"} {
		l.erased(user)
		if err := account.NewStore(store.Table()).EndErasure(t.Context(), user, 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Accounts.EndSuspension(t.Context(), "desk", "carl"); err != nil {
		t.Fatal(err)
	}
	w.deletions(w.options("old", "restored", point))
	w.wantErasing("restored", map[chat.UserID]bool{"ann": false, "bob": true, "carl": true, "dora": false})
	if again := w.deletions(w.options("old", "restored", point)); again.Changes() != 0 {
		t.Errorf("a second run: %v", again)
	}
}

// TestCopy_BringsBackNothingOfTheErased copies from a table as of before a person was deleted, and
// from one in which they have begun anew.
func TestCopy_BringsBackNothingOfTheErased(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.live("old")
	l.person("bob", "Bob", "Chief")
	before := w.now
	w.snapshot("old", "before")
	w.passes(time.Minute)
	l.erased("bob")
	l.person("bob", "Bob", "Chief") // after the deletion
	point := w.now
	w.snapshot("old", "after")
	var lost []table.Item
	for _, sk := range []string{"root", "current_title#Chief", "word#BOB"} {
		lost = append(lost, table.Key(table.PersonPK("bob"), sk))
	}
	w.lose("old", lost...)
	for _, from := range []struct {
		name  string
		point time.Time
		want  bool
	}{{"before", before, false}, {"after", point, true}} {
		w.copied(w.options(from.name, "old", from.point))
		for _, key := range lost {
			has := slices.ContainsFunc(w.items("old"), func(item table.Item) bool { return table.KeyText(item) == table.KeyText(key) })
			if has != from.want {
				t.Errorf("a copy of the table %s it: %s is there: %t", from.name, table.KeyText(key), has)
			}
		}
	}
}
