package wire

import (
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// Change is one entry of a room's feed as the API shows it. Its type determines which of the other
// fields it has. It is one object rather than a union, so that a generated client can read an entry
// of a type that it does not know.
type Change struct {
	Seq      int64          `json:"seq" doc:"The sequence number: one more than the previous entry's" example:"42"`
	Type     string         `json:"type" enum:"message.created,message.edited,message.deleted,reply.created,counts.changed,pins.changed,member.changed,room.changed,unknown" doc:"What changed. A client passes over a type that it does not know, as it passes over unknown, and counts its seq" example:"message.created"`
	ID       string         `json:"id,omitempty" doc:"Of message.…, reply.created, counts.changed and pins.changed: the message's id" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	Revision int            `json:"revision,omitzero" doc:"Of message.… and reply.created: the revision that the change made; of counts.changed, the version of the message's counts" example:"1"`
	Thread   string         `json:"thread,omitempty" doc:"Of reply.created: the root of the reply's thread" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	InRoom   bool           `json:"showInRoom,omitzero" doc:"Of reply.created: the room lists the reply too"`
	Message  *Message       `json:"message,omitempty" doc:"Of message.…, reply.created and counts.changed: the message in this revision or a later one, mostly the current one; absent when it no longer exists"`
	Omitted  bool           `json:"omitted,omitzero" doc:"The frame of a live connection leaves the message out, because it is long or late: read it with list-changes. Absent over HTTP"`
	Pinned   *bool          `json:"pinned,omitempty" doc:"Of pins.changed: whether this change pinned the message; a later one may have undone it. list-pins returns the room's pins"`
	Member   *ChangedMember `json:"member,omitempty" doc:"Of member.changed"`
	Room     *ChangedRoom   `json:"room,omitempty" doc:"Of room.changed, which is a change of the settings, or the creation: only the room's id, because reading the settings again costs a unit"`
	Key      string         `json:"key,omitempty" doc:"Of unknown: the key of an item that could not be read, for operators; absent for a change that a newer version wrote"`
}

// ChangedMember is the person whose membership changed.
type ChangedMember struct {
	User string `json:"user" example:"bob"`
	Role string `json:"role,omitempty" enum:"owner,moderator,member,muted" doc:"The current role, which a later change may have set; absent for a person who is not in the list of members, having left, been removed or been banned"`
}

// ChangedRoom is the room that changed.
type ChangedRoom struct {
	ID string `json:"id" doc:"The room's id; its settings are in get-room" example:"seattle"`
}

// ChangeOf returns the form of an entry in a view.
func ChangeOf(room chat.RoomID, e feed.Entry, v View) Change {
	c := Change{Seq: e.Seq, Type: e.Change.Type.String()}
	switch e.Change.Type.Carries() {
	case feed.CarriesMessage, feed.CarriesReply:
		c.ID, c.Revision = e.Change.Message.String(), e.Change.Revision
		if e.Change.Type == feed.ReplyCreated {
			c.Thread, c.InRoom = e.Change.Thread.String(), e.Change.ShowInRoom
		}
		if e.Message != nil {
			m := v.Message(*e.Message)
			c.Message = &m
		}
	case feed.CarriesUser:
		c.Member = &ChangedMember{User: string(e.Change.User)}
		if e.Member != nil {
			c.Member.Role = e.Member.Role.String()
		}
	case feed.CarriesPin:
		c.ID, c.Pinned = e.Change.Message.String(), &e.Change.Pinned
	case feed.CarriesNothing:
		c.Room = &ChangedRoom{ID: string(room)}
	default:
		c.Key = e.Change.Key
	}
	return c
}

// WithoutMessage returns the change with a mark in place of its message. Changes without a message
// are returned as they are.
func (c Change) WithoutMessage() Change {
	if c.Revision > 0 { // of a message
		c.Message, c.Omitted = nil, true
	}
	return c
}

// Marshal writes v as JSON. Map keys are sorted, so equal answers have equal bytes. Metadata keeps
// the escapes of its strings.
func Marshal(w io.Writer, v any) error {
	return json.MarshalWrite(w, v, json.Deterministic(true), jsontext.PreserveRawStrings(true))
}

// FieldPath returns a pointer in the form of a fault's location: events[0].at.
func FieldPath(pointer jsontext.Pointer) string {
	var path strings.Builder
	for token := range pointer.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			path.WriteString("[" + token + "]")
			continue
		}
		if path.Len() > 0 {
			path.WriteByte('.')
		}
		path.WriteString(token)
	}
	return path.String()
}
