package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/saved"
)

// savedOf returns the nth entry of a list. Two at a time have the same time.
func savedOf(room chat.RoomID, n int) saved.Entry {
	return saved.Entry{Room: room, Message: pinOf(n).Message, At: start.Add(time.Duration(n/2) * time.Second)}
}

// wantSaved checks a person's list in pages of every size.
func wantSaved(t *testing.T, s app.Store, user chat.UserID, want map[saved.Entry]bool) {
	t.Helper()
	for limit := 1; limit <= len(want)+1; limit++ {
		got := map[saved.Entry]bool{}
		var last time.Time
		for after := (chat.ListPosition{}); ; {
			entries, next, err := s.SavedBy(t.Context(), user, after, limit)
			if err != nil || len(entries) > limit {
				t.Fatalf("%d entries, %v", len(entries), err)
			}
			for _, e := range entries {
				if got[e] || !last.IsZero() && e.At.After(last) {
					t.Errorf("in pages of %d: %+v is repeated, or not in order", limit, e)
				}
				got[e], last = true, e.At
			}
			if after = next; next == (chat.ListPosition{}) {
				break
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s, in pages of %d (-want +got):\n%s", user, limit, d)
		}
	}
}

func savedMessagesAreListed(t *testing.T, s app.Store) {
	want := map[saved.Entry]bool{}
	save := func(user chat.UserID, e saved.Entry) {
		t.Helper()
		if err := s.Save(t.Context(), user, e); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 7 {
		e := savedOf([]chat.RoomID{"seattle", "sea"}[n%2], n)
		save("bob", e)
		want[e] = true
	}
	save("bo", savedOf("seattle", 9))
	again := savedOf("seattle", 2)
	again.At = start.Add(time.Hour)
	save("bob", again) // keeps its place
	wantSaved(t, s, "bob", want)
	for range 2 {
		if err := s.Unsave(t.Context(), "bob", again); err != nil {
			t.Fatal(err)
		}
	}
	delete(want, savedOf("seattle", 2))
	wantSaved(t, s, "bob", want)
	wantSaved(t, s, "bo", map[saved.Entry]bool{savedOf("seattle", 9): true})
	wantSaved(t, s, "nobody", map[saved.Entry]bool{})
}
