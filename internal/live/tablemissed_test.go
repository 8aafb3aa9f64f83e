package live_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/live"
	"example.com/parley/internal/test/storetest"
)

func missedRoomsAreKept(t *testing.T, s *live.Table) {
	ctx := t.Context()
	one := live.Missed{Connection: connectionOf("c1="), Room: "seattle", Head: 7, After: start.Add(time.Minute)}
	other := live.Missed{Connection: connectionOf("c1="), Room: "tacoma", Head: 3}
	storetest.SetsEveryField(t, one)
	wantMissed(ctx, t, s)
	put := func(all ...live.Missed) {
		t.Helper()
		if err := s.PutMissed(ctx, all, start); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(all ...live.Missed) {
		t.Helper()
		if err := s.DeleteMissed(ctx, all); err != nil {
			t.Fatal(err)
		}
	}
	put(one, other)
	wantMissed(ctx, t, s, one, other)
	earlier, later := one, one
	earlier.Head, later.Head, later.After = 6, 9, time.Time{}
	put(earlier)
	wantMissed(ctx, t, s, one, other)
	put(later)
	wantMissed(ctx, t, s, later, other)
	remove(one)
	wantMissed(ctx, t, s, later, other)
	remove(later, live.Missed{Connection: connectionOf("c2="), Room: "seattle"})
	wantMissed(ctx, t, s, other)
	remove(other)
	wantMissed(ctx, t, s)
}

func wantMissed(ctx context.Context, t *testing.T, s *live.Table, want ...live.Missed) {
	t.Helper()
	got, err := s.SomeMissed(ctx)
	slices.SortFunc(got, func(a, b live.Missed) int { return strings.Compare(string(a.Room), string(b.Room)) })
	if len(got) == 0 {
		got = nil
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}
