package slack

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
)

func TestRoomIDs(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70)
	for _, c := range []struct {
		why  string
		want map[string]chat.RoomID
	}{
		{"underscores are dashes, edges are dropped, letters are lower",
			map[string]chat.RoomID{"get_help": "get-help", "_lab-": "lab", "Big.Room": "big-room"}},
		{"on a collision the exact name keeps its id",
			map[string]chat.RoomID{"lab": "lab", "_lab": "lab-2", "lab-": "lab-3"}},
		{"a taken number is skipped",
			map[string]chat.RoomID{"lab": "lab", "lab-2": "lab-2", "lab_": "lab-3"}},
		{"without an exact name, the first in byte order gets the plain id",
			map[string]chat.RoomID{"Lab": "lab", "lab_": "lab-2"}},
		{"long names are cut, and cut again for a number",
			map[string]chat.RoomID{long: chat.RoomID(long[:64]), long + "y": chat.RoomID(long[:62] + "-2")}},
		{"a name without letters or digits becomes a digest",
			map[string]chat.RoomID{"雑談": "channel-e7e59be0", "__": "channel-9911f4d2"}},
		{"no id has the form of private rooms",
			map[string]chat.RoomID{"p-abcdefghij0123456789": "channel-p-abcdefghij0123456789", "p-team": "channel-p-team"}},
	} {
		got := roomIDs(slices.Collect(maps.Keys(c.want)))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.why, diff)
		}
	}
}

func TestRoomIDs_ValidDistinctAndStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfDistinct(rapid.OneOf(
			rapid.StringMatching(`[ab_-]{1,4}(-[23])?`),
			rapid.StringMatching(`p[_-][a-z0-9]{20}`),
			rapid.StringMatching(`[aB_]{60,70}`),
			rapid.StringN(1, 20, 80),
		), rapid.ID[string]).Draw(t, "names")
		ids := roomIDs(names)
		seen := map[chat.RoomID]bool{}
		for _, name := range names {
			id := ids[name]
			if _, err := chat.ParseRoomID(string(id)); err != nil || id.Private() || seen[id] {
				t.Fatalf("%q became %q in %v", name, id, ids)
			}
			seen[id] = true
			if exact, err := chat.ParseRoomID(name); err == nil && !exact.Private() && id != exact {
				t.Fatalf("%q lost its id to %v", name, ids)
			}
		}
		if diff := cmp.Diff(ids, roomIDs(rapid.Permutation(names).Draw(t, "order"))); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got := oneLine("a\nb\x00é", 5); got != "a b " {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		limit := rapid.IntRange(0, 20).Draw(t, "limit")
		got := oneLine(s, limit)
		if len(got) > limit || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\t\x00") {
			t.Fatalf("%q", got)
		}
	})
}
