package chat_test

import (
	"testing"
	"time"

	"example.com/parley/internal/chat"
)

// FuzzDecodeCursor decodes arbitrary text as a cursor of each form. It is refused, or it is
// exactly the encoding of the decoded position.
func FuzzDecodeCursor(f *testing.F) {
	scope := chat.NewCursorScope("rooms").Text("")
	id := chat.MessageID{UUID: chat.NewUUID(time.UnixMilli(1), [10]byte{}), User: "amsg"}
	for _, p := range []chat.CursorPosition{
		&chat.ListPosition{Sort: "USA#seattle", ID: "seattle"},
		&instant{time.UnixMicro(1)},
	} {
		f.Add("", chat.EncodeCursor(scope, p))
		f.Add("", chat.EncodeCursor(scope, p)+"\r\n")
	}
	f.Add("", cursorAt(chat.MessageRange{Order: chat.Oldest}, chat.Position{At: time.UnixMilli(1), ID: id}))
	f.Add("", "AAAA")
	f.Add("amsg", "AQDh2w7plY9odQAA0000000000000000c0200000000000\r0") // of version 1, with a line break
	f.Fuzz(func(t *testing.T, part, cursor string) {
		scope := chat.NewCursorScope("rooms").Text(part)
		for _, p := range []chat.CursorPosition{new(chat.ListPosition), new(instant)} {
			err := chat.DecodeCursor(scope, cursor, p)
			if err != nil && chat.KindOf(err) != chat.BadCursor {
				t.Errorf("%q: %v", cursor, err)
			}
			if got := chat.EncodeCursor(scope, p); err == nil && got != cursor {
				t.Errorf("%q reads as %+v, which is written %q", cursor, p, got)
			}
		}
		if cursor == "" {
			return
		}
		r, err := resume(chat.MessageRange{Room: chat.RoomID(part)}, cursor)
		if err != nil && chat.KindOf(err) != chat.BadCursor || err == nil && r.CursorAfter(nil) != cursor {
			t.Errorf("%q reads as %+v, %v", cursor, r, err)
		}
	})
}

// instant is a position of one time to the microsecond, as in the logs of another package.
type instant struct{ at time.Time }

func (p *instant) CursorFields(f *chat.CursorCodec) {
	f.Time(&p.at)
	f.Check(!p.at.IsZero() && p.at.Equal(p.at.Truncate(time.Microsecond)))
}
