package live

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/emoji"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/wire"
)

const (
	// MaxFrame is the size below which frames stay: API Gateway's frames hold 32 KB.
	MaxFrame = 32 << 10
	// maxChange is the size of an encoded change from which its message is left out. Its frame has
	// room for a few other changes.
	maxChange = 24 << 10
	// maxChangeAge is the age of a change from which its message is left out. A message that has
	// been deleted since must not be sent.
	maxChangeAge = time.Minute
	// pieceMargin is the part of a frame for its own fields and a room's fields.
	pieceMargin = 512
)

// piece is a part of the changes of a room that fits in a frame.
type piece struct {
	room chat.RoomID
	json []byte // as an element of the frame's rooms; nil if only last is sent, in a frame of heads
	last int64  // the number of its last change
	// changed are the people whose memberships the piece's batch has changed.
	changed []chat.UserID
	began   time.Time             // when its delivery started
	served  map[ConnectionID]bool // connections that no longer need it
	waiting int                   // connections that it was cut off from
	index   int                   // in the batch
}

// roomOfCounts is an element of a counts frame.
type roomOfCounts struct {
	ID    chat.RoomID `json:"id"`
	Seq   int64       `json:"seq"`
	Count int64       `json:"count"`
}

// piecesOf encodes the new changes of a room, each once for all connections. changed are the people
// whose memberships they have changed.
func piecesOf(a feed.Appended, changed []chat.UserID, now time.Time) ([]*piece, error) {
	var pieces []*piece
	var texts [][]byte
	size := 0
	end := func(last int64) {
		since := chat.FeedPosition{Seq: last, Generation: a.Head.Generation}.Text(a.Room)
		pieces = append(pieces, &piece{
			room: a.Room, json: roomText(a.Room, since, texts), last: last, changed: changed, began: now,
			served: map[ConnectionID]bool{},
		})
		texts, size = nil, 0
	}
	for i, e := range a.Entries {
		text, err := changeText(a.Room, e, now)
		if err != nil {
			return nil, err
		}
		if size > 0 && size+len(text) > MaxFrame-pieceMargin {
			end(a.Entries[i-1].Seq)
		}
		texts = append(texts, text)
		size += len(text) + len(",")
	}
	if len(texts) > 0 {
		end(a.Entries[len(a.Entries)-1].Seq)
	}
	return pieces, nil
}

// roomText returns an element of a changes frame. Neither ids of rooms nor positions have
// characters that JSON escapes.
func roomText(id chat.RoomID, since string, changes [][]byte) []byte {
	return slices.Concat(
		[]byte(`{"id":"`+string(id)+`","since":"`+since+`","changes":[`), bytes.Join(changes, []byte(",")),
		[]byte("]}"),
	)
}

// changeText encodes an entry. Every connection receives the same text, so it has no mark for
// blocked senders.
func changeText(room chat.RoomID, e feed.AppendedEntry, now time.Time) ([]byte, error) {
	entry := feed.Entry{Seq: e.Seq, Change: e.Change, Message: e.Item.Message, Member: e.Item.Member}
	c := wire.ChangeOf(room, entry, wire.View{})
	if now.Sub(e.Created) > maxChangeAge {
		return encode(c.WithoutMessage())
	}
	text, err := encode(c)
	if err == nil && len(text) > maxChange {
		return encode(c.WithoutMessage())
	}
	return text, err
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := wire.Marshal(&b, v)
	return b.Bytes(), err
}

// frame is an encoded frame, with the pieces that it holds.
type frame struct {
	data   []byte
	pieces []*piece
}

// framesOf packs pieces into as few frames as possible, in their order.
func framesOf(pieces []*piece) []frame {
	var frames []frame
	for len(pieces) > 0 {
		n, size := 0, pieceMargin/2
		for n < len(pieces) && (n == 0 || size+len(pieces[n].json) < MaxFrame) {
			size += len(pieces[n].json) + len(",")
			n++
		}
		rooms := make([][]byte, n)
		for i, p := range pieces[:n] {
			rooms[i] = p.json
		}
		frames = append(frames, frame{roomsFrame("changes", rooms), pieces[:n]})
		pieces = pieces[n:]
	}
	return frames
}

// roomsFrame returns a frame with encoded rooms.
func roomsFrame(kind string, rooms [][]byte) []byte {
	return slices.Concat([]byte(`{"type":"`+kind+`","rooms":[`), bytes.Join(rooms, []byte(",")), []byte("]}"))
}

// notice returns a frame with a type and one field.
func notice(kind, field, value string) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // encoding a string cannot fail
	}
	return slices.Concat([]byte(`{"type":"`+kind+`","`+field+`":`), text, []byte("}"))
}

// personalNotice is a frame for each of a person's connections, except connections that are
// subscribed to the room unless, which learn of it anyway.
type personalNotice struct {
	data   []byte
	unless chat.RoomID
}

// notices returns the frames for the person's connections.
func (p *personBatch) notices() []personalNotice {
	var all []personalNotice
	for _, room := range p.lost {
		all = append(all, personalNotice{data: notice("unsubscribed", "room", string(room))})
	}
	for _, e := range p.events {
		text, err := encode(personalFrame{Type: "personal", Event: personalEventOf(e)})
		if err != nil {
			continue // neither ids nor numbers fail
		}
		n := personalNotice{data: text}
		if e.Type == feed.MessageAdded {
			n.unless = e.Room
		}
		all = append(all, n)
	}
	return all
}

// personalFrame is the frame of a personal change.
type personalFrame struct {
	Type  string        `json:"type"`
	Event personalEvent `json:"event"`
}

type personalEvent struct {
	Type      feed.PersonalType `json:"type"`
	Room      chat.RoomID       `json:"room,omitzero"`
	ID        string            `json:"id,omitzero"`
	Following *bool             `json:"following,omitzero"`
	Read      *int64            `json:"read,omitzero"`
	Seq       int64             `json:"seq,omitzero"`
	User      chat.UserID       `json:"user,omitzero"`
	Blocked   *bool             `json:"blocked,omitzero"`
	Emoji     string            `json:"emoji,omitzero"`
	Me        *bool             `json:"me,omitzero"`
	Choices   *[]int            `json:"choices,omitzero"`
	Favorite  *bool             `json:"favorite,omitzero"`
	Muted     *bool             `json:"muted,omitzero"`
	Level     string            `json:"level,omitzero"`
	Until     string            `json:"levelUntil,omitzero"`
}

func personalEventOf(p feed.PersonalChange) personalEvent {
	e := personalEvent{Type: p.Type, Room: p.Room, User: p.Other}
	switch p.Type {
	case feed.ReadChanged:
		e.Read = &p.Read
	case feed.ThreadChanged:
		e.ID, e.Following, e.Read = p.Message.String(), &p.Following, &p.Read
	case feed.MentionAdded, feed.MessageAdded:
		e.ID, e.Seq = p.Message.String(), p.Seq
	case feed.BlockChanged:
		e.Blocked = &p.Blocked
	case feed.ReactionChanged:
		e.ID, e.Emoji, e.Me = p.Message.String(), emoji.Text(p.Emoji), &p.Mine
	case feed.PollChanged:
		choices := p.Choices.Positions() // [] for a withdrawn vote
		e.ID, e.Choices = p.Message.String(), &choices
	case feed.PreferencesChanged:
		e.Favorite, e.Muted, e.Level = &p.Favorite, &p.Muted, p.Level
		e.Until = wire.OptionalTimeText(p.Until)
	case feed.RoomAdded, feed.RoomRemoved, feed.NotificationsChanged:
	}
	return e
}

// roomOfHeads is an element of a heads frame.
type roomOfHeads struct {
	ID   chat.RoomID `json:"id"`
	Head int64       `json:"head"`
}

// headsFrame returns the frame with the heads of rooms.
func headsFrame(heads map[chat.RoomID]int64) []byte {
	rooms := make([][]byte, 0, len(heads))
	for room, head := range heads {
		text, err := encode(roomOfHeads{ID: room, Head: head})
		if err == nil { // neither ids nor numbers fail
			rooms = append(rooms, text)
		}
	}
	slices.SortFunc(rooms, bytes.Compare)
	return roomsFrame("heads", rooms)
}
