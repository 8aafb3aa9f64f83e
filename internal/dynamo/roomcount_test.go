package dynamo_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/tabletest"
)

// unitsOf counts the units of each operation.
type unitsOf struct {
	mu  sync.Mutex
	all map[string]float64
}

func (u *unitsOf) observe(_ context.Context, used dynamo.Usage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.all[used.Operation] += used.Units
}

// TestOpenRoomCount_ForgetsArchivedRooms counts the rooms of a person in 1,300 archived rooms and 12
// others. Some archived ones leave the count at each call, and none is looked at again once fewer
// than 1,000 are left. A room that is unarchived is counted again, also if its person has left it.
func TestOpenRoomCount_ForgetsArchivedRooms(t *testing.T) {
	t.Parallel()
	const archived, open = 1300, 12
	units := &unitsOf{all: map[string]float64{}}
	s := storeOfBob(t, archived, open, units.observe)
	count := func(want int) map[string]float64 {
		t.Helper()
		units.all = map[string]float64{}
		n, err := s.OpenRoomCount(t.Context(), "bob")
		if err != nil || n != want {
			t.Errorf("bob is in %d rooms, %v, want %d", n, err, want)
		}
		return units.all
	}
	// The first 800 are archived, of which 100 are read again, strongly.
	for n, want := range []int{512, 412, 312, 212} {
		used := count(want)
		if used["find archived rooms"] != 500 || used["close membership"] != 400 {
			t.Errorf("count %d uses %v", n, used)
		}
	}
	if used := count(912); len(used) != 1 {
		t.Errorf("fewer than %d are left, and a count uses %v", chat.MaxRooms, used)
	}
	closed := closedRooms(t, s, 400)
	if err := s.CountRoom(t.Context(), closed[0]); err != nil {
		t.Fatal(err)
	}
	if err := s.CountRoom(t.Context(), closed[0]); err != nil {
		t.Fatal(err)
	}
	count(913)
	closedRooms(t, s, 399)
}

// TestOpenRoomCount_SeesARoomThatIsUnarchivedMeanwhile unarchives rooms after a count has read that
// they are archived, while their memberships leave it.
func TestOpenRoomCount_SeesARoomThatIsUnarchivedMeanwhile(t *testing.T) {
	t.Parallel()
	var unarchive func()
	s := storeOfBob(t, chat.MaxRooms, 0, func(_ context.Context, used dynamo.Usage) {
		if used.Operation == "close membership" && unarchive != nil {
			unarchive()
		}
	})
	var once sync.Once
	unarchive = func() {
		once.Do(func() {
			for n := range 3 {
				room := roomOfBob(n)
				if err := s.Table().Transact(t.Context(), "unarchive", []dynamo.Write{s.Table().PutAny(table.PermissionsItem(chat.Room{ID: room}))}); err != nil {
					t.Error(err)
				}
				if err := s.CountRoom(t.Context(), room); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if _, err := s.OpenRoomCount(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	for _, room := range closedRooms(t, s, 97) {
		if room < roomOfBob(3) {
			t.Errorf("%s is not archived, and has left the count", room)
		}
	}
}

func roomOfBob(n int) chat.RoomID { return chat.RoomID(fmt.Sprintf("room-%04d", n)) }

// storeOfBob returns a store with bob's memberships, first in archived rooms and then in open ones.
func storeOfBob(t *testing.T, archived, open int, observe func(context.Context, dynamo.Usage)) *dynamo.Store {
	t.Helper()
	client := tabletest.Start(t, "chat")
	var items []table.Item
	for n := range archived + open {
		room := roomOfBob(n)
		m := chat.Membership{Room: room, User: "bob", Name: "Bob", Role: policy.Member}
		items = append(items, table.MemberItem(m), table.RoleItem(m), table.PermissionsItem(chat.Room{ID: room, Archived: n < archived}))
	}
	for some := range slices.Chunk(items, 25) {
		var puts []types.WriteRequest
		for _, item := range some {
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
		if _, err := client.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"chat": puts}}); err != nil {
			t.Fatal(err)
		}
	}
	return dynamo.New(client, dynamo.Options{Table: "chat", Clock: chattest.NewClock().Now, Observe: observe})
}

// closedRooms returns the rooms that have left bob's count, and compares their number.
func closedRooms(t *testing.T, s *dynamo.Store, want int) (closed []chat.RoomID) {
	t.Helper()
	all, _, err := inbox.NewStore(s.Table()).OwnRooms(t.Context(), "bob", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.Closed {
			closed = append(closed, m.Room)
		}
	}
	if len(closed) != want {
		t.Fatalf("%d rooms have left the count, want %d", len(closed), want)
	}
	return closed
}
