package wire_test

import (
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/wire"
)

// TestWithoutMessage_LeavesOutTheMessageAlone compares the change before and after.
func TestWithoutMessage_LeavesOutTheMessageAlone(t *testing.T) {
	t.Parallel()
	id := chat.MessageID{UUID: chat.NewUUID(time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC), [10]byte{}), User: "amsg"}
	message := &chat.Message{Room: "seattle", ID: id, Text: "hello", Revision: 2, Metadata: `{"a":"\u00e9"}`}
	c := wire.ChangeOf("seattle", feed.Entry{Seq: 7, Change: feed.ChangeOf(*message), Message: message}, wire.View{Blocked: map[chat.UserID]bool{"amsg": true}})
	whole := text(t, c)
	for _, want := range []string{`"text":"hello"`, `"blocked":true`, `"metadata":{"a":"\u00e9"}`, `"sentAt":"2018-08-29T12:00:00.000Z"`} {
		if !strings.Contains(whole, want) {
			t.Errorf("%s lacks %s", whole, want)
		}
	}
	if got, want := text(t, c.WithoutMessage()), `{"seq":7,"type":"message.edited","id":"`+id.String()+`","revision":2,"omitted":true}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if again := text(t, c); again != whole {
		t.Errorf("the change itself lost its message: %s", again)
	}
	room := wire.ChangeOf("seattle", feed.Entry{Seq: 8, Change: feed.Change{Type: feed.RoomChanged}}, wire.View{})
	if got := text(t, room.WithoutMessage()); got != text(t, room) {
		t.Errorf("a change of a room became %s", got)
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	if err := wire.Marshal(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
