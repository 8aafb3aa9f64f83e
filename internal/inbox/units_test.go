package inbox_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/test/nightly"
)

var update = flag.Bool("update", false, "write the table in docs/quotas.md anew")

const (
	unitsPage = "../../docs/quotas.md"
	// defaultRooms is the number of rooms that a hello without a list subscribes to.
	defaultRooms = 30
	// maxListed is the most rooms of a list.
	maxListed = 5000
	// nightRow begins the last row of the table, which is only measured at night.
	nightRow    = "| 5000 |"
	tableBegins = "| rooms | heads of all | a page of 50, with all heads | up to 50 by ids | all pages, of 200 | rooms of a hello | check before joining |\n"
)

// TestRoomsOf_UnitsOfManyRooms measures the lists of a person in 30, 131, 1,000 and, at night, 5,000
// rooms, each with an unread message, and compares them with docs/quotas.md.
func TestRoomsOf_UnitsOfManyRooms(t *testing.T) {
	t.Parallel()
	w, metered, meter := newMeteredFixture(t)
	var b strings.Builder
	b.WriteString(tableBegins + "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	made := 0
	for _, rooms := range nightly.Share([]int{defaultRooms, 131, chat.MaxRooms, maxListed}, 3) {
		for ; made < rooms; made++ {
			w.roomOf("maker", made)
		}
		read := func(f func(context.Context) error) float64 {
			units, _, _ := meter.measured(t, func(ctx context.Context) {
				if err := f(ctx); err != nil {
					t.Error(err)
				}
			})
			return units
		}
		fmt.Fprintf(&b, "| %d | %.1f R | %.1f R | %.1f R | %.1f R | %.1f R | %.1f R |\n", rooms,
			read(func(ctx context.Context) error {
				heads, err := metered.Inbox.RoomHeads(ctx, "maker")
				if len(heads) != rooms || slices.ContainsFunc(heads, func(h inbox.RoomHead) bool { return h.Messages != 1 }) {
					t.Errorf("the heads of %d rooms are %v", rooms, heads)
				}
				return err
			}),
			read(func(ctx context.Context) error {
				_, heads, err := metered.Inbox.RoomsAndHeads(ctx, "maker", "maker", chat.PageRequest{Limit: 50})
				if len(heads) != rooms {
					t.Errorf("a page has %d heads", len(heads))
				}
				return err
			}),
			read(func(ctx context.Context) error {
				var ids []chat.RoomID
				for n := range min(rooms, 50) {
					ids = append(ids, roomID(n))
				}
				among, err := metered.Inbox.RoomsAmong(ctx, "maker", "maker", ids)
				if len(among) != len(ids) {
					t.Errorf("%d of %d rooms", len(among), len(ids))
				}
				return err
			}),
			read(func(ctx context.Context) error {
				n, err := unreadOf(ctx, metered.Inbox.RoomsOf, 200, rooms)
				if n != int64(rooms) {
					t.Errorf("%d messages are unread in %d rooms", n, rooms)
				}
				return err
			}),
			read(func(ctx context.Context) error {
				recent, err := metered.Inbox.Recent(ctx, "maker", defaultRooms)
				if len(recent) != min(rooms, defaultRooms) {
					t.Errorf("a hello has %d rooms", len(recent))
				}
				return err
			}),
			read(func(ctx context.Context) error {
				err := metered.CheckJoin(ctx, "maker", "maker")
				if kind := chat.KindOf(err); kind == chat.Conflict && rooms >= chat.MaxRooms {
					err = nil // none is archived
				}
				return err
			}))
	}
	text, err := os.ReadFile(unitsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), tableBegins)
	_, after, ends := strings.Cut(rest, nightRow)
	if !found || !ends {
		t.Fatalf("%s has no table that begins with %s and ends with %s", unitsPage, tableBegins, nightRow)
	}
	want := before + b.String()
	switch {
	case !nightly.Enabled():
		want += nightRow + after
	case *update:
		_, after, _ = strings.Cut(after, "\n")
		want += after
	}
	if *update {
		if err := os.WriteFile(unitsPage, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if !strings.HasPrefix(string(text), want) {
		t.Errorf("%s is stale; NIGHTLY=1 go test ./internal/inbox -run UnitsOfManyRooms -args -update writes it. Got\n%s", unitsPage, b.String())
	}
}

func roomID(n int) chat.RoomID { return chat.RoomID(fmt.Sprintf("room-%04d", n)) }

// roomOf creates a room of a person with an unread message.
func (w *fixture) roomOf(owner chat.UserID, n int) {
	w.t.Helper()
	room := chat.Room{ID: roomID(n), Name: "A room", CreatedBy: owner, CreatedAt: w.clock.Now().UTC(), Shards: 1, DigestKey: []byte("k")}
	if ok, err := w.store.CreateRoom(w.t.Context(), room, chat.OwnerOf(room, "Amsel Gruber")); err != nil || !ok {
		w.t.Fatal(ok, err)
	}
	w.said(room.ID, "bob", "hello")
}

// unreadOf reads pages of a person's rooms, until it has a number of rooms, and returns the sum of
// their unread messages.
func unreadOf(ctx context.Context, list func(context.Context, chat.UserID, chat.UserID, chat.PageRequest) (chat.Page[inboxRoom], error), limit, rooms int) (n int64, err error) {
	request := chat.PageRequest{Limit: limit}
	for seen := 0; seen < rooms; {
		page, err := list(ctx, "maker", "maker", request)
		if err != nil {
			return 0, err
		}
		for _, r := range page.Items {
			n += r.Reading.Unread
		}
		if seen += len(page.Items); page.Next == "" {
			break
		}
		request.Cursor = page.Next
	}
	return n, nil
}
