// Package storetest is the contract of app.Store as a suite. Every engine that Parley runs on
// passes it. Pages are small on purpose, so that a few messages are many pages.
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

	"github.com/google/go-cmp/cmp"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/policy"
)

// start is where the made-up conversations begin.
var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// Run checks a store. newStore gives an empty one each time.
func Run(t *testing.T, newStore func(t *testing.T) app.Store) {
	tests := []struct {
		name string
		test func(*testing.T, app.Store)
	}{
		{"a room is made once and read back whole", roomIsMadeOnce},
		{"of twins making a room one makes it", twinsMakeARoom},
		{"a room that is not there is not found", missingRoom},
		{"an update changes the settings alone, once", roomUpdate},
		{"rooms are found by their place at every level", roomsAreFoundByPlace},
		{"a membership has two sides", membershipHasTwoSides},
		{"a membership is listed while it lasts", membershipComesAndGoes},
		{"a membership that has changed is not changed again", membershipIsCompared},
		{"a slot is taken once in its time", slotIsTakenOnce},
		{"employees are found by each of their facts", employeesAreFound},
		{"a person of whom nothing is known is not found", missingPerson},
		{"a change of a person reaches all that they are found by", personChange},
		{"a person who has changed is not changed again", personIsCompared},
		{"of twins changing a person one changes them", twinsChangeAPerson},
		{"people whose names look alike are listed in order", peopleInOrder},
		{"a message is kept once and read back whole", messageIsKeptOnce},
		{"of twins posting the same message one is created", twinsPost},
		{"a message that is not there is not found", missingMessage},
		{"messages of an unknown room are not found", messagesOfMissingRoom},
		{"text of any kind comes back as it was", textComesBack},
		{"users that look alike are kept apart", lookAlikes},
		{"rooms that look alike are kept apart", lookAlikeRooms},
		{"500 messages of one user in one second are all there", burst},
		{"a page ends before it weighs too much", heavyPage},
		{"an edit keeps what was said before", editKeepsVersions},
		{"a message that has changed is not changed again", messageIsCompared},
		{"a deletion takes the text and leaves the place", deletionLeavesTheTombstone},
		{"edits and deletions move no page", revisionsMoveNothing},
		{"the longest history is deleted whole", longHistoryIsDeleted},
		{"of eight editors of one message one edits", editorsOfOneMessage},
		{"an edit that meets a deletion leaves no text", editMeetsDeletion},
		{"bounds are half open to the millisecond", halfOpen},
		{"a document is made once and read back whole", documentIsMadeOnce},
		{"a document that has changed is not changed again", documentIsCompared},
		{"a room's documents are listed by id", documentsAreListed},
		{"parts are versioned apart", partsHaveVersionsApart},
		{"versions are not replaced", versionsAreNotReplaced},
		{"a page of parts ends before it weighs too much", heavyParts},
		{"of eight writers of one part one saves", writersOfOnePart},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.test(t, newStore(t))
		})
	}
	for _, shards := range []int{1, 2, 3, 8} {
		t.Run(fmt.Sprintf("every span over %d shards pages like a sorted list", shards), func(t *testing.T) {
			t.Parallel()
			spansPageLikeAList(t, newStore(t), shards)
		})
	}
}

// newRoom makes a room with a key of its own.
func newRoom(t *testing.T, s app.Store, id chat.RoomID, shards int) chat.Room {
	t.Helper()
	room := chat.Room{
		ID: id, Name: "Name of " + string(id), Topic: "Topic", CreatedBy: "maker", CreatedAt: start,
		Place: []string{"USA", "WA"}, Posting: policy.Members, SlowMode: 5 * time.Second,
		Shards: shards, DigestKey: []byte(strings.Repeat("k", 32)),
	}
	setsEveryField(t, room, "Revision", "Private")
	created, err := s.CreateRoom(t.Context(), room, chat.OwnerOf(room, "maker"))
	if err != nil || !created {
		t.Fatalf("create room %s: created %v, %v", id, created, err)
	}
	return room
}

// setsEveryField fails when a sample leaves a field at its zero value, which a store that forgets
// the field would return too. The fields named are excepted: their zero value is a stored state.
func setsEveryField(t *testing.T, sample any, except ...string) {
	t.Helper()
	for field, value := range reflect.ValueOf(sample).Fields() {
		if value.IsZero() && !slices.Contains(except, field.Name) {
			t.Errorf("the sample %T does not set %s: set it, so that the suite sees whether it is stored", sample, field.Name)
		}
	}
}

// changesEveryField fails when an update keeps a field, which a store that forgets to update the
// field would keep too. The fields named are excepted: an update must not change them.
func changesEveryField(t *testing.T, before, after any, except ...string) {
	t.Helper()
	changed := reflect.ValueOf(after)
	for field, value := range reflect.ValueOf(before).Fields() {
		kept := reflect.DeepEqual(value.Interface(), changed.FieldByIndex(field.Index).Interface())
		if kept && !slices.Contains(except, field.Name) {
			t.Errorf("the update of %T does not change %s: change it, so that the suite sees whether it is stored", after, field.Name)
		}
	}
}

// message makes a message; n tells messages of one instant apart.
func message(room chat.RoomID, user chat.UserID, sent, received time.Time, n int) chat.Message {
	text := fmt.Sprintf("%s says %d", user, n)
	tail := [10]byte{2: byte(n >> 8), 3: byte(n)}
	return chat.Message{
		Room: room, ID: chat.MessageID{UUID: chat.NewUUID(sent, tail), User: user},
		Text: text, ReceivedAt: received, Digest: chat.ContentDigest([]byte("key"), chat.Content{Text: text}),
		Revision: 1,
	}
}

func put(t *testing.T, s app.Store, m chat.Message) {
	t.Helper()
	if _, created, err := s.PutMessage(t.Context(), m); err != nil || !created {
		t.Fatalf("put %v: created %v, %v", m.ID, created, err)
	}
}

// putAll puts messages side by side.
func putAll(t *testing.T, s app.Store, messages []chat.Message) {
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

// readAll follows a span to its end, page by page.
func readAll(t *testing.T, s app.Store, span chat.MessageRange) []chat.Message {
	t.Helper()
	var all []chat.Message
	for {
		page, more, err := s.Messages(t.Context(), span)
		if err != nil {
			t.Fatalf("messages of %+v: %v", span, err)
		}
		if len(page) > span.Limit {
			t.Fatalf("a page of %d holds %d messages", span.Limit, len(page))
		}
		all = append(all, page...)
		if !more {
			return all
		}
		if len(page) == 0 {
			t.Fatalf("a page of %+v is empty and says there is more", span)
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

// chance returns a source of random choices whose seed is in the log.
func chance(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// race calls f in n goroutines at once and waits for all.
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
