package wire

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// MessageChange is a change of a message.
type MessageChange struct {
	Seq      int64    `json:"seq" doc:"The sequence number: one more than that of the entry before" example:"42"`
	Type     string   `json:"type" enum:"message.created,message.edited,message.deleted,reply.created,counts.changed" example:"message.created"`
	ID       string   `json:"id" doc:"The message's id" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	Revision int      `json:"revision" doc:"The revision that the change made; with counts.changed, the version of the message's counts" example:"1"`
	Thread   string   `json:"thread,omitempty" doc:"With reply.created: the root of the reply's thread" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	InRoom   bool     `json:"showInRoom,omitzero" doc:"With reply.created: the room lists the reply too"`
	Message  *Message `json:"message,omitempty" doc:"The message in this revision or a later one, mostly the current one; absent when it no longer exists"`
	Omitted  bool     `json:"omitted,omitzero" doc:"The frame of a live connection leaves the message out, because it is long or late: read it with list-changes. Absent over HTTP"`
}

// MemberChange is a change of a membership.
type MemberChange struct {
	Seq    int64         `json:"seq" doc:"The sequence number: one more than that of the entry before" example:"43"`
	Type   string        `json:"type" enum:"member.changed" example:"member.changed"`
	Member ChangedMember `json:"member"`
}

// ChangedMember is the person whose membership changed.
type ChangedMember struct {
	User string `json:"user" example:"bob"`
	Role string `json:"role,omitempty" enum:"owner,moderator,member,muted" doc:"The current role, which a later change may have set; absent for a person who is not in the list of members, having left, been removed or been banned"`
}

// RoomChange is a change of the room's settings, or its creation. It has only the room's id: a
// process's copy of the settings may be older than the change, and reading them again costs a
// unit.
type RoomChange struct {
	Seq  int64       `json:"seq" doc:"The sequence number: one more than that of the entry before" example:"44"`
	Type string      `json:"type" enum:"room.changed" example:"room.changed"`
	Room ChangedRoom `json:"room"`
}

// ChangedRoom is the room that changed.
type ChangedRoom struct {
	ID string `json:"id" doc:"The room's id; its settings are in get-room" example:"seattle"`
}

// PinChange is a message that was pinned or unpinned. list-pins returns the room's pins.
type PinChange struct {
	Seq    int64  `json:"seq" doc:"The sequence number: one more than that of the entry before" example:"46"`
	Type   string `json:"type" enum:"pins.changed" example:"pins.changed"`
	ID     string `json:"id" doc:"The message's id" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	Pinned bool   `json:"pinned" doc:"Whether this change pinned the message; a later one may have undone it"`
}

// UnknownChange is a change that this version cannot read.
type UnknownChange struct {
	Seq  int64  `json:"seq" doc:"The sequence number: one more than that of the entry before" example:"45"`
	Type string `json:"type" enum:"unknown" example:"unknown"`
	Key  string `json:"key,omitempty" doc:"The key of an item that could not be read, for operators; absent for a change that a newer version wrote"`
}

// Change is one entry of a room's feed as the API shows it: one of the types above.
type Change struct{ body any }

// MarshalJSONTo writes the entry itself.
func (c Change) MarshalJSONTo(e *jsontext.Encoder) error { return json.MarshalEncode(e, c.body) }

// ChangeOf returns the form of an entry in a view.
func ChangeOf(room chat.RoomID, e feed.Entry, v View) Change {
	kind := e.Change.Type.String()
	switch e.Change.Type.Carries() {
	case feed.CarriesMessage, feed.CarriesReply:
		b := MessageChange{Seq: e.Seq, Type: kind, ID: e.Change.Message.String(), Revision: e.Change.Revision}
		if e.Change.Type == feed.ReplyCreated {
			b.Thread, b.InRoom = e.Change.Thread.String(), e.Change.ShowInRoom
		}
		if e.Message != nil {
			m := v.Message(*e.Message)
			b.Message = &m
		}
		return Change{b}
	case feed.CarriesUser:
		b := MemberChange{Seq: e.Seq, Type: kind, Member: ChangedMember{User: string(e.Change.User)}}
		if e.Member != nil {
			b.Member.Role = e.Member.Role.String()
		}
		return Change{b}
	case feed.CarriesPin:
		return Change{PinChange{Seq: e.Seq, Type: kind, ID: e.Change.Message.String(), Pinned: e.Change.Pinned}}
	case feed.CarriesNothing:
		return Change{RoomChange{Seq: e.Seq, Type: kind, Room: ChangedRoom{ID: string(room)}}}
	}
	return Change{UnknownChange{Seq: e.Seq, Type: kind, Key: e.Change.Key}}
}

// WithoutMessage returns the change with a mark in place of its message. Changes without a message
// are returned as they are.
func (c Change) WithoutMessage() Change {
	b, ok := c.body.(MessageChange)
	if !ok {
		return c
	}
	b.Message, b.Omitted = nil, true
	return Change{b}
}
