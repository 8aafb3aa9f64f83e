package shard

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestJump_AgreesWithTheReferenceImplementation(t *testing.T) {
	for _, tt := range []struct {
		key  uint64
		n    int
		want int
	}{{1, 1, 0}, {42, 57, 43}, {0xDEAD10CC, 1, 0}, {0xDEAD10CC, 666, 361}, {256, 1024, 520}} {
		if got := jump(tt.key, tt.n); got != tt.want {
			t.Errorf("jump(%d, %d) = %d, want %d", tt.key, tt.n, got, tt.want)
		}
	}
}

// TestForUser_NeverChanges pins the shards of some users. They are part of the storage format: a
// change would lose messages.
func TestForUser_NeverChanges(t *testing.T) {
	for user, want := range map[string]string{
		"amsg": "0 1 2 2 12 45", "alice": "0 0 3 3 15 39", "Alice": "0 1 2 2 2 40", "al": "0 1 1 1 1 50", "z|z": "0 0 2 2 2 16",
	} {
		var got []int
		for _, n := range []int{1, 2, 4, 8, 16, 64} {
			got = append(got, ForUser(user, n))
		}
		if s := fmt.Sprint(got); s != "["+want+"]" {
			t.Errorf("shards of %s are %s, want [%s]", user, s, want)
		}
	}
}

func TestForUser_GrowthMovesUsersToNewShardsOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		user := rapid.String().Draw(t, "user")
		a := rapid.IntRange(1, 64).Draw(t, "a")
		b := rapid.IntRange(a, 64).Draw(t, "b")
		before, after := ForUser(user, a), ForUser(user, b)
		if before < 0 || before >= a || after < 0 || after >= b {
			t.Fatalf("shards %d of %d and %d of %d", before, a, after, b)
		}
		if before != after && after < a {
			t.Fatalf("from %d to %d shards, %q moved from %d to the old shard %d", a, b, user, before, after)
		}
	})
}

func TestForUser_SpreadsUsersEvenly(t *testing.T) {
	const users, n = 16_000, 16
	count := make([]int, n)
	for i := range users {
		count[ForUser(fmt.Sprintf("user-%d", i), n)]++
	}
	for s, c := range count {
		// Five standard deviations of a fair draw are 153.
		if c < users/n-153 || c > users/n+153 {
			t.Errorf("shard %d has %d of %d users", s, c, users)
		}
	}
}

func at(s int64) time.Time { return time.Unix(s, 0).UTC() }

// margins are a day and two seconds.
var margins = Margins{MaxSendDelay: 24 * time.Hour, MaxClockAhead: 2 * time.Second}

func TestEpochs(t *testing.T) {
	day := int64(24 * 60 * 60)
	e := Epochs{{at(0), 2}, {at(10 * day), 8}, {at(20 * day), 4}}
	if err := e.Validate(64); err != nil {
		t.Fatal(err)
	}
	for s, want := range map[int64]int{0: 2, 10*day - 1: 2, 10 * day: 8, 20*day - 1: 8, 20 * day: 4, 99 * day: 4} {
		if got := e.At(at(s)).N; got != want {
			t.Errorf("at %d there are %d shards, want %d", s, got, want)
		}
	}
	open := time.Time{}
	for _, tt := range []struct {
		name     string
		from, to time.Time
		want     int
	}{
		{"an open range touches all epochs", open, open, 8},
		{"a range before growth reaches the first shards", open, at(10*day - 2), 2},
		{"a range that ends just before growth may hold messages sent ahead", open, at(10*day - 1), 8},
		{"a range long after a shrink reaches the last shards", at(21*day + 1), open, 4},
		{"a range within a day after a shrink may hold messages sent before it", at(21*day - 1), open, 8},
		{"an empty range still has an epoch", at(5 * day), at(5 * day), 2},
	} {
		if got := e.Reach(tt.from, tt.to, margins); got != tt.want {
			t.Errorf("%s: reach %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestReach_CoversEveryPossibleShard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := Epochs{{at(0), rapid.IntRange(1, 64).Draw(t, "n")}}
		for range rapid.IntRange(0, 4).Draw(t, "epochs") {
			next := e.Last().From.Add(time.Duration(rapid.IntRange(1, 200_000).Draw(t, "gap")) * time.Second)
			e = append(e, Epoch{next, rapid.IntRange(1, 64).Draw(t, "n")})
		}
		received := at(int64(rapid.IntRange(100_000, 1_000_000).Draw(t, "received")))
		sent := received.Add(time.Duration(rapid.IntRange(-86_400_000, 2000).Draw(t, "skew")) * time.Millisecond)
		from := received.Add(-time.Duration(rapid.IntRange(0, 1000).Draw(t, "before")) * time.Second)
		to := received.Add(time.Duration(rapid.IntRange(1, 1000).Draw(t, "after")) * time.Millisecond)

		s := ForUser("amsg", e.At(sent).N)
		if s >= e.Reach(from, to, margins) {
			t.Fatalf("a message sent %v, received %v is in shard %d, beyond the reach of [%v, %v)", sent, received, s, from, to)
		}
		first, end, ok := e.Window(s, from, to, margins)
		if !ok || received.Before(first) || !end.IsZero() && !received.Before(end) {
			t.Fatalf("a message received %v is in shard %d, whose window is [%v, %v), %v", received, s, first, end, ok)
		}
		if shards := e.OfUser("amsg", sent, sent.Add(time.Millisecond)); !slices.Contains(shards, s) {
			t.Fatalf("a message sent %v is in shard %d, not among %v", sent, s, shards)
		}
	})
}

func TestWindow_EndsADayAfterAShrink(t *testing.T) {
	day := int64(24 * 60 * 60)
	e := Epochs{{at(0), 2}, {at(10 * day), 8}, {at(20 * day), 4}}
	open := time.Time{}
	for _, tt := range []struct {
		name       string
		shard      int
		from, to   time.Time
		first, end time.Time
		ok         bool
	}{
		{"the first shard may always have messages", 0, open, open, open, open, true},
		{"a shard begins with its epoch, except for messages sent ahead", 3, open, open, at(10*day - 2), open, true},
		{"a shard ends a day after its epoch", 7, open, open, at(10*day - 2), at(21 * day), true},
		{"the range bounds a window", 7, at(15 * day), at(16 * day), at(15 * day), at(16 * day), true},
		{"a range that begins later has none", 7, at(21 * day), open, open, open, false},
		{"a range that ends before has none", 7, open, at(10*day - 2), open, open, false},
		{"no epoch has the shard", 9, open, open, open, open, false},
	} {
		first, end, ok := e.Window(tt.shard, tt.from, tt.to, margins)
		if !first.Equal(tt.first) || !end.Equal(tt.end) || ok != tt.ok {
			t.Errorf("%s: [%v, %v) %v, want [%v, %v) %v", tt.name, first, end, ok, tt.first, tt.end, tt.ok)
		}
	}
}

func TestWith_BeginsAtAWholeSecond(t *testing.T) {
	e := Fixed(1).With(4, at(7).Add(time.Millisecond))
	if want := (Epochs{{at(0), 1}, {at(8), 4}}); !slices.Equal(e, want) {
		t.Errorf("got %v, want %v", e, want)
	}
	if got := e.With(4, at(9)); got != nil {
		t.Errorf("an epoch with as many shards was added: %v", got)
	}
	if got := e.With(2, at(5)).Last(); got.From != at(9) {
		t.Errorf("an epoch that would begin before the last begins at %v, want a second after it", got.From)
	}
}

func TestTarget(t *testing.T) {
	grown := Epochs{{at(0), 1}, {at(9), 16}}
	full := slices.Repeat(Epochs{{at(0), 16}}, MaxEpochs)
	for _, tt := range []struct {
		name string
		e    Epochs
		load Load
		want int
	}{
		{"half of what the shards take is not too much", grown, Load{Rate: 8000}, 16},
		{"more is", grown, Load{Rate: 8001}, 32},
		{"a jump skips numbers", Fixed(1), Load{Rate: 9000}, 32},
		{"a room grows no further than it may", grown, Load{Rate: 90_000}, 64},
		{"a quiet room shrinks after a day", grown, Load{Rate: 1, Mean: 1300, Age: ShrinkAfter}, 4},
		{"a room that is busy now does not", grown, Load{Rate: 1400, Mean: 1, Age: ShrinkAfter}, 16},
		{"nor one that was busy most of the time", grown, Load{Rate: 1, Mean: 1400, Age: ShrinkAfter}, 16},
		{"nor one that has grown today", grown, Load{Age: ShrinkAfter - 1}, 16},
		{"the last epochs are for growth", full[:MaxEpochs-growthEpochs], Load{Age: ShrinkAfter}, 16},
		{"which uses them", full[:MaxEpochs-1], Load{Rate: 9000}, 32},
		{"until there are none left", full, Load{Rate: 9000}, 16},
	} {
		if got := StandardRule().Target(tt.e, tt.load, 64); got != tt.want {
			t.Errorf("%s: %d shards, want %d", tt.name, got, tt.want)
		}
	}
}

func TestValidate_RefusesImpossibleEpochs(t *testing.T) {
	for name, e := range map[string]Epochs{
		"none":                   {},
		"no beginning":           {{at(5), 1}},
		"no shards":              {{at(0), 0}},
		"too many shards":        {{at(0), 65}},
		"a step back":            {{at(0), 1}, {at(9), 2}, {at(8), 4}},
		"two at the same second": {{at(0), 1}, {at(0), 2}},
	} {
		if e.Validate(64) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestFill_UsesWholeUnits(t *testing.T) {
	for _, tt := range []struct {
		name  string
		want  int
		share float64
		bytes int
		full  int
		short int
	}{
		{"one shard returns the page and the rest of its last unit", 51, 1, 300, 52, 52},
		{"each of 16 shards returns one unit", 51, 1.0 / 16, 300, 13, 13},
		{"each of 8 shards returns one unit", 51, 1.0 / 8, 300, 13, 13},
		{"each of 8 shards returns 6 units, or 5", 201, 1.0 / 8, 600, 39, 32},
		{"items of a unit each are queried with the reserve", 201, 1.0 / 16, 4096, 21, 16},
		{"items larger than a unit are queried without a reserve", 10, 1, 9000, 10, 10},
		{"a shard without expected items is queried for a unit", 10, 0, 300, 13, 13},
	} {
		if got := Fill(tt.want, tt.share, tt.bytes, Short); got != tt.short {
			t.Errorf("%s, of a page that may be short: %d, want %d", tt.name, got, tt.short)
		}
		if got := Fill(tt.want, tt.share, tt.bytes, Full); got != tt.full {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.full)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.IntRange(1, 201).Draw(t, "want")
		bytes := rapid.IntRange(0, 40_000).Draw(t, "bytes")
		if got := Fill(want, 1, bytes, Full); got < want {
			t.Fatalf("a single shard is queried for %d of %d", got, want)
		}
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		if got := Fill(want, share, bytes, Short); got < 1 {
			t.Fatalf("a shard is queried for %d", got)
		}
	})
}
