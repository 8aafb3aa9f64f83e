package people_test

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/visual"
)

// profileReads counts the users whose profiles are read.
type profileReads struct {
	calls, users int
	skipped      bool // every read finds nobody
}

// see is an alter of faults.Altered.
func (r *profileReads) see(input any) any {
	batch, ok := input.(*dynamodb.BatchGetItemInput)
	if !ok {
		return nil
	}
	r.calls++
	r.users += len(batch.RequestItems[chattest.Table].Keys)
	if r.skipped {
		return &dynamodb.BatchGetItemOutput{}
	}
	return nil
}

func (r *profileReads) take() (calls, users int) {
	calls, users = r.calls, r.users
	r.calls, r.users = 0, 0
	return calls, users
}

// startCards returns two processes on one table. The reads of the second are counted.
func startCards(t *testing.T) (writer *app.Services, reader *people.Service, reads *profileReads, clock *chattest.Clock) {
	t.Helper()
	endpoint := enginetest.Start(t)
	writer, clock = chattest.NewOn(t, endpoint, func(*app.Options) {})
	reads = &profileReads{}
	counted := dynamo.NewTable(dynamo.LocalClient(endpoint, faults.Altered(reads.see)), chattest.Table, nil)
	return writer, people.NewService(people.Options{Table: counted, Clock: clock.Now}), reads, clock
}

func wantCards(t *testing.T, s *people.Service, want map[chat.UserID]people.Card) {
	t.Helper()
	var users []chat.UserID
	for user, card := range want {
		users = append(users, user, user) // a message may show the same person twice
		card.Skeleton = visual.Skeleton(card.Name)
		want[user] = card
	}
	got, err := s.Cards(t.Context(), users)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("cards (-want +got):\n%s", d)
	}
}

func TestCards_AreCachedForTheirAge(t *testing.T) {
	t.Parallel()
	writer, reader, reads, clock := startCards(t)
	putPerson(t, writer, "e129", people.Draft{Name: "Rhianna Cohen", Avatar: ptr("https://example.com/1.png")})
	old := map[chat.UserID]people.Card{"e129": {Name: "Rhianna Cohen", Avatar: "https://example.com/1.png"}, "e146": {Name: "e146"}}
	wantCards(t, reader, old)
	putPerson(t, writer, "e129", people.Draft{Name: "Rhianna Diaz", Avatar: ptr("")})
	putPerson(t, writer, "e146", people.Draft{Name: "Davy Ivens"})
	clock.Advance(people.CardAge - 1)
	wantCards(t, reader, old)
	if calls, users := reads.take(); calls != 1 || users != 2 {
		t.Errorf("%d calls read %d profiles, want 1 and 2", calls, users)
	}
	renamed := map[chat.UserID]people.Card{"e129": {Name: "Rhianna Diaz"}, "e146": {Name: "Davy Ivens"}}
	wantCards(t, writer.People, renamed) // the process that made the change shows it immediately
	clock.Advance(1)
	wantCards(t, reader, renamed)
	if calls, users := reads.take(); calls != 1 || users != 2 {
		t.Errorf("%d calls read %d profiles, want 1 and 2", calls, users)
	}
	wantCards(t, reader, map[chat.UserID]people.Card{})
}

// TestCards_AreAtMostMaxCards looks up more people than the cache holds. The first of them are read
// again, and nobody else.
func TestCards_AreAtMostMaxCards(t *testing.T) {
	t.Parallel()
	_, s, reads, _ := startCards(t)
	reads.skipped = true
	look := func(from, to int) {
		var users []chat.UserID
		for i := from; i < to; i++ {
			users = append(users, chat.UserID(fmt.Sprint(i)))
		}
		if _, err := s.Cards(t.Context(), users); err != nil {
			t.Fatal(err)
		}
	}
	look(0, people.MaxCards+10)
	reads.take()
	look(10, people.MaxCards+10)
	if calls, _ := reads.take(); calls != 0 {
		t.Error("a card is missing although it is among the newest")
	}
	look(0, 10)
	if _, users := reads.take(); users != 10 {
		t.Errorf("%d of the 10 oldest cards are read again", users)
	}
}

// TestCards_ShowNoStatusAfterItsEnd reads a cached card before and after the end of its status.
func TestCards_ShowNoStatusAfterItsEnd(t *testing.T) {
	t.Parallel()
	writer, reader, reads, clock := startCards(t)
	until := clock.Now().Add(people.CardAge / 2).UTC()
	status := people.Status{Emoji: "📅", Text: "In a meeting", Until: until}
	putPerson(t, writer, "e129", people.Draft{Name: "Rhianna Cohen", Status: &status})
	wantCards(t, reader, map[chat.UserID]people.Card{"e129": {Name: "Rhianna Cohen", Status: status}})
	clock.Advance(people.CardAge / 2)
	wantCards(t, reader, map[chat.UserID]people.Card{"e129": {Name: "Rhianna Cohen"}})
	if calls, _ := reads.take(); calls != 1 {
		t.Errorf("%d calls read the card, want 1", calls)
	}
}
