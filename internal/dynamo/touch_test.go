package dynamo_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/tabletest"
)

// TestListPage_ReadsOnlyTheItemsReturned makes each query of rooms and members of a table that
// holds much more. The items read are those returned and at most one more, which shows whether the
// list continues.
func TestListPage_ReadsOnlyTheItemsReturned(t *testing.T) {
	t.Parallel()
	client := tabletest.Start(t, "touch")
	var items int
	var units float64
	store := dynamo.New(client, dynamo.Options{Table: "touch", Clock: time.Now, Observe: func(_ context.Context, u dynamo.Usage) {
		items += u.Items
		units += u.Units
	}})
	at := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	for i := range 40 {
		place := []string{"USA", fmt.Sprintf("S%d", i%4), fmt.Sprintf("C%d", i%8)}
		room := chat.Room{ID: chat.RoomID(fmt.Sprintf("room-%d", i)), Name: "n", CreatedBy: "maker", CreatedAt: at, Shards: 1, Place: place, DigestKey: []byte("k")}
		if ok, err := store.CreateRoom(t.Context(), room, chat.OwnerOf(room, "maker")); !ok || err != nil {
			t.Fatal(ok, err)
		}
		m := chat.Membership{Room: "room-0", User: chat.UserID(fmt.Sprintf("user-%d", i)), Name: fmt.Sprintf("Name %d", i), Role: policy.Member, JoinedAt: at}
		if ok, err := store.ChangeMembership(t.Context(), membership.Change{After: m}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	for i := range 200 { // items outside the lists are between items in them
		of := chat.Membership{Room: chat.RoomID(fmt.Sprintf("room-%d-x", i)), User: "maker", Name: "n", Role: policy.Banned, JoinedAt: at}
		if i%2 == 0 {
			of = chat.Membership{Room: "room-0", User: chat.UserID(fmt.Sprintf("user-%d-x", i)), Name: fmt.Sprintf("Name %d", i), Role: policy.Muted, Left: true, JoinedAt: at}
		}
		if ok, err := store.ChangeMembership(t.Context(), membership.Change{After: of}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	for _, q := range []struct {
		name string
		want int
		ask  func() (int, error)
	}{
		{"rooms of a country", 20, func() (int, error) {
			r, _, err := store.RoomsAt(t.Context(), []string{"USA"}, chat.ListPosition{}, 20)
			return len(r), err
		}},
		{"rooms of a state", 10, func() (int, error) {
			r, _, err := store.RoomsAt(t.Context(), []string{"USA", "S1"}, chat.ListPosition{}, 50)
			return len(r), err
		}},
		{"rooms of a city", 5, func() (int, error) {
			r, _, err := store.RoomsAt(t.Context(), []string{"USA", "S1", "C1"}, chat.ListPosition{}, 50)
			return len(r), err
		}},
		{"rooms of part of a name", 0, func() (int, error) {
			r, _, err := store.RoomsAt(t.Context(), []string{"US"}, chat.ListPosition{}, 50)
			return len(r), err
		}},
		{"members of a room", 30, func() (int, error) {
			m, _, err := store.Members(t.Context(), "room-0", chat.ListPosition{}, 30)
			return len(m), err
		}},
		{"one membership", 1, func() (int, error) {
			_, err := store.Membership(t.Context(), "room-0", "maker")
			return 1, err
		}},
		{"a ban", 1, func() (int, error) {
			_, err := store.Membership(t.Context(), "room-1-x", "maker")
			return 1, err
		}},
		{"no membership", 0, func() (int, error) {
			_, err := store.Membership(t.Context(), "room-1", "nobody")
			return 0, err
		}},
	} {
		items, units = 0, 0
		got, err := q.ask()
		if err != nil || got != q.want {
			t.Errorf("%s: %d, %v, want %d", q.name, got, err, q.want)
		}
		// 41 items of at most 400 bytes are 4 units of 4 KB, half of that for an eventual read.
		if items < got || items > got+1 || units > 2.5 {
			t.Errorf("%s: returns %d, read %d items for %.1f units", q.name, got, items, units)
		}
	}
}

// filters matches a query with a filter.
var filters = regexp.MustCompile(`Filter:|\.Filter\b`)

// TestStore_NeitherScansNorFilters limits reads to the items that they return: a scan reads all
// items, and a filter reads the items that it drops. The only filter, in log.go, hides expired log
// entries that are not yet removed; query.go passes it on.
func TestStore_NeitherScansNorFilters(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		if strings.Contains(string(text), "ScanInput") || strings.Contains(string(text), ".Scan(") {
			t.Errorf("%s scans", f)
		}
		isOwn := f == "query.go" || f == "check.go" // query.go passes it on, and the other checks its projection
		if strings.Contains(string(text), "FilterExpression") && f != "query.go" || filters.Match(text) && !isOwn && f != "log.go" {
			t.Errorf("%s filters", f)
		}
	}
}

// TestMembership_IsOneReadInEveryState: the read before every post is one call. It costs the same
// for members, strangers, and people who are banned or have left. So no cost distinguishes a hidden
// room from a missing one.
func TestMembership_IsOneReadInEveryState(t *testing.T) {
	t.Parallel()
	client := tabletest.Start(t, "member")
	var used []dynamo.Usage
	store := dynamo.New(client, dynamo.Options{Table: "member", Clock: time.Now, Observe: func(_ context.Context, u dynamo.Usage) { used = append(used, u) }})
	at := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	member := chat.Membership{Room: "seattle", User: "amsg", Name: "Amsel", Role: policy.Member, JoinedAt: at}
	banned, left := member, member
	banned.Role = policy.Banned
	left.Role, left.Left = policy.Muted, true
	before := chat.Membership{}
	for _, c := range []struct {
		name  string
		state chat.Membership
	}{
		{"a member", member}, {"one who is banned", banned}, {"a member again", member}, {"one who has left with a mute", left}, {"a stranger", chat.Membership{}},
	} {
		used = nil
		if ok, err := store.ChangeMembership(t.Context(), membership.Change{Before: before, After: c.state}); !ok || err != nil {
			t.Fatal(c.name, ok, err)
		}
		// Two items; the one in the index costs twice two units.
		if len(used) != 1 || used[0].Units > 8 {
			t.Errorf("to become %s: %+v", c.name, used)
		}
		used = nil
		if got, err := store.Membership(t.Context(), "seattle", "amsg"); err != nil || got != c.state {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
		if len(used) != 1 || used[0].Units != 1 {
			t.Errorf("of %s: %+v, want one read of one unit", c.name, used)
		}
		before = c.state
	}
}
