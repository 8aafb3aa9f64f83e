package httpapi

import (
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"parley/internal/chat"
	"parley/internal/policy"
)

// TestChangeOf_IsOneFormOfTheUnion compares each form with its text, and with the schema that its
// type selects in the OpenAPI document.
func TestChangeOf_IsOneFormOfTheUnion(t *testing.T) {
	union := changeSchema(t)
	sent := chat.MessageID{UUID: chat.NewUUID(time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC), [10]byte{}), User: "amsg"}
	message := &chat.Message{Room: "seattle", ID: sent, Text: "hello", Revision: 2}
	of := func(kind chat.ChangeType, revision int) chat.Change {
		return chat.Change{Type: kind, Message: sent, Revision: revision}
	}
	joined := chat.Change{Type: chat.MemberChanged, User: "bob", Origin: 1}
	for _, tt := range []struct {
		name  string
		entry chat.Entry
		want  string
	}{
		{"a message", chat.Entry{Seq: 1, Change: of(chat.MessageCreated, 1), Now: message}, `{"seq":1,"type":"message.created","id":"` + sent.String() + `","revision":1,"message":{`},
		{"an edit", chat.Entry{Seq: 2, Change: of(chat.MessageEdited, 2), Now: message}, `{"seq":2,"type":"message.edited","id":"` + sent.String() + `","revision":2,"message":{`},
		{"a deletion of a message that is gone", chat.Entry{Seq: 3, Change: of(chat.MessageDeleted, 3)}, `{"seq":3,"type":"message.deleted","id":"` + sent.String() + `","revision":3}`},
		{"a member", chat.Entry{Seq: 4, Change: joined, Member: &chat.Membership{Room: "seattle", User: "bob", Role: policy.Moderator}}, `{"seq":4,"type":"member.changed","member":{"user":"bob","role":"moderator"}}`},
		{"a member who left", chat.Entry{Seq: 5, Change: joined}, `{"seq":5,"type":"member.changed","member":{"user":"bob"}}`},
		{"the room", chat.Entry{Seq: 6, Change: chat.Change{Type: chat.RoomChanged, Origin: 1}}, `{"seq":6,"type":"room.changed","room":{"id":"seattle"}}`},
		{"an item that could not be read", chat.Entry{Seq: 7, Change: chat.Change{Type: chat.UnknownChange, Key: "odd"}}, `{"seq":7,"type":"unknown","key":"odd"}`},
		{"a change of a newer version, by its number alone", chat.Entry{Seq: 8, Change: chat.Change{Type: 255, User: "amsg", Opaque: "not to be shown"}}, `{"seq":8,"type":"unknown"}`},
	} {
		var text strings.Builder
		if err := marshal(&text, changeOf("seattle", tt.entry)); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(text.String()); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		var value map[string]any
		if err := strictJSON().Unmarshal([]byte(text.String()), &value); err != nil {
			t.Fatal(err)
		}
		if err := union.VisitJSON(value); err != nil {
			t.Errorf("%s does not match the schema: %v", tt.name, err)
		}
		value["type"] = map[string]any{"room.changed": "member.changed"}[value["type"].(string)]
		if err := union.VisitJSON(value); err == nil {
			t.Errorf("%s matches the schema under another type", tt.name)
		}
	}
}

// TestChangeSchema_HasEveryType keeps the union and the table of changes together.
func TestChangeSchema_HasEveryType(t *testing.T) {
	mapping := changeSchema(t).Discriminator.Mapping
	for _, kind := range chat.KnownChanges() {
		if mapping[kind.Name].Ref == "" {
			t.Errorf("the schema has no form for %s", kind.Name)
		}
	}
	if len(mapping) != len(chat.KnownChanges()) {
		t.Errorf("the schema has %d types, the table has %d", len(mapping), len(chat.KnownChanges()))
	}
}

func changeSchema(t *testing.T) *openapi3.Schema {
	t.Helper()
	text, err := OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Components.Schemas["Change"].Value
}
