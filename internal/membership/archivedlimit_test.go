package membership_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/nightly"
)

// fillRooms stores bob's memberships in a number of rooms, with the permissions of the rooms.
func fillRooms(t *testing.T, endpoint, prefix string, rooms int, archived bool) {
	t.Helper()
	const perBatch = 25
	db := dynamo.LocalClient(endpoint)
	var puts []types.WriteRequest
	for n := range rooms {
		room := chat.Room{ID: chat.RoomID(fmt.Sprint(prefix, n)), Archived: archived}
		m := chat.Membership{Room: room.ID, User: "bob", Name: "bob", Role: policy.Member}
		for _, item := range []table.Item{table.MemberItem(m), table.RoleItem(m), table.PermissionsItem(room)} {
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		}
	}
	var all errgroup.Group
	all.SetLimit(8)
	for batch := range slices.Chunk(puts, perBatch) {
		all.Go(func() error {
			_, err := db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{chattest.Table: batch}})
			return err
		})
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
}

// TestSetMember_HelpDeskNeverFillsUp adds a person in many archived rooms and a few others to one
// room after the other, and to as many concurrently as a bulk request does, while no time passes.
// Then it fills their list, and the answer names the limit to services and to the person, but to
// nobody else. At night they are in more archived rooms, too.
func TestSetMember_HelpDeskNeverFillsUp(t *testing.T) {
	t.Parallel()
	const open, oneByOne = 12, 6
	for _, tt := range nightly.Share([]struct{ archived, atOnce int }{{1799, 16}, {5013, 0}}, 1) {
		archived, atOnce := tt.archived, tt.atOnce
		endpoint := enginetest.Start(t)
		s, _ := chattest.NewOn(t, endpoint, func(*app.Options) {})
		fillRooms(t, endpoint, "closed-", archived, true)
		fillRooms(t, endpoint, "open-", open, false)
		add := func(n int) {
			if err := chattest.SetRole(t, s, "maker", chat.RoomID(fmt.Sprint("ticket-", n)), "bob", policy.Member); err != nil {
				t.Errorf("%d archived rooms, room %d: %v", archived, n, err)
			}
		}
		var all sync.WaitGroup
		for n := range oneByOne + atOnce {
			chattest.CreateRoom(t, s, chat.RoomID(fmt.Sprint("ticket-", n)), 1)
			if n < oneByOne {
				add(n)
			} else {
				all.Go(func() { add(n) })
			}
		}
		all.Wait()
		fillRooms(t, endpoint, "more-", chat.MaxRooms-open-oneByOne-atOnce, false)
		chattest.CreateRoom(t, s, "full", 1)
		desk := chat.WithService(t.Context(), "desk")
		for caller, named := range map[chat.UserID]bool{"bob": true, "desk": true, "maker": false} {
			_, _, err := s.Members.SetMember(desk, caller, chat.MemberOf{Room: "full", User: "bob"}, policy.Member)
			chattest.WantKind(t, "a full list", err, chat.Conflict)
			if strings.Contains(fmt.Sprint(err), "more than 1000 rooms that are not archived") != named {
				t.Errorf("%s reads: %v", caller, err)
			}
		}
	}
}

// TestSetMember_JoinsAtOneMoment lets a person join more rooms concurrently than they may. The limit
// is exceeded by the number of joins less one, at most.
func TestSetMember_JoinsAtOneMoment(t *testing.T) {
	t.Parallel()
	const free, atOnce = 2, 10
	endpoint := enginetest.Start(t)
	s, _ := chattest.NewOn(t, endpoint, func(*app.Options) {})
	fillRooms(t, endpoint, "open-", chat.MaxRooms-free, false)
	for n := range atOnce {
		chattest.CreateRoom(t, s, chat.RoomID(fmt.Sprint("room-", n)), 1)
	}
	var joined atomic.Int64
	var all sync.WaitGroup
	for n := range atOnce {
		all.Go(func() {
			switch err := chattest.SetRole(t, s, "bob", chat.RoomID(fmt.Sprint("room-", n)), "bob", policy.Member); {
			case err == nil:
				joined.Add(1)
			case chat.KindOf(err) != chat.Conflict:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := joined.Load(); n < free || n > free+atOnce-1 {
		t.Errorf("%d of %d joins succeeded, of which %d had a place", n, atOnce, free)
	}
	chattest.CreateRoom(t, s, "late", 1)
	chattest.WantKind(t, "afterwards", chattest.SetRole(t, s, "bob", "late", "bob", policy.Member), chat.Conflict)
}

// TestSetMember_CountsOpenRoomsInAnyOrder lets bob join and leave rooms near the limit while their
// owner archives and unarchives them, in two processes, and compares each answer with a plain set.
func TestSetMember_CountsOpenRoomsInAnyOrder(t *testing.T) {
	t.Parallel()
	const fixed, rooms = chat.MaxRooms - 10, 40
	endpoint := enginetest.Start(t)
	here, clock := chattest.NewOn(t, endpoint, func(*app.Options) {})
	store := dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: clock.Now})
	there, _ := chattest.NewOn(t, endpoint, func(o *app.Options) { o.Store, o.Clock = store, clock.Now })
	fillRooms(t, endpoint, "open-", fixed, false)
	for n := range rooms {
		chattest.CreateRoom(t, here, chat.RoomID(fmt.Sprint("room-", n)), 1)
	}
	random := rand.New(rand.NewPCG(nightly.Seed(t), 1))
	in, archived := map[chat.RoomID]bool{}, map[chat.RoomID]bool{}
	for step := range nightly.Times(200, 4000) {
		s := []*app.Services{here, there}[random.IntN(2)]
		room := chat.RoomID(fmt.Sprint("room-", random.IntN(rooms)))
		var what string
		var err error
		var want chat.Kind
		switch random.IntN(4) {
		case 0, 1:
			what = "joins"
			open := fixed
			for id := range in {
				if !archived[id] {
					open++
				}
			}
			switch {
			case archived[room]:
				want = chat.Forbidden
			case !in[room] && open >= chat.MaxRooms:
				want = chat.Conflict
			default:
				in[room] = true
			}
			err = chattest.SetRole(t, s, "bob", room, "bob", policy.Member)
		case 2:
			if what = "leaves"; !in[room] {
				want = chat.NotFound
			}
			delete(in, room)
			err = s.Members.RemoveMember(t.Context(), "bob", chat.MemberOf{Room: room, User: "bob"})
		case 3:
			what = "is archived or not"
			archived[room] = !archived[room]
			now := archived[room]
			_, err = s.PatchRoom(t.Context(), "maker", room, chat.RoomDraft{Archived: &now})
			clock.Advance(chat.ArchivedAge) // the other process may use what it knows
		}
		if chat.KindOf(err) != want || (err != nil) != (want != 0) {
			t.Fatalf("step %d, %s %s: %v, want %v", step, room, what, err, want)
		}
	}
}
