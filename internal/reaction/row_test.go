package reaction

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// TestOwnQueries_AreBounded checks what a page reads of the caller's reactions: nothing without
// counts, one range for messages that follow one another, and otherwise one instant a message,
// because thousands of the caller's reactions may lie between.
func TestOwnQueries_AreBounded(t *testing.T) {
	noon := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	var page []chat.Message
	for n := range 6 {
		m := chat.Message{Room: "seattle", ReceivedAt: noon.AddDate(0, -n, 0)}
		if n%2 == 1 {
			m.Tally.Reactions = []chat.ReactionCount{{Emoji: "👍", Count: 1}}
		}
		page = append(page, m)
	}
	at := func(months int) time.Time { return noon.AddDate(0, -months, 0) }
	of := func(first, last int) OwnQuery {
		return OwnQuery{User: "bob", Room: "seattle", First: at(first), Last: at(last)}
	}
	for _, tt := range []struct {
		name       string
		messages   []chat.Message
		contiguous bool
		want       []OwnQuery
	}{
		{"no messages", nil, true, nil},
		{"no counts", []chat.Message{page[0], page[2]}, true, nil},
		{"no counts, of one person", []chat.Message{page[0], page[2]}, false, nil},
		{"a page of the room, newest first", page, true, []OwnQuery{of(5, 1)}},
		{"oldest first", []chat.Message{page[5], page[4], page[3]}, true, []OwnQuery{of(5, 3)}},
		{"a page of one person", page, false, []OwnQuery{of(1, 1), of(3, 3), of(5, 5)}},
		{"one message", page[1:2], true, []OwnQuery{of(1, 1)}},
	} {
		if d := cmp.Diff(tt.want, ownQueries("bob", tt.messages, tt.contiguous)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

func TestParse_ReadsReactions(t *testing.T) {
	noon := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{}), User: "amsg"}
	for _, emoji := range []string{"👍", "#\u20E3", "1\u20E3", "👨\u200D👩\u200D👧"} {
		r := Reaction{Room: "seattle-1", Message: id, Emoji: emoji, User: "a:b@c", ReceivedAt: noon}
		item := Item(r)
		got, err := Parse(item)
		if got != r || err != nil {
			t.Errorf("read as %+v, %v, want %+v", got, err, r)
		}
		within := func(keys table.Range, attribute string) bool {
			key := table.KeyPart(item, attribute)
			return key >= keys.Low && key <= keys.High
		}
		if !within(table.ReactionsRange(""), table.SK) || !within(table.ReactionsRange(emoji), table.SK) || within(table.ReactionsRange("👎"), table.SK) {
			t.Errorf("%s is in a wrong range", emoji)
		}
		for _, tt := range []struct {
			first, last time.Duration
			want        bool
		}{{0, 0, true}, {-time.Second, time.Second, true}, {time.Millisecond, time.Second, false}, {-time.Second, -time.Millisecond, false}} {
			if got := within(ownRange("seattle-1", noon.Add(tt.first), noon.Add(tt.last)), table.IndexSK); got != tt.want {
				t.Errorf("from %v to %v: %v", tt.first, tt.last, got)
			}
		}
		if within(ownRange("seattle", noon, noon), table.IndexSK) {
			t.Error("the reaction is found in another room")
		}
		for attribute, value := range map[string]string{table.SK: "react#👍", table.PK: "m#seattle", table.IndexSK: "seattle"} {
			spoiled := Item(r)
			spoiled[attribute] = table.Text(value)
			if got, err := Parse(spoiled); err == nil {
				t.Errorf("%s %q is read as %+v", attribute, value, got)
			}
		}
	}
}
