package httpapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// furnish gives bob every kind of item that a person may have, and returns the ids of his rooms
// that others own.
func (w *fedAPI) furnish() (rooms []string) {
	private := w.by("olga", "POST", "/rooms", `{"visibility":"private","name":"x"}`).body["id"].(string)
	w.by("olga", "PUT", "/rooms/seattle", "")
	w.by("olga", "PUT", "/rooms/slow", `{"slowModeSeconds":60}`)
	w.by("bob", "PUT", "/rooms/portland", "")
	w.by("bob", "PUT", "/people/me", `{"name":"Bob of Boston","title":"Chief","state":"CA","metadata":{"a":1}}`)
	w.by("bob", "PUT", "/people/me", `{"name":"Bob of Boston","title":"Director","state":"CA","metadata":{"a":1}}`)
	w.by("bob", "PUT", "/people/me/blocks/mallory", "")
	w.by("bob", "POST", "/rooms", `{"visibility":"private","name":"x","requestId":"`+chat.NewUUID(time.Now(), [10]byte{1}).String()+`"}`)
	for _, room := range []string{"seattle", "slow", private} {
		w.by("olga", "PUT", "/rooms/"+room+"/members/bob", `{"role":"member"}`)
	}
	w.by("bob", "POST", "/rooms/slow/messages", `{"text":"x"}`)
	w.by("olga", "PUT", "/rooms/slow/members/bob", `{"role":"owner"}`) // of two
	first := w.by("olga", "POST", "/rooms/seattle/messages", `{"text":"hello","mentions":["bob"]}`).body["id"].(string)
	w.by("bob", "PUT", "/people/me/saved/seattle/"+first, "")
	w.by("bob", "POST", "/rooms/seattle/messages", `{"text":"a reply","thread":"`+first+`"}`)
	w.by("bob", "POST", "/rooms", `{"direct":["olga"]}`)
	w.by("bob", "POST", "/rooms", `{"direct":["olga","carol"]}`)
	w.settle()
	w.by("bob", "PUT", "/rooms/seattle/read", `{"seq":3}`)
	w.by("bob", "PUT", "/rooms/seattle/messages/"+first+"/read", `{"seq":1}`)
	w.settle()
	return []string{"seattle", "slow", private}
}

// kinds returns the kinds of the items in which a text occurs, sorted.
func (w *fedAPI) kinds(text string) (kinds []string) {
	w.t.Helper()
	out, err := w.db.Scan(w.t.Context(), &dynamodb.ScanInput{TableName: new("chat-fed")})
	if err != nil || out.LastEvaluatedKey != nil {
		w.t.Fatal(out, err)
	}
	for _, item := range out.Items {
		whole, err := json.Marshal(item)
		if err != nil {
			w.t.Fatal(err)
		}
		if strings.Contains(string(whole), text) {
			kinds = append(kinds, string(table.KindOf(item)))
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// TestDeletePerson_LeavesOnlyWhatTheyWrote deletes a person who has items of every kind.
func TestDeletePerson_LeavesOnlyWhatTheyWrote(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	rooms := w.furnish()
	wantKinds(t, w.kinds("bob"), "blocks", "current_title", "follow", "member", "mention", "person", "person metadata", "previous_title", "read", "room request", "saved", "slow", "standing", "state", "word")
	w.want(t, 202, "DELETE", "/people/bob", "", service...)
	w.want(t, 403, "GET", "/rooms/seattle", "", userHeader, "bob")
	w.want(t, 409, "DELETE", "/people/bob/suspension", "", service...)
	if n := w.settle(); n < 3 {
		t.Errorf("%d batches", n)
	}
	if own := w.kinds(`"u#bob"`); !slices.Equal(own, []string{"account"}) {
		t.Errorf("they have items of the kinds %q", own)
	}
	// Rooms keep who made them, direct rooms also whose they are, and members who added them.
	left := []string{"account", "direct room", "feed", "feed head", "member", "mentioned", "message", "reply", "room", "standing", "thread"}
	for _, kind := range w.kinds("bob") {
		if !slices.Contains(left, kind) {
			t.Errorf("bob is left in a %s", kind)
		}
	}
	if names := w.kinds("Boston"); len(names) > 0 {
		t.Errorf("their name is left in %q", names)
	}
	w.want(t, 404, "GET", "/people/bob", "", service...)
	for _, room := range rooms {
		if got := w.by("olga", "GET", "/rooms/"+room+"/members", ""); strings.Contains(got.text, "bob") {
			t.Errorf("%s has the members %s", room, got.text)
		}
		changes := w.by("olga", "GET", "/rooms/"+room+"/changes", "").text
		if n := strings.Count(changes, `"type":"member.changed","member":{"user":"bob"}`); n < 2 {
			t.Errorf("%s has the changes %s", room, changes)
		}
	}
	if got := w.want(t, 200, "GET", "/rooms/portland", "", service...); got.body["service"] != "desk" {
		t.Errorf("the room without an owner is %s", got.text)
	}
	w.beginAnew()
}

// TestDeletePerson_ContinuesWhatHasStopped deletes a person whose erasure has stopped, because a record
// was given up. A request some minutes later continues it.
func TestDeletePerson_ContinuesWhatHasStopped(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("bob", "PUT", "/people/me", `{"name":"Bob of Boston"}`)
	for _, tt := range []struct {
		after time.Duration
		gone  bool
	}{{0, false}, {4 * time.Minute, false}, {6 * time.Minute, true}} {
		w.ahead = tt.after
		w.want(t, 202, "DELETE", "/people/bob", "", service...)
		if tt.after == 0 {
			w.stream.Next(t)
		}
		w.settle()
		if gone := len(w.kinds("Boston")) == 0; gone != tt.gone {
			t.Errorf("after %v, gone: %t", tt.after, gone)
		}
	}
	w.want(t, 204, "DELETE", "/people/bob/suspension", "", service...)
}

// beginAnew deletes bob again, who returns after the end of the suspension and has nothing.
func (w *fedAPI) beginAnew() {
	w.t.Helper()
	w.want(w.t, 202, "DELETE", "/people/bob", "", service...)
	w.settle()
	suspension := w.want(w.t, 200, "GET", "/people/bob/suspension", "", service...)
	if suspension.body["reason"] != "deleted" || suspension.body["by"] != "desk" {
		w.t.Errorf("they are suspended as %s", suspension.text)
	}
	audit := w.want(w.t, 200, "GET", "/people/bob/audit", "", service...).text
	if n := strings.Count(audit, `"person.deleted"`); n != 2 {
		w.t.Errorf("the audit is %s", audit)
	}
	w.want(w.t, 204, "DELETE", "/people/bob/suspension", "", service...)
	if got := w.want(w.t, 200, "GET", "/people/bob/rooms", "", service...); fmt.Sprint(got.body["items"]) != "[]" {
		w.t.Errorf("their rooms are %s", got.text)
	}
	w.by("bob", "PUT", "/people/me", `{"name":"Robert"}`)
	w.by("bob", "PUT", "/rooms/seattle/members/me", `{"role":"member"}`)
	w.settle()
	if got := w.by("olga", "GET", "/rooms/seattle/members", ""); !strings.Contains(got.text, "Robert") {
		w.t.Errorf("the members are %s", got.text)
	}
}

// wantKinds checks that items of all these kinds exist.
func wantKinds(t *testing.T, got []string, want ...string) {
	t.Helper()
	for _, kind := range want {
		if !slices.Contains(got, kind) {
			t.Errorf("there is no %s among %q", kind, got)
		}
	}
}
