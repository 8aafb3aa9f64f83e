package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
)

// rangesPageLikeASortedList compares random ranges, in pages of various sizes, with a sorted list.
// Times repeat often, sent and received times differ, and both orders are read. Some messages are
// replies, which only a list of one sender's messages has, unless the room shows them.
func rangesPageLikeASortedList(t *testing.T, s app.Stores, shards int) {
	newRoom(t, s, "seattle", shards)
	random := newRandom(t)
	var all []chat.Message
	for n := range 120 {
		sent := start.Add(time.Duration(random.IntN(40)) * 250 * time.Millisecond)
		received := sent.Add(time.Duration(random.IntN(4)) * time.Second)
		m := message("seattle", SimilarIDs[random.IntN(len(SimilarIDs))], sent, received, n)
		if n > 0 && random.IntN(3) == 0 {
			m.Thread, m.ShowInRoom = all[0].ID, random.IntN(2) == 0
		}
		all = append(all, m)
	}
	putAll(t, s, all)
	for range 60 {
		span := randomRange(random)
		wantMessages(t, fmt.Sprintf("%+v", span), readAll(t, s, span), expected(span, all))
	}
}

func randomRange(random *rand.Rand) chat.MessageRange {
	span := chat.MessageRange{Room: "seattle", Limit: 2, Order: chat.Order(random.IntN(2))}
	if random.IntN(3) == 0 {
		span.Limit = 1 + random.IntN(60)
	}
	if random.IntN(2) == 0 {
		span.User = SimilarIDs[random.IntN(len(SimilarIDs))]
	}
	instant := func() time.Time { return start.Add(time.Duration(random.IntN(15000)) * time.Millisecond) }
	switch random.IntN(4) {
	case 0:
		span.From = instant()
	case 1:
		span.To = instant()
	case 2:
		span.From, span.To = instant(), instant()
		if span.To.Before(span.From) {
			span.From, span.To = span.To, span.From
		}
	}
	return span
}
