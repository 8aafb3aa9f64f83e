package dynamo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/nightly"
)

// noonOfPages is the time of the first message in the rooms of these tests.
var noonOfPages = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// nthMessage returns the nth message of a room, each in a separate second.
func nthMessage(n int, user chat.UserID, text string) chat.Message {
	at := noonOfPages.Add(time.Duration(n) * time.Second)
	id := chat.MessageID{UUID: chat.NewUUID(at, [10]byte{byte(n >> 8), 0, byte(n)}), User: user}
	return chat.Message{Room: "seattle", ID: id, Text: text, ReceivedAt: at, Digest: []byte("d")}
}

// putEach stores messages in the shards of their senders.
func putEach(t *testing.T, db *dynamodb.Client, epochs shard.Epochs, messages []chat.Message) {
	t.Helper()
	for batch := range slices.Chunk(messages, 25) {
		var puts []types.WriteRequest
		for _, m := range batch {
			puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: table.MessageItem(m, shardOf(epochs, m.ID))}})
		}
		if _, err := db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"chat": puts}}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMessages_ContinuedPageMayEndShort reads pages of a room in which one shard has all of the
// newest messages, so that it runs dry first.
func TestMessages_ContinuedPageMayEndShort(t *testing.T) {
	t.Parallel()
	db, epochs := startTable(t), shard.Fixed(2)
	users := oneUserInEach(2)
	var all []chat.Message
	for n := range 20 {
		all = append(all, nthMessage(n, users[0], "older"), nthMessage(100+n, users[1], "newer"))
	}
	putEach(t, db, epochs, all)
	newest := nthMessage(200, users[0], "")
	end := chat.MessageRange{}.PositionOf(newest)
	for _, tt := range []struct {
		name      string
		limit     int
		continued bool
		messages  int
		calls     int
	}{
		{"a shard has three quarters of the page", 8, true, 6, 2},
		{"a shard has less than three quarters of the page", 16, true, 16, 3},
		{"the page is not that of a cursor", 8, false, 8, 2},
	} {
		var cost meter
		s := New(db, Options{Table: "chat", Clock: func() time.Time { return noonOfPages }, Observe: cost.observe})
		s.epochs.put("seattle", epochs, noonOfPages)
		page, more, err := s.Messages(t.Context(), chat.MessageRange{Room: "seattle", After: &end, Continued: tt.continued, Limit: tt.limit})
		if err != nil || len(page) != tt.messages || !more || cost.sum.calls != tt.calls {
			t.Errorf("%s: %d messages by %d calls, more %v, %v, want %d by %d", tt.name, len(page), cost.sum.calls, more, err, tt.messages, tt.calls)
		}
	}
}

// TestMessages_ShortPagesLoseNothing walks through rooms in pages. Together, the pages have each
// message once and in order. Only the last page reports that no more follow, and only a page that
// continues another may be short.
func TestMessages_ShortPagesLoseNothing(t *testing.T) {
	t.Parallel()
	const walks = 12
	short := 0
	for seed := range uint64(nightly.Times(1, 3)) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWalk(t, r)
		for range walks {
			span := chat.MessageRange{Room: "seattle", Order: chat.Order(r.IntN(2)), Limit: []int{1, 2, 5, 20, 50, 200}[r.IntN(6)]}
			if r.IntN(3) == 0 {
				span.User = w.users[r.IntN(len(w.users))]
			}
			if r.IntN(2) == 0 {
				span.From = noonOfPages.Add(time.Duration(r.IntN(len(w.all))) * time.Second)
				span.To = span.From.Add(time.Duration(r.IntN(len(w.all))) * time.Second)
			}
			short += w.through(t, fmt.Sprintf("seed %d", seed), span)
		}
	}
	if short == 0 {
		t.Error("no page was short")
	}
}

// walk is a room whose messages are read page by page.
type walk struct {
	store *Store
	users []chat.UserID
	all   []chat.Message // oldest first
}

// newWalk creates a room that had 12 shards and now has some of them, in which people write bursts
// of messages of very different sizes.
func newWalk(t *testing.T, r *rand.Rand) *walk {
	t.Helper()
	const shards, messages, longest = 12, 600, 2500
	now := noonOfPages.Add(messages * time.Second)
	epochs := shard.Epochs{{From: time.Unix(0, 0), N: shards}, {From: noonOfPages.Add(messages / 2 * time.Second), N: 1 + r.IntN(shards)}}
	db := startTable(t)
	w := &walk{users: oneUserInEach(shards), store: New(db, Options{Table: "chat", Clock: func() time.Time { return now }})}
	user := w.users[0]
	for n := range messages {
		if r.IntN(3) == 0 {
			user = w.users[min(r.IntN(shards), r.IntN(shards))]
		}
		w.all = append(w.all, nthMessage(n, user, strings.Repeat("x", 1+r.IntN(longest))))
	}
	putEach(t, db, epochs, w.all)
	w.store.epochs.put("seattle", epochs, now)
	return w
}

// through reads all pages of a range, and returns how many were short.
func (w *walk) through(t *testing.T, name string, span chat.MessageRange) (short int) {
	t.Helper()
	rest := w.within(span)
	for {
		page, more, err := w.store.Messages(t.Context(), span)
		if err != nil {
			t.Fatal(err)
		}
		full := min(span.Limit, len(rest))
		least := full
		if span.Continued {
			least = min(full, (3*span.Limit+3)/4)
		}
		if len(page) < least || len(page) > full || more != (len(page) < len(rest)) {
			t.Fatalf("%s: a page of %+v has %d messages, more %v, want %d to %d of %d", name, span, len(page), more, least, full, len(rest))
		}
		for i, m := range page {
			if m.ID != rest[i].ID {
				t.Fatalf("%s: message %d of a page of %+v is %s, want %s", name, i, span, m.ID, rest[i].ID)
			}
		}
		if len(page) < full {
			short++
		}
		if rest = rest[len(page):]; !more {
			return short
		}
		last := span.PositionOf(page[len(page)-1])
		span.After, span.Continued = &last, true
	}
}

// within returns the messages of a range, in its order.
func (w *walk) within(span chat.MessageRange) []chat.Message {
	var in []chat.Message
	for _, m := range w.all {
		at := span.PositionOf(m).At
		if (span.User == "" || span.User == m.ID.User) && !at.Before(span.From) && (span.To.IsZero() || at.Before(span.To)) {
			in = append(in, m)
		}
	}
	if span.Order == chat.Newest {
		slices.Reverse(in)
	}
	return in
}
