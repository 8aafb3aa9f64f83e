package httpapi

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/internal/chat"
	"parley/internal/feed"
)

// messageChange is a change of a message.
type messageChange struct {
	Seq      int64        `json:"seq" doc:"The sequence number: one more than that of the entry before" example:"42"`
	Type     string       `json:"type" enum:"message.created,message.edited,message.deleted" example:"message.created"`
	ID       string       `json:"id" doc:"The message's id" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	Revision int          `json:"revision" doc:"The revision that the change made" example:"1"`
	Message  *messageBody `json:"message,omitempty" doc:"The current message, which may be a later revision; absent when it no longer exists"`
}

// memberChange is a change of a membership.
type memberChange struct {
	Seq    int64         `json:"seq" doc:"The sequence number: one more than that of the entry before" example:"43"`
	Type   string        `json:"type" enum:"member.changed" example:"member.changed"`
	Member changedMember `json:"member"`
}

type changedMember struct {
	User string `json:"user" example:"bob"`
	Role string `json:"role,omitempty" enum:"owner,moderator,member,muted" doc:"The current role, which a later change may have set; absent for a person who is not in the list of members, having left, been removed or been banned"`
}

// roomChange is a change of the room's settings, or its creation. It has the room's id alone: this
// process's copy of the settings may be older than the change, and reading them again costs a unit.
type roomChange struct {
	Seq  int64       `json:"seq" doc:"The sequence number: one more than that of the entry before" example:"44"`
	Type string      `json:"type" enum:"room.changed" example:"room.changed"`
	Room changedRoom `json:"room"`
}

type changedRoom struct {
	ID string `json:"id" doc:"The room's id; its settings are in get-room" example:"seattle"`
}

// unknownChange is a change that this version cannot read.
type unknownChange struct {
	Seq  int64  `json:"seq" doc:"The sequence number: one more than that of the entry before" example:"45"`
	Type string `json:"type" enum:"unknown" example:"unknown"`
	Key  string `json:"key,omitempty" doc:"The key of an item that could not be read, for operators; absent for a change that a newer version wrote"`
}

// change is one entry of a room's feed as the API shows it: one of the types above.
type change struct{ body any }

// MarshalJSONTo writes the entry itself.
func (c change) MarshalJSONTo(e *jsontext.Encoder) error { return json.MarshalEncode(e, c.body) }

const changeFallback = "One entry of a room's feed. Its type selects the form. Later versions may have other types: " +
	"a client skips an entry of a type that it does not know, as it skips unknown, and counts its seq."

// Schema registers the union of the entries by their type.
func (change) Schema(r huma.Registry) *huma.Schema {
	const name = "Change"
	ref := &huma.Schema{Ref: schemaPrefix + name}
	if _, known := r.Map()[name]; known {
		return ref
	}
	union := &huma.Schema{
		Description:   changeFallback,
		Discriminator: &huma.Discriminator{PropertyName: "type", Mapping: map[string]string{}},
	}
	r.Map()[name] = union
	for _, form := range []reflect.Type{
		reflect.TypeFor[messageChange](), reflect.TypeFor[memberChange](), reflect.TypeFor[roomChange](), reflect.TypeFor[unknownChange](),
	} {
		one := r.Schema(form, true, "")
		union.OneOf = append(union.OneOf, one)
		for _, value := range r.SchemaFromRef(one.Ref).Properties["type"].Enum {
			union.Discriminator.Mapping[value.(string)] = one.Ref
		}
	}
	return ref
}

// changeOf shows an entry to a caller who has blocked people.
func changeOf(room chat.RoomID, e feed.Entry, blocked map[chat.UserID]bool) change {
	kind := e.Change.Type.String()
	switch e.Change.Type.Carries() {
	case feed.CarriesMessage:
		b := messageChange{Seq: e.Seq, Type: kind, ID: e.Change.Message.String(), Revision: e.Change.Revision}
		if e.Message != nil {
			m := messageOf(*e.Message)
			m.Blocked = blocked[e.Message.ID.User]
			b.Message = &m
		}
		return change{b}
	case feed.CarriesUser:
		b := memberChange{Seq: e.Seq, Type: kind, Member: changedMember{User: string(e.Change.User)}}
		if e.Member != nil {
			b.Member.Role = e.Member.Role.String()
		}
		return change{b}
	case feed.CarriesNothing:
		return change{roomChange{Seq: e.Seq, Type: kind, Room: changedRoom{ID: string(room)}}}
	}
	return change{unknownChange{Seq: e.Seq, Type: kind, Key: e.Change.Key}}
}
