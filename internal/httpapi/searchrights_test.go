package httpapi_test

import (
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/block"
)

// TestSearch_FindsWhatWasAnswered searches right after each answer, when the feed lacks everything.
func TestSearch_FindsWhatWasAnswered(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("ann", "PUT", "/rooms/seattle", "")
	w.by("bob", "PUT", "/rooms/seattle/members/me", `{"role":"member"}`)
	w.wantFound("ann", "lake", "")
	root := w.say("bob", "seattle", "one lake")
	w.wantFound("ann", "lake", "one lake")
	w.say("ann", "seattle", "my lake", `"thread":"`+root+`"`)
	w.wantFound("ann", "lake", "my lake|one lake")
	w.say("bob", "seattle", "shown lake", `"thread":"`+root+`"`, `"showInRoom":true`)
	w.wantFound("ann", "lake", "shown lake|my lake|one lake")
	w.settle()
	w.say("bob", "seattle", "newest lake")
	w.wantFound("ann", "lake in:seattle", "newest lake|shown lake|my lake|one lake")
	w.say("bob", "seattle", "their lake", `"thread":"`+root+`"`)
	w.settle() // which a reply of somebody else may need
	w.wantFound("ann", "lake", "their lake|newest lake|shown lake|my lake|one lake")
	private := w.by("bob", "POST", "/rooms", `{"visibility":"private","name":"Board"}`).body["id"].(string)
	w.by("bob", "PUT", "/rooms/"+private+"/members/ann", `{"role":"member"}`)
	w.say("bob", private, "hidden lake")
	w.wantFound("ann", "hidden lake", "hidden lake")
}

// TestSearch_FollowsEditsAndDeletions compares the results before and after the feed has them.
func TestSearch_FollowsEditsAndDeletions(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("ann", "PUT", "/rooms/seattle", "")
	for _, indexed := range []bool{false, true} {
		edited, gone := w.say("ann", "seattle", "geheimnis one"), w.say("ann", "seattle", "geheimnis two")
		if indexed {
			w.settle()
			w.ahead += 10 * time.Minute
			w.say("ann", "seattle", "something else") // so that both are not among the newest messages
			w.settle()
		}
		w.wantFound("ann", "geheimnis", "geheimnis two|geheimnis one")
		w.want(t, 200, "PATCH", "/rooms/seattle/messages/"+edited, `{"text":"no secret"}`, userHeader, "ann", "If-Match", `"1"`)
		w.want(t, 200, "DELETE", "/rooms/seattle/messages/"+gone, "", userHeader, "ann", "If-Match", "*")
		for range 2 {
			w.wantFound("ann", "geheimnis", "")
			for _, query := range []string{"geheimnis", "from:ann", "-nothing from:me"} {
				got := w.by("ann", "GET", searchPath("/search", query, "around", "true"), "")
				if strings.Contains(got.text, "geheimnis") || strings.Contains(got.text, "deletedAt") {
					t.Errorf("%s finds %s", query, got.text)
				}
			}
			w.settle()
		}
		w.wantFound("ann", `"no secret"`, "no secret")
		w.want(t, 200, "DELETE", "/rooms/seattle/messages/"+edited, "", userHeader, "ann", "If-Match", "*")
		w.settle()
	}
}

// TestSearch_ShowsWhatOneMayRead takes rights away, after the searched rooms have an index.
func TestSearch_ShowsWhatOneMayRead(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("ann", "PUT", "/rooms/seattle", "")
	private := w.by("ann", "POST", "/rooms", `{"visibility":"private","name":"Board"}`).body["id"].(string)
	w.by("ann", "PUT", "/rooms/"+private+"/members/bob", `{"role":"member"}`)
	w.by("bob", "PUT", "/rooms/seattle/members/me", `{"role":"member"}`)
	w.by("ann", "PUT", "/rooms/tacoma", "")
	w.say("ann", "seattle", "public lake")
	w.say("ann", private, "private lake")
	w.say("ann", "tacoma", "unjoined lake")
	w.settle()
	w.wantFound("bob", "lake", "private lake|public lake")
	w.wantFound("bob", "lake in:tacoma", "unjoined lake")
	w.wantFound("bob", "lake in:"+private, "private lake")
	w.wantFound("eve", "lake", "")
	w.wantFound("eve", "lake in:seattle", "public lake")

	absent := w.want(t, 404, "GET", searchPath("/search", "lake in:nowhere"), "", userHeader, "eve")
	hidden := w.want(t, 404, "GET", searchPath("/search", "lake in:"+private), "", userHeader, "eve")
	if hidden.text != absent.text {
		t.Errorf("a hidden room answers %s, an absent one %s", hidden.text, absent.text)
	}

	w.want(t, 204, "DELETE", "/rooms/"+private+"/members/bob", "", userHeader, "ann")
	w.wantFound("bob", "lake", "public lake")
	w.want(t, 404, "GET", searchPath("/search", "lake in:"+private), "", userHeader, "bob")
	w.want(t, 404, "GET", searchPath("/rooms/"+private+"/search", "lake"), "", userHeader, "bob")
	w.want(t, 200, "PUT", "/rooms/seattle/members/bob", `{"role":"banned"}`, userHeader, "ann")
	w.wantFound("bob", "lake", "")
	w.want(t, 403, "GET", searchPath("/search", "lake in:seattle"), "", userHeader, "bob")
	w.by("ann", "PUT", "/rooms/tacoma", `{"archived":true}`)
	w.wantFound("ann", "unjoined lake", "unjoined lake")
	w.by("ann", "DELETE", "/rooms/tacoma", "")
	w.wantFound("ann", "lake", "private lake|public lake")
	w.want(t, 404, "GET", searchPath("/search", "lake in:tacoma"), "", userHeader, "ann")
}

// TestSearch_OfBlockedPeople blocks a person who wrote, who shares a direct room, and who added the
// reader to a room.
func TestSearch_OfBlockedPeople(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("ann", "PUT", "/rooms/seattle", "")
	w.by("eve", "PUT", "/rooms/seattle/members/me", `{"role":"member"}`)
	w.by("eve", "PUT", "/rooms/trap", "")
	w.by("eve", "PUT", "/rooms/trap/members/ann", `{"role":"member"}`)
	direct := w.by("eve", "POST", "/rooms", `{"direct":["ann"]}`).body["id"].(string)
	w.say("ann", "seattle", "a lake")
	w.say("eve", "seattle", "their lake")
	w.say("eve", "trap", "trap lake")
	w.say("eve", direct, "direct lake")
	w.settle()
	w.wantFound("ann", "lake", "direct lake|trap lake|their lake|a lake")
	if got := w.by("ann", "GET", searchPath("/search", "direct"), ""); !strings.Contains(got.text, `"roomName":"",`) {
		t.Errorf("a direct room is %s", got.text)
	}
	w.by("ann", "PUT", "/people/me/blocks/eve", "")
	w.ahead += block.CacheAge + time.Second // another process may remember the former blocks
	w.wantFound("ann", "lake", "their lake|a lake")
	got := w.by("ann", "GET", searchPath("/search", "lake", "around", "true"), "").text
	if strings.Count(got, `"blocked":true`) != 2 || strings.Count(got, `"before":{"id":"`) != 1 || strings.Count(got, `"after":{"id":"`) != 1 {
		t.Errorf("the sender and the message after another are %s", got)
	}
	w.wantFound("ann", "lake in:trap", "trap lake") // as list-messages shows it
}
