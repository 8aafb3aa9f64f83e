// Package storetest holds the test suite that defines the contract of app.Stores. Every engine that
// Parley runs on must pass it. Pages are small, so that a few messages fill many of them.
package storetest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/digest"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/nightly"
)

// start is the time at which the test conversations begin.
var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// contractTest is a test of one rule of the contract.
type contractTest struct {
	name string
	test func(*testing.T, app.Stores)
}

// Run tests a store. Each call of newStore returns an empty one.
func Run(t *testing.T, newStore func(t *testing.T) app.Stores) {
	tests := []contractTest{
		{"a room is created once and read back in full", roomIsCreatedOnce},
		{"one of several concurrent room creations succeeds", concurrentRoomCreations},
		{"a missing room is not found", missingRoom},
		{"a room update changes only the settings and is conditional", roomUpdate},
		{"a deleted room is not found and its id stays taken", roomDeletion},
		{"rooms are found by place at every level", roomsAreFoundByPlace},
		{"a membership is listed by room and by user", membershipIsListedOnBothSides},
		{"a membership is listed while the user is in the room", membershipIsListedWhileCurrent},
		{"a membership change fails if the membership has changed", membershipChangeIsConditional},
		{"a hand-over changes both memberships or none", handOverIsOneChange},
		{"a service owns a room without a membership, and gives it away once", serviceOwnsARoom},
		{"a slow mode slot is taken once per interval", slotIsTakenOnce},
		{"a message is stored once and read back in full", messageIsStoredOnce},
		{"one of several concurrent posts of a message creates it", concurrentPosts},
		{"a missing message is not found", missingMessage},
		{"messages of an unknown room are not found", messagesOfMissingRoom},
		{"text is stored unchanged", textIsStoredUnchanged},
		{"users with similar ids are separate", similarUsers},
		{"rooms with similar ids are separate", similarRooms},
		{"500 messages by one user in one second are all stored", burstOfMessages},
		{"a page of messages is limited by size", messagePageIsLimitedBySize},
		{"an edit keeps the earlier versions", editKeepsVersions},
		{"a revision fails if the message has changed", revisionIsConditional},
		{"a message and its versions have their metadata and the service that wrote them", versionsHaveTheirFields},
		{"a deletion removes the text and leaves a tombstone", deletionLeavesATombstone},
		{"edits and deletions do not change positions", revisionsKeepPositions},
		{"the longest history is deleted completely", longHistoryIsDeleted},
		{"one of eight concurrent edits succeeds", concurrentEdits},
		{"an edit concurrent with a deletion leaves no text", concurrentEditAndDeletion},
		{"bounds are half-open to the millisecond", boundsAreHalfOpen},
	}
	for _, tt := range slices.Concat(tests, directTests, roomRequestTests, budgetTests, erasureTests) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.test(t, newStore(t))
		})
	}
	for _, shards := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprintf("every range over %d shards pages like a sorted list", shards), func(t *testing.T) {
			t.Parallel()
			rangesPageLikeASortedList(t, newStore(t), shards)
		})
	}
}

// newRoom creates a room.
func newRoom(t *testing.T, s app.Stores, id chat.RoomID, shards int) chat.Room {
	t.Helper()
	room := chat.Room{
		ID: id, Name: "Name of " + string(id), Topic: "Topic", Metadata: `{"a":1}`, CreatedBy: "maker", CreatedAt: start,
		Place: []string{"USA", "WA"}, Posting: policy.Members, RoomMentions: policy.GrantMembers, Pinning: policy.GrantMembers, SlowMode: 5 * time.Second, Archived: true, NoReceipts: true, Silent: true, Channel: "C1",
		Shards: shards, ShardsPinned: true, DigestKey: []byte(strings.Repeat("k", 32)),
	}
	SetsEveryField(t, room, "Revision", "Private", "Direct", "Deleted", "Service")
	created, err := s.CreateRoom(t.Context(), room, chat.OwnerOf(room, "maker"))
	if err != nil || !created {
		t.Fatalf("create room %s: created %v, %v", id, created, err)
	}
	return room
}

// SetsEveryField fails the test if a field of a sample is zero. A store that forgets the field
// would return the same value. The fields in except may be zero, because zero is a valid value.
func SetsEveryField(t *testing.T, sample any, except ...string) {
	t.Helper()
	for field, value := range reflect.ValueOf(sample).Fields() {
		if value.IsZero() && !slices.Contains(except, field.Name) {
			t.Errorf("the sample %T does not set %s: set it, so that the suite tests whether it is stored", sample, field.Name)
		}
	}
}

// changesEveryField fails the test if an update leaves a field unchanged. A store that forgets to
// update the field would do the same. An update must not change the fields in except.
func changesEveryField(t *testing.T, before, after any, except ...string) {
	t.Helper()
	changed := reflect.ValueOf(after)
	for field, value := range reflect.ValueOf(before).Fields() {
		unchanged := reflect.DeepEqual(value.Interface(), changed.FieldByIndex(field.Index).Interface())
		if unchanged && !slices.Contains(except, field.Name) {
			t.Errorf("the update of %T does not change %s: change it, so that the suite tests whether it is stored", after, field.Name)
		}
	}
}

// message returns a message. Messages sent at the same time differ in n.
func message(room chat.RoomID, user chat.UserID, sent, received time.Time, n int) chat.Message {
	text := fmt.Sprintf("%s says %d", user, n)
	tail := [10]byte{2: byte(n >> 8), 3: byte(n)}
	quote, poll := chat.MessageID{}, (*chat.Poll)(nil)
	if n%2 == 1 {
		poll = &chat.Poll{Options: []string{"a", "b"}, Multiple: n%3 == 0, Anonymous: n%5 == 0, EndsAt: sent.Add(time.Hour)}
		quote = chat.MessageID{UUID: chat.NewUUID(start, [10]byte{9: 1}), User: "quoted"}
	}
	return chat.Message{
		Room: room, ID: chat.MessageID{UUID: chat.NewUUID(sent, tail), User: user}, Quote: quote, Poll: poll,
		Text: text, Metadata: fmt.Sprintf(`{"n":%d}`, n), ReceivedAt: received, Digest: digest.Sum([]byte("key"), digest.Content{Text: text}),
		Revision: 1,
	}
}

func put(t *testing.T, s app.Stores, m chat.Message) {
	t.Helper()
	if _, created, err := s.PutMessage(t.Context(), m); err != nil || !created {
		t.Fatalf("put %v: created %v, %v", m.ID, created, err)
	}
}

// putAll puts messages concurrently.
func putAll(t *testing.T, s app.Stores, messages []chat.Message) {
	t.Helper()
	const workers = 8
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(messages); i += workers {
				if _, created, err := s.PutMessage(t.Context(), messages[i]); err != nil || !created {
					t.Errorf("put %v: created %v, %v", messages[i].ID, created, err)
				}
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

// readAll reads all pages of a range.
func readAll(t *testing.T, s app.Stores, span chat.MessageRange) []chat.Message {
	t.Helper()
	var all []chat.Message
	for {
		page, more, err := s.Messages(t.Context(), span)
		if err != nil {
			t.Fatalf("messages of %+v: %v", span, err)
		}
		if len(page) > span.Limit {
			t.Fatalf("a page with limit %d has %d messages", span.Limit, len(page))
		}
		all = append(all, page...)
		if !more {
			return all
		}
		if len(page) == 0 {
			t.Fatalf("a page of %+v is empty, but more is true", span)
		}
		last := span.PositionOf(page[len(page)-1])
		span.After = &last
	}
}

func wantMessages(t *testing.T, what string, got, want []chat.Message) {
	t.Helper()
	if len(got) == 0 && len(want) == 0 {
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s: got %d messages, want %d (-want +got):\n%s", what, len(got), len(want), d)
	}
}

func wantNotFound(t *testing.T, err error) {
	t.Helper()
	if chat.KindOf(err) != chat.NotFound {
		t.Errorf("got error %v, want not found", err)
	}
}

func newRandom(t *testing.T) *rand.Rand { return rand.New(rand.NewPCG(nightly.Seed(t), 0)) }

// race calls f in n goroutines at the same time and waits for all of them.
func race(n int, f func(i int)) {
	gate := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-gate
			f(i)
		})
	}
	close(gate)
	wg.Wait()
}
