package httpapi

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/getkin/kin-openapi/openapi3"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	docs "example.com/parley/internal/document"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/report"
	"example.com/parley/internal/wire"
)

// parsers are the domain's checks of the values that a form describes.
var parsers = map[string]func(string) error{
	"slug": func(s string) error {
		_, err := chat.ParseRoomID(s)
		if _, part := docs.ParsePartID(s); (part == nil) != (err == nil) {
			return part
		}
		return err
	},
	"user-id":        func(s string) error { _, err := chat.StoredUserID(s); return err },
	"device-id":      func(s string) error { _, err := activity.ParseDeviceID(s); return err },
	"uuidv7":         func(s string) error { _, err := chat.ParseUUID(s); return err },
	"message-id":     func(s string) error { _, err := chat.ParseMessageID(s); return err },
	"own-message-id": func(s string) error { _, err := chat.ParseOwnMessageID("amsg", s); return err },
	"report-id":      func(s string) error { _, err := report.ParseID(s); return err },
	"one-etag":       func(s string) error { _, err := parseETag(s); return err },
}

// TestForms_AgreeWithTheDomain compares each pattern with the check that it describes.
func TestForms_AgreeWithTheDomain(t *testing.T) {
	t.Parallel()
	const id, user = "01890a5d-ac96-774b-bcce-b302099a8057", "~amsg"
	samples := []string{
		"a", "a-b", "a--b", "-a", "a-", "-", "A", "0", "a_b", "a.b", "a b", "é", "a#b", "a/b", "auth0|5", "a@b.c", "a+b=c:d", "a~b", "a\n", "\x00",
		id, id + user, id + user + user, id + "~", id + "~~", id + user + "~", "~amsg", strings.ToUpper(id), strings.ToUpper(id) + user,
		strings.Replace(id, "-7", "-4", 1), strings.Replace(id, "-b", "-c", 1) + user, strings.ReplaceAll(id, "-", ""), id + "~a#b", "{" + id + "}",
		`"1"`, `"0"`, `"01"`, `"12345678"`, `W/"1"`, `1`, `"1`, `"-1"`, `"1234567890"`, "*",
	}
	for name, parse := range parsers {
		pattern := regexp.MustCompile(forms[name].pattern)
		accepted := 0
		for _, s := range samples {
			err := parse(s)
			if matches := pattern.MatchString(s); matches != (err == nil) {
				t.Errorf("%s: %q matches: %t, the domain: %v", name, s, matches, err)
			}
			if err == nil {
				accepted++
			}
		}
		if accepted == 0 || accepted == len(samples) {
			t.Errorf("%s: the domain accepts %d of %d samples", name, accepted, len(samples))
		}
	}
}

// TestLists_AreTheArraysOfTheDocument compares the names with the parameters that are arrays.
func TestLists_AreTheArraysOfTheDocument(t *testing.T) {
	t.Parallel()
	arrays := map[string]bool{}
	document, err := describe()
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range described(document) {
		for _, p := range op.Parameters {
			if name, ok := strings.CutPrefix(p.Ref, parameterPrefix); ok {
				p = document.Components.Parameters[name]
			}
			isArray := p.Schema.Type == huma.TypeArray
			if p.In == "query" && isArray != lists[p.Name] {
				t.Errorf("%s: the parameter %s is an array: %t, a list: %t", op.OperationID, p.Name, isArray, lists[p.Name])
			}
			arrays[p.Name] = arrays[p.Name] || isArray
		}
	}
	for name := range lists {
		if !arrays[name] {
			t.Errorf("no operation has the list %s", name)
		}
	}
}

// TestChangeSchema_HasEachForm compares each form with its JSON, and with the schema in the OpenAPI
// document.
func TestChangeSchema_HasEachForm(t *testing.T) {
	object := changeObject(t)
	sent := chat.MessageID{UUID: chat.NewUUID(time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC), [10]byte{}), User: "amsg"}
	message := &chat.Message{Room: "seattle", ID: sent, Text: "hello", Revision: 2}
	of := func(kind feed.ChangeType, revision int) feed.Change {
		return feed.Change{Type: kind, Message: sent, Revision: revision}
	}
	root := chat.MessageID{UUID: sent.UUID, User: "bob"}
	reply := &chat.Message{Room: "seattle", ID: sent, Text: "hi", Revision: 1, Thread: root, ShowInRoom: true}
	counted := &chat.Message{Room: "seattle", ID: sent, Text: "hello", Revision: 2, Tally: chat.Tally{Version: 4, Reactions: []chat.ReactionCount{{Emoji: "❤", Count: 2}}}}
	joined := feed.Change{Type: feed.MemberChanged, User: "bob", Origin: 1}
	for _, tt := range []struct {
		name    string
		entry   feed.Entry
		want    string
		omitted bool // in a frame of a live connection
	}{
		{"a message", feed.Entry{Seq: 1, Change: of(feed.MessageCreated, 1), Message: message}, `{"seq":1,"type":"message.created","id":"` + sent.String() + `","revision":1,"message":{`, false},
		{"a reply", feed.Entry{Seq: 2, Change: feed.Change{Type: feed.ReplyCreated, Message: sent, Revision: 1, Thread: root, ShowInRoom: true}, Message: reply}, `{"seq":2,"type":"reply.created","id":"` + sent.String() + `","revision":1,"thread":"` + root.String() + `","showInRoom":true,"message":{`, false},
		{"an edit", feed.Entry{Seq: 2, Change: of(feed.MessageEdited, 2), Message: message}, `{"seq":2,"type":"message.edited","id":"` + sent.String() + `","revision":2,"message":{`, false},
		{"a message that is left out", feed.Entry{Seq: 2, Change: of(feed.MessageCreated, 1), Message: message}, `{"seq":2,"type":"message.created","id":"` + sent.String() + `","revision":1,"omitted":true}`, true},
		{"a deletion of a message that is gone", feed.Entry{Seq: 3, Change: of(feed.MessageDeleted, 3)}, `{"seq":3,"type":"message.deleted","id":"` + sent.String() + `","revision":3}`, false},
		{"a member", feed.Entry{Seq: 4, Change: joined, Member: &chat.Membership{Room: "seattle", User: "bob", Role: policy.Moderator}}, `{"seq":4,"type":"member.changed","member":{"user":"bob","role":"moderator"}}`, false},
		{"a member who left", feed.Entry{Seq: 5, Change: joined}, `{"seq":5,"type":"member.changed","member":{"user":"bob"}}`, false},
		{"changed counts", feed.Entry{Seq: 6, Change: of(feed.CountsChanged, 4), Message: counted}, `{"seq":6,"type":"counts.changed","id":"` + sent.String() + `","revision":4,"message":{`, false},
		{"a pin", feed.Entry{Seq: 6, Change: feed.Change{Type: feed.PinsChanged, Message: sent, Revision: 9, Pinned: true}}, `{"seq":6,"type":"pins.changed","id":"` + sent.String() + `","pinned":true}`, false},
		{"no pin any more, in a frame", feed.Entry{Seq: 6, Change: feed.Change{Type: feed.PinsChanged, Message: sent, Revision: 10}}, `{"seq":6,"type":"pins.changed","id":"` + sent.String() + `","pinned":false}`, true},
		{"the room", feed.Entry{Seq: 6, Change: feed.Change{Type: feed.RoomChanged, Origin: 1}}, `{"seq":6,"type":"room.changed","room":{"id":"seattle"}}`, false},
		{"an item that could not be read", feed.Entry{Seq: 7, Change: feed.Change{Type: feed.UnknownChange, Key: "odd"}}, `{"seq":7,"type":"unknown","key":"odd"}`, false},
		{"a change of a newer version, only by its number", feed.Entry{Seq: 8, Change: feed.Change{Type: 255, User: "amsg", Opaque: "not to be shown"}}, `{"seq":8,"type":"unknown"}`, false},
	} {
		form := wire.ChangeOf("seattle", tt.entry, wire.View{})
		if tt.omitted {
			form = form.WithoutMessage()
		}
		var text strings.Builder
		if err := marshal(&text, form); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(text.String()); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		var value map[string]any
		if err := strictJSON(&bodySchema{}).Unmarshal([]byte(text.String()), &value); err != nil {
			t.Fatal(err)
		}
		if err := object.VisitJSON(value); err != nil {
			t.Errorf("%s does not match the schema: %v", tt.name, err)
		}
	}
}

// TestChangeSchema_HasEveryType compares the schema with the table of changes.
func TestChangeSchema_HasEveryType(t *testing.T) {
	known, _ := changeObject(t).Properties["type"].Value.Extensions[openEnums].([]any)
	names := map[string]bool{}
	for _, kind := range feed.KnownChanges() {
		names[kind.Name] = true
		if !slices.Contains(known, any(kind.Name)) {
			t.Errorf("the schema has no type %s", kind.Name)
		}
	}
	if len(known) != len(names) {
		t.Errorf("the schema has %d types, the table has %d", len(known), len(names))
	}
}

func changeObject(t *testing.T) *openapi3.Schema {
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
