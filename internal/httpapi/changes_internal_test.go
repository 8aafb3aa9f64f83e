package httpapi

import (
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"parley/internal/chat"
	"parley/internal/feed"
	"parley/internal/policy"
)

// TestChangeOf_IsOneFormOfTheUnion compares each form with its JSON, and with the schema that the
// OpenAPI document has for its type.
func TestChangeOf_IsOneFormOfTheUnion(t *testing.T) {
	union := changeSchema(t)
	sent := chat.MessageID{UUID: chat.NewUUID(time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC), [10]byte{}), User: "amsg"}
	message := &chat.Message{Room: "seattle", ID: sent, Text: "hello", Revision: 2}
	of := func(kind feed.ChangeType, revision int) feed.Change {
		return feed.Change{Type: kind, Message: sent, Revision: revision}
	}
	joined := feed.Change{Type: feed.MemberChanged, User: "bob", Origin: 1}
	for _, tt := range []struct {
		name  string
		entry feed.Entry
		want  string
	}{
		{"a message", feed.Entry{Seq: 1, Change: of(feed.MessageCreated, 1), Message: message}, `{"seq":1,"type":"message.created","id":"` + sent.String() + `","revision":1,"message":{`},
		{"an edit", feed.Entry{Seq: 2, Change: of(feed.MessageEdited, 2), Message: message}, `{"seq":2,"type":"message.edited","id":"` + sent.String() + `","revision":2,"message":{`},
		{"a deletion of a message that is gone", feed.Entry{Seq: 3, Change: of(feed.MessageDeleted, 3)}, `{"seq":3,"type":"message.deleted","id":"` + sent.String() + `","revision":3}`},
		{"a member", feed.Entry{Seq: 4, Change: joined, Member: &chat.Membership{Room: "seattle", User: "bob", Role: policy.Moderator}}, `{"seq":4,"type":"member.changed","member":{"user":"bob","role":"moderator"}}`},
		{"a member who left", feed.Entry{Seq: 5, Change: joined}, `{"seq":5,"type":"member.changed","member":{"user":"bob"}}`},
		{"the room", feed.Entry{Seq: 6, Change: feed.Change{Type: feed.RoomChanged, Origin: 1}}, `{"seq":6,"type":"room.changed","room":{"id":"seattle"}}`},
		{"an item that could not be read", feed.Entry{Seq: 7, Change: feed.Change{Type: feed.UnknownChange, Key: "odd"}}, `{"seq":7,"type":"unknown","key":"odd"}`},
		{"a change of a newer version, by its number alone", feed.Entry{Seq: 8, Change: feed.Change{Type: 255, User: "amsg", Opaque: "not to be shown"}}, `{"seq":8,"type":"unknown"}`},
	} {
		var text strings.Builder
		if err := marshal(&text, changeOf("seattle", tt.entry, nil)); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(text.String()); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		var value map[string]any
		if err := strictJSON(&bodySchema{}).Unmarshal([]byte(text.String()), &value); err != nil {
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

// TestChangeSchema_HasEveryType compares the union with the table of changes.
func TestChangeSchema_HasEveryType(t *testing.T) {
	mapping := changeSchema(t).Discriminator.Mapping
	for _, kind := range feed.KnownChanges() {
		if mapping[kind.Name].Ref == "" {
			t.Errorf("the schema has no form for %s", kind.Name)
		}
	}
	if len(mapping) != len(feed.KnownChanges()) {
		t.Errorf("the schema has %d types, the table has %d", len(mapping), len(feed.KnownChanges()))
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
