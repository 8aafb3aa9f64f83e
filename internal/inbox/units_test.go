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
)

var update = flag.Bool("update", false, "write the table in docs/quotas.md anew")

const (
	unitsPage = "../../docs/quotas.md"
	// defaultRooms is the number of rooms that a hello without a list subscribes to.
	defaultRooms = 30
	tableBegins  = "| rooms | heads of all | a page of 50 | all pages, of 200 | rooms of a hello | check before joining |\n"
)

// TestRoomsOf_UnitsOfManyRooms measures the lists of a person in 1, 100 and 1,000 rooms, each with
// an unread message, and compares them with docs/quotas.md.
func TestRoomsOf_UnitsOfManyRooms(t *testing.T) {
	t.Parallel()
	w, metered, meter := newMeteredFixture(t)
	var b strings.Builder
	b.WriteString(tableBegins + "| ---: | ---: | ---: | ---: | ---: | ---: |\n")
	made := 0
	for _, rooms := range []int{1, 100, chat.MaxRooms} {
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
		fmt.Fprintf(&b, "| %d | %.1f R | %.1f R | %.1f R | %.1f R | %.1f R |\n", rooms,
			read(func(ctx context.Context) error {
				heads, err := metered.Inbox.RoomHeads(ctx, "maker")
				if len(heads) != rooms || slices.ContainsFunc(heads, func(h inbox.RoomHead) bool { return h.Messages != 1 }) {
					t.Errorf("the heads of %d rooms are %v", rooms, heads)
				}
				return err
			}),
			read(func(ctx context.Context) error { _, err := unreadOf(ctx, metered.Inbox.RoomsOf, 50, 1); return err }),
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
				if kind := chat.KindOf(err); kind == chat.Conflict && rooms == chat.MaxRooms {
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
	_, after, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatalf("%s has no table that begins with %s", unitsPage, tableBegins)
	}
	want := before + b.String() + "\n" + after
	if *update {
		if err := os.WriteFile(unitsPage, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("%s is stale; go test ./internal/inbox -run UnitsOfManyRooms -args -update writes it. Got\n%s", unitsPage, b.String())
	}
}

// roomOf creates a room of a person with an unread message.
func (w *fixture) roomOf(owner chat.UserID, n int) {
	w.t.Helper()
	room := chat.Room{ID: chat.RoomID(fmt.Sprintf("room-%04d", n)), Name: "A room", CreatedBy: owner, CreatedAt: w.clock.Now().UTC(), Shards: 1, DigestKey: []byte("k")}
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
