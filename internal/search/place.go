package search

import (
	"strings"
	"time"

	"example.com/parley/internal/chat"
)

// place is a position in the results of a search: the newest first, then by room.
type place struct {
	At   time.Time
	Room chat.RoomID // empty is before all rooms
	ID   chat.MessageID
}

// CursorFields implements chat.CursorPosition.
func (p *place) CursorFields(f *chat.CursorCodec) {
	var id string
	if p.Room != "" {
		id = p.ID.String()
	}
	f.Time(&p.At)
	f.Text((*string)(&p.Room))
	f.Text(&id)
	f.Check(p.At.Equal(p.At.Truncate(time.Millisecond)))
	if p.Room == "" {
		f.Check(id == "")
		return
	}
	_, err := chat.ParseRoomID(string(p.Room))
	f.Check(err == nil)
	p.ID, err = chat.ParseMessageID(id)
	f.Check(err == nil)
}

func placeOf(m chat.Message) place { return place{m.ReceivedAt, m.Room, m.ID} }

func (p place) compare(q place) int {
	if c := q.At.Compare(p.At); c != 0 {
		return c
	}
	if c := strings.Compare(string(p.Room), string(q.Room)); c != 0 {
		return c
	}
	return chat.Position{ID: q.ID}.Compare(chat.Position{ID: p.ID})
}
