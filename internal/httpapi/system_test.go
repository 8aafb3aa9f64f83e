package httpapi_test

import (
	"slices"
	"strings"
	"testing"
)

// systemMessages returns the system messages of a room in order: who sent each, what it reports
// and its text. It fails unless they are of kind system, without the marks of edits.
func (w *fedAPI) systemMessages(user, room string) (all []map[string]any, lines []string) {
	w.t.Helper()
	for _, item := range w.by(user, "GET", "/rooms/"+room+"/messages?order=asc&limit=100", "").body["items"].([]any) {
		m := item.(map[string]any)
		system, ok := m["system"].(map[string]any)
		if ok != (m["kind"] == "system") || ok && m["editedAt"] != nil {
			w.t.Errorf("a message is %v", m)
		}
		if ok {
			all, lines = append(all, m), append(lines, m["user"].(string)+" "+system["event"].(string)+": "+m["text"].(string))
		}
	}
	return all, lines
}

func (w *fedAPI) wantLines(room string, want ...string) []map[string]any {
	w.t.Helper()
	all, lines := w.systemMessages("ann", room)
	if slices.Sort(lines); !slices.Equal(lines, want) {
		w.t.Errorf("%s has the system messages\n%s\nwant\n%s", room, strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	return all
}

// TestSystemMessages_ReportWhatHappens makes each change that they report, repeats it, and makes
// those that they do not report.
func TestSystemMessages_ReportWhatHappens(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	for range 2 { // a repeated change changes nothing
		w.by("ann", "PUT", "/rooms/seattle", `{"name":"Seattle"}`)
		w.by("bob", "PUT", "/rooms/seattle/members/me", `{"role":"member"}`)
		w.by("ann", "PUT", "/rooms/seattle/members/eve", `{"role":"member"}`)
		w.by("ann", "PUT", "/rooms/seattle/members/max", `{"role":"member"}`)
	}
	w.by("ann", "PUT", "/rooms/seattle/members/bob", `{"role":"moderator"}`)
	w.settle()
	w.by("bob", "DELETE", "/rooms/seattle/members/me", "")
	w.by("ann", "DELETE", "/rooms/seattle/members/eve", "")
	w.by("ann", "PUT", "/rooms/seattle/members/max", `{"role":"banned"}`)
	for range 2 {
		w.by("ann", "PATCH", "/rooms/seattle", `{"name":"Rain","topic":"wet","pinning":"members"}`)
	}
	w.by("ann", "PATCH", "/rooms/seattle", `{"topic":""}`)
	w.by("ann", "PATCH", "/rooms/seattle", `{"archived":true}`)
	w.by("ann", "PATCH", "/rooms/seattle", `{"archived":false}`)
	w.settle()
	w.wantLines("seattle",
		"ann added: eve and max were added.", "ann archived: The room was archived.", "ann joined: bob joined.",
		"ann removed: eve was removed.", "ann removed: max was removed.", "ann renamed: The room is now called Rain.",
		"ann topic: The topic is now: wet", "ann topic: The topic was removed.", "ann unarchived: The room was unarchived.", "bob left: bob left.")
}

// TestSystemMessages_WhereThereAreNone makes changes in a room without them, in a direct room,
// and by a service.
func TestSystemMessages_WhereThereAreNone(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("ann", "PUT", "/rooms/quiet", `{"systemMessages":false}`)
	w.by("bob", "PUT", "/rooms/quiet/members/me", `{"role":"member"}`)
	w.by("ann", "PATCH", "/rooms/quiet", `{"name":"Quiet"}`)
	w.by("bob", "DELETE", "/rooms/quiet/members/me", "")
	direct := w.by("ann", "POST", "/rooms", `{"direct":["bob"]}`).body["id"].(string)
	w.by("bob", "DELETE", "/rooms/"+direct+"/members/me", "")
	w.by("ann", "PUT", "/rooms/provisioned", "")
	w.want(t, 201, "PUT", "/rooms/provisioned/members/bob", `{"role":"member"}`, via("ann")...)
	w.settle()
	for _, room := range []string{"quiet", direct, "provisioned"} {
		w.wantLines(room)
	}
}

// TestSystemMessages_AreNobodysMessages checks that they are not unread, not the newest message
// of the list, not found and not quoted, have no thread, and that only moderators delete them.
func TestSystemMessages_AreNobodysMessages(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("ann", "PUT", "/rooms/seattle", "")
	w.by("bob", "PUT", "/rooms/seattle/members/me", `{"role":"member"}`)
	hello := w.by("ann", "POST", "/rooms/seattle/messages", `{"text":"hello"}`).body["id"].(string)
	w.settle()
	w.by("bob", "PUT", "/rooms/seattle/read", `{"message":"`+hello+`"}`)
	before := w.by("bob", "GET", "/people/me/rooms", "").body["items"].([]any)[0].(map[string]any)
	w.by("eve", "PUT", "/rooms/seattle/members/me", `{"role":"member"}`)
	w.by("ann", "PATCH", "/rooms/seattle", `{"topic":"unfindable"}`)
	w.by("eve", "DELETE", "/rooms/seattle/members/me", "")
	w.settle()
	after := w.by("bob", "GET", "/people/me/rooms", "").body["items"].([]any)[0].(map[string]any)
	for _, field := range []string{"unread", "mentions", "lastActivityAt"} {
		if before[field] != after[field] {
			t.Errorf("%s was %v and is %v", field, before[field], after[field])
		}
	}
	if last := after["lastMessage"].(map[string]any); last["text"] != "hello" {
		t.Errorf("the newest message is %v", last)
	}
	w.wantFound("bob", "unfindable", "")
	w.wantFound("bob", "joined", "")
	w.wantFound("bob", "from:ann hello", "hello")

	all := w.wantLines("seattle", "ann joined: bob and eve joined.", "ann topic: The topic is now: unfindable", "eve left: eve left.")
	left := all[len(all)-1]["id"].(string)
	path := "/rooms/seattle/messages/" + left
	w.want(t, 422, "POST", "/rooms/seattle/messages", `{"text":"x","quote":"`+left+`"}`, userHeader, "bob")
	w.want(t, 422, "POST", "/rooms/seattle/messages", `{"text":"x","thread":"`+left+`"}`, userHeader, "bob")
	w.want(t, 403, "PATCH", path, `{"text":"x"}`, userHeader, "eve", "If-Match", "*")
	w.want(t, 403, "PATCH", path, `{"text":"x"}`, userHeader, "ann", "If-Match", "*")
	w.want(t, 403, "DELETE", path, "", userHeader, "eve")
	w.by("ann", "DELETE", path, "")
	w.settle()
	if got := w.by("bob", "GET", path, "").body; got["kind"] != "system" || got["text"] != "" || got["deletedBy"] != "ann" {
		t.Errorf("a deleted line is %v", got)
	}
}
