package repair_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/repair"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

const tableName = "rooms"

var (
	old   = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	since = time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC)
	fresh = since.Add(time.Hour)
)

// unreadTable is a table whose stream has no reader.
type unreadTable struct {
	db    *dynamodb.Client
	store *dynamo.Store
	// repairs counts the repairs of each room.
	repairs map[chat.RoomID]int
	saved   []byte
}

// newTable returns a table with rooms that were written to since, in every way, and rooms that were
// not.
func newTable(t *testing.T) *unreadTable {
	t.Helper()
	w := &unreadTable{db: dynamo.LocalClient(enginetest.Start(t)), repairs: map[chat.RoomID]int{}}
	tabletest.Create(t, w.db, tableName)
	w.store = dynamo.New(w.db, dynamo.Options{Table: tableName, Clock: time.Now})
	for _, room := range []chat.Room{{ID: "posted"}, {ID: "p-private", Private: true}, {ID: "edited"}, {ID: "deleted"}, {ID: "quiet"}, {ID: "empty"}} {
		room.Name, room.CreatedBy, room.CreatedAt, room.Shards, room.DigestKey, room.Posting = "n", "owner", old, 4, make([]byte, 32), policy.Everyone
		if ok, err := w.store.CreateRoom(t.Context(), room, chat.OwnerOf(room, "owner")); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if room.ID != "empty" {
			w.post(t, room.ID, "old", old)
		}
	}
	for n := range 40 { // in every shard
		w.post(t, "posted", chat.UserID(fmt.Sprintf("user-%d", n)), fresh)
	}
	w.post(t, "p-private", "new", fresh)
	m := w.post(t, "edited", "ann", old)
	w.revise(t, m, m.Edited("y", fresh))
	m = w.post(t, "deleted", "ann", old)
	w.revise(t, m, m.Tombstone("owner", fresh))
	return w
}

func (w *unreadTable) post(t *testing.T, room chat.RoomID, user chat.UserID, at time.Time) chat.Message {
	t.Helper()
	m := chat.Message{Room: room, Text: "x", ReceivedAt: at, Revision: 1, Digest: make([]byte, 16), ID: chat.MessageID{User: user, UUID: chat.NewUUID(at, [10]byte{})}}
	if _, created, err := w.store.PutMessage(t.Context(), m); err != nil || !created {
		t.Fatal(created, err)
	}
	return m
}

func (w *unreadTable) revise(t *testing.T, before, after chat.Message) {
	t.Helper()
	if _, ok, err := w.store.ReviseMessage(t.Context(), before, after); err != nil || !ok {
		t.Fatal(ok, err)
	}
}

// all returns a repair of all rooms that calls step before each room and after each page.
func (w *unreadTable) all(step func() error) *repair.All {
	return &repair.All{
		Source: scan.Source{DB: w.db, Table: tableName}, Limiter: scan.NewRateLimiter(1e6, time.Now),
		Room: func(ctx context.Context, room chat.RoomID) (stream.RepairReport, error) {
			if err := step(); err != nil {
				return stream.RepairReport{}, err
			}
			w.repairs[room]++
			appender := stream.NewAppender(stream.Options{Store: w.store, Clock: time.Now, Memory: math.MaxInt})
			return stream.Repair{Room: room, History: w.store, Appender: appender}.Run(ctx)
		},
		Save: func(p repair.Progress) (err error) {
			w.saved, err = json.Marshal(p)
			return errors.Join(err, step())
		},
		Failed: func(chat.RoomID, error) {},
	}
}

func begin() *repair.Progress {
	return &repair.Progress{RoomsProgress: repair.RoomsProgress{Table: tableName, Since: since}}
}

var written = []chat.RoomID{"deleted", "edited", "p-private", "posted"}

func TestAll_RepairsTheRoomsThatWereWrittenTo(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	calm := func() error { return nil }
	p := begin()
	if err := w.all(calm).Run(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(w.repairs)); !slices.Equal(got, written) {
		t.Errorf("repaired %q, want %q", got, written)
	}
	// 41 in posted, 2 in p-private, 3 in each room with a revised message.
	if p.Result.Appended != 49 || p.Result.Messages != 47 {
		t.Errorf("%+v", p.Result)
	}
	if p.Scan.Units == 0 || p.Scan.Items < 47 {
		t.Errorf("the scan reports %+v", p.Scan)
	}
	again := begin()
	if err := w.all(calm).Run(t.Context(), again); err != nil || again.Result.Appended != 0 || again.Result.Present != 49 {
		t.Errorf("a second run: %+v, %v", again.Result, err)
	}
}

// TestAll_ResumesWhereItWasInterrupted ends a run at each of its steps and resumes it from the
// saved progress.
func TestAll_ResumesWhereItWasInterrupted(t *testing.T) {
	t.Parallel()
	steps := 0
	if err := newTable(t).all(func() error { steps++; return nil }).Run(t.Context(), begin()); err != nil || steps < 12 {
		t.Fatal(steps, err)
	}
	for at := range steps {
		w := newTable(t)
		ctx, interrupt := context.WithCancel(t.Context())
		n := 0
		p := begin()
		err := w.all(func() error {
			if n++; n > at {
				interrupt()
				return ctx.Err()
			}
			return nil
		}).Run(ctx, p)
		interrupt()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("step %d: %v", at, err)
		}
		resumed := begin()
		if err := json.Unmarshal(w.saved, resumed); err != nil {
			t.Fatal(err)
		}
		if err := w.all(func() error { return nil }).Run(t.Context(), resumed); err != nil {
			t.Fatal(err)
		}
		if resumed.Result.Appended != 49 || len(w.repairs) != len(written) {
			t.Errorf("interrupted at step %d: %+v, %v", at, resumed.Result, w.repairs)
		}
		for room, times := range w.repairs {
			if times != 1 {
				t.Errorf("interrupted at step %d: %s was repaired %d times", at, room, times)
			}
		}
	}
}

func TestAll_StopsAtItsBudget(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	p, runs := begin(), 0
	for {
		a := w.all(func() error { return nil })
		a.Budget = 0.1 // a page is more
		err := a.Run(t.Context(), p)
		if runs++; err == nil {
			break
		}
		if !errors.Is(err, scan.ErrBudget) || runs > 20 {
			t.Fatal(runs, err)
		}
	}
	if runs < 3 || p.Result.Appended != 49 {
		t.Errorf("%d runs, %+v", runs, p.Result)
	}
}

// TestAll_LeavesADeletedRoomAlone deletes a room that was written to, whose messages remain.
func TestAll_LeavesADeletedRoomAlone(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	room, err := w.store.Room(t.Context(), "edited")
	if err != nil {
		t.Fatal(err)
	}
	by, err := w.store.Membership(t.Context(), "edited", "owner")
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := w.store.DeleteRoom(t.Context(), chat.RoomDeletion{Room: room, By: by, At: fresh}); err != nil || !ok {
		t.Fatal(ok, err)
	}
	a, p := w.all(func() error { return nil }), begin()
	a.Failed = func(room chat.RoomID, err error) { t.Errorf("%s: %v", room, err) }
	if err := a.Run(t.Context(), p); err != nil || p.Result.Appended != 46 || !p.Rooms["edited"] {
		t.Errorf("%v, %+v", err, p)
	}
}

// TestAll_SkipsARoomThatFails repairs the other rooms, and the failed one when it is resumed.
func TestAll_SkipsARoomThatFails(t *testing.T) {
	t.Parallel()
	w := newTable(t)
	fails := true
	a := w.all(func() error { return nil })
	repairRoom := a.Room
	a.Room = func(ctx context.Context, room chat.RoomID) (stream.RepairReport, error) {
		if fails && room == "edited" {
			return stream.RepairReport{}, errors.New("injected")
		}
		return repairRoom(ctx, room)
	}
	var failed []chat.RoomID
	a.Failed = func(room chat.RoomID, _ error) { failed = append(failed, room) }
	p := begin()
	if err := a.Run(t.Context(), p); !errors.Is(err, repair.ErrRooms) || !slices.Equal(failed, []chat.RoomID{"edited"}) || len(w.repairs) != 3 {
		t.Errorf("%v, failed %q, repaired %v", err, failed, w.repairs)
	}
	fails = false
	if err := a.Run(t.Context(), p); err != nil || p.Result.Appended != 49 || w.repairs["posted"] != 1 {
		t.Errorf("resumed: %v, %+v", err, p.Result)
	}
}
