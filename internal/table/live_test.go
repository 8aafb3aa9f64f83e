package table

import (
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
)

// TestParseLiveSubscription_OldItems reads items of other versions: without what has a default, and
// with what this version does not know.
func TestParseLiveSubscription_OldItems(t *testing.T) {
	t.Parallel()
	full := live.Subscription{
		Room: "seattle", Connection: live.Connection{ID: "c#1", User: "amsg", Until: noon.Truncate(time.Second)}, Mode: live.Counts, Attempt: "1", Active: true,
	}
	for name, c := range map[string]struct {
		change func(Item)
		want   func(*live.Subscription)
	}{
		"the current version":   {func(Item) {}, func(*live.Subscription) {}},
		"a later version":       {func(i Item) { i[attrVersion], i["later"] = Number(schemaVersion+1), Text("x") }, func(*live.Subscription) {}},
		"no mode":               {func(i Item) { delete(i, attrLiveMode) }, func(s *live.Subscription) { s.Mode = live.Full }},
		"a later mode":          {func(i Item) { i[attrLiveMode] = Text("later") }, func(s *live.Subscription) { s.Mode = live.Full }},
		"no attempt":            {func(i Item) { delete(i, attrLiveAttempt) }, func(s *live.Subscription) { s.Attempt = "" }},
		"no end, so it is past": {func(i Item) { delete(i, TTL) }, func(s *live.Subscription) { s.Connection.Until = time.Unix(0, 0).UTC() }},
		"not active":            {func(i Item) { delete(i, attrLiveActive) }, func(s *live.Subscription) { s.Active = false }},
	} {
		item, want := LiveSubscriptionItem(full), full
		c.change(item)
		c.want(&want)
		if got, err := ParseLiveSubscription(item); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
	for name, change := range map[string]func(Item){
		"another type":          func(i Item) { i[attrType] = Text(ConnectionKind) },
		"a version too late":    func(i Item) { i[attrVersion] = Number(schemaVersion + 2) },
		"a room that is none":   func(i Item) { i[PK] = Text("room#") },
		"nobody's":              func(i Item) { delete(i, attrLiveUser) },
		"an end that is a text": func(i Item) { i[TTL] = Text("soon") },
	} {
		item := LiveSubscriptionItem(full)
		change(item)
		if got, err := ParseLiveSubscription(item); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

func TestParseLiveConnection_OldItems(t *testing.T) {
	t.Parallel()
	item := func() Item {
		i := LiveConnectionKey(live.Connection{ID: "c1", User: "amsg"})
		i[attrType], i[attrVersion], i[TTL] = Text(ConnectionKind), Number(schemaVersion), Number(noon.Unix())
		i[attrLiveRooms] = &types.AttributeValueMemberSS{Value: []string{"tacoma", "seattle"}}
		return i
	}
	got, err := ParseLiveConnection(item())
	if err != nil || got.ID != "c1" || got.User != "amsg" || !got.Since.IsZero() || !slices.Equal(got.Rooms, []chat.RoomID{"seattle", "tacoma"}) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, change := range map[string]func(Item){
		"another type":        func(i Item) { i[attrType] = Text(SubscriptionKind) },
		"a room that is none": func(i Item) { i[attrLiveRooms] = &types.AttributeValueMemberSS{Value: []string{"#"}} },
		"nobody's":            func(i Item) { i[PK] = Text("user#") },
	} {
		i := item()
		change(i)
		if got, err := ParseLiveConnection(i); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

// TestLiveSubscriptionSK_SpreadsConnections counts the first digits of ids like those of the service:
// each of 16 workers has between half and twice its share of a room.
func TestLiveSubscriptionSK_SpreadsConnections(t *testing.T) {
	t.Parallel()
	shares := map[byte]int{}
	for n := range 16 * 256 {
		shares[LiveSubscriptionSK(live.ConnectionID("L0SM9cOF" + string(rune('A'+n%26)) + string(rune('a'+n/26%26)) + string(rune('0'+n/676)) + "="))[0]]++
	}
	for digit, n := range shares {
		if n < 128 || n > 512 {
			t.Errorf("%c has %d", digit, n)
		}
	}
	if len(shares) != 16 {
		t.Errorf("%d digits", len(shares))
	}
}
