package live

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

var noon = time.Date(2018, 8, 29, 12, 0, 0, 123_000_000, time.UTC)

// TestParseSubscription_OldItems reads items of other versions: without what has a default, and
// with what this version does not know.
func TestParseSubscription_OldItems(t *testing.T) {
	t.Parallel()
	full := Subscription{
		Room: "seattle", Connection: Connection{ID: "c#1", User: "amsg", Until: noon.Truncate(time.Second)}, Mode: Counts, Attempt: "1", Active: true,
	}
	for name, c := range map[string]struct {
		change func(table.Item)
		want   func(*Subscription)
	}{
		"the current version":   {func(table.Item) {}, func(*Subscription) {}},
		"a later version":       {func(i table.Item) { i["v"], i["later"] = table.Number(2), table.Text("x") }, func(*Subscription) {}},
		"no mode":               {func(i table.Item) { delete(i, attrMode) }, func(s *Subscription) { s.Mode = Full }},
		"a later mode":          {func(i table.Item) { i[attrMode] = table.Text("later") }, func(s *Subscription) { s.Mode = Full }},
		"no attempt":            {func(i table.Item) { delete(i, attrAttempt) }, func(s *Subscription) { s.Attempt = "" }},
		"no end, so it is past": {func(i table.Item) { delete(i, table.TTL) }, func(s *Subscription) { s.Connection.Until = time.Unix(0, 0).UTC() }},
		"not active":            {func(i table.Item) { delete(i, attrActive) }, func(s *Subscription) { s.Active = false }},
	} {
		item, want := subscriptionItem(full), full
		c.change(item)
		c.want(&want)
		if got, err := parseSubscription(item); err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, want)
		}
	}
	for name, change := range map[string]func(table.Item){
		"another type":          func(i table.Item) { table.Stamp(i, table.ConnectionKind) },
		"a version too late":    func(i table.Item) { i["v"] = table.Number(3) },
		"a room that is none":   func(i table.Item) { i[table.PK] = table.Text("room#") },
		"nobody's":              func(i table.Item) { delete(i, attrUser) },
		"an end that is a text": func(i table.Item) { i[table.TTL] = table.Text("soon") },
	} {
		item := subscriptionItem(full)
		change(item)
		if got, err := parseSubscription(item); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

func TestParseConnection_OldItems(t *testing.T) {
	t.Parallel()
	item := func() table.Item {
		i := connectionKey(Connection{ID: "c1", User: "amsg"})
		table.Stamp(i, table.ConnectionKind)
		i[table.TTL] = table.Number(noon.Unix())
		i[attrRooms] = table.Set([]string{"tacoma", "seattle"})
		return i
	}
	got, err := parseConnection(item())
	if err != nil || got.ID != "c1" || got.User != "amsg" || !got.Since.IsZero() || !slices.Equal(got.Rooms, []chat.RoomID{"seattle", "tacoma"}) {
		t.Errorf("%+v, %v", got, err)
	}
	for name, change := range map[string]func(table.Item){
		"another type":        func(i table.Item) { table.Stamp(i, table.SubscriptionKind) },
		"a room that is none": func(i table.Item) { i[attrRooms] = table.Set([]string{"#"}) },
		"nobody's":            func(i table.Item) { i[table.PK] = table.Text("user#") },
	} {
		i := item()
		change(i)
		if got, err := parseConnection(i); err == nil {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}

// TestSubscriptionSK_SpreadsConnections counts the first digits of ids that look as API Gateway's do:
// each of 16 workers has between half and twice its share of a room.
func TestSubscriptionSK_SpreadsConnections(t *testing.T) {
	t.Parallel()
	shares := map[byte]int{}
	for n := range 16 * 256 {
		shares[subscriptionSK(ConnectionID("L0SM9cOF" + string(rune('A'+n%26)) + string(rune('a'+n/26%26)) + string(rune('0'+n/676)) + "="))[0]]++
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

// TestKeys_AreInTheKeyChart reads the page of the keys.
func TestKeys_AreInTheKeyChart(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	c := Connection{ID: "L0SM9cOFvHcCIhw=", User: "amsg"}
	for _, key := range []table.Item{connectionKey(c), subscriptionKey("seattle", c.ID), goneKey(c.ID), missedKey(Missed{Connection: c, Room: "seattle"}), table.LiveBudgetKey("amsg")} {
		if row := fmt.Sprintf("| `%s` | `%s` |", table.KeyPart(key, table.PK), table.KeyPart(key, table.SK)); !strings.Contains(string(text), row) {
			t.Errorf("docs/keys.md does not show %s", row)
		}
	}
}
