package httpapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
)

// beginning is the position of a page of messages in seattle while its feed is empty.
var beginning = chat.FeedPosition{}.Text("seattle")

func TestListChanges_TakesTheSinceOfItsRoomAlone(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, room := range []string{"seattle", "portland"} {
		a.want(t, 201, "PUT", "/rooms/"+room, `{}`)
	}
	page := a.want(t, 200, "GET", "/rooms/seattle/messages", "")
	first := a.want(t, 200, "GET", "/rooms/seattle/changes", "")
	if page.body["since"] != beginning || first.body["since"] != beginning {
		t.Errorf("a feed of nothing begins at %v and %v, want %s", page.body["since"], first.body["since"], beginning)
	}
	if got := a.want(t, 200, "GET", "/rooms/seattle/changes?since="+beginning, ""); got.text != first.text {
		t.Errorf("since the beginning: %s, want %s", got.text, first.text)
	}
	lost := chat.FeedPosition{Seq: 41, Generation: "g"}.Text("seattle")
	if got := a.want(t, 200, "GET", "/rooms/seattle/changes?since="+lost, ""); got.text != `{"items":[],"head":0,"reset":true}` {
		t.Errorf("since a feed that is lost: %s", got.text)
	}
	for _, since := range []string{"0", "41", "-1", "head", beginning + "A", beginning + "\n", chat.FeedPosition{}.Text("portland")} {
		refused := a.want(t, 422, "GET", "/rooms/seattle/changes?since="+url.QueryEscape(since), "")
		if text := fmt.Sprint(refused.body["errors"]); !strings.Contains(text, "since") || !strings.Contains(text, "leave it out") {
			t.Errorf("since=%q: %s", since, refused.text)
		}
		checkProblem(t, since, refused)
	}
	a.want(t, 422, "GET", "/rooms/seattle/changes?generation=g", "")
}

// TestListChanges_TheExampleIsAPosition checks the example in the document.
func TestListChanges_TheExampleIsAPosition(t *testing.T) {
	t.Parallel()
	_, doc := description(t)
	want := chat.FeedPosition{Seq: 41, Generation: "2018-08-29T12:00:00.000"}.Text("seattle")
	found := 0
	for _, p := range doc.Paths.Value("/rooms/{room}/changes").Get.Parameters {
		if p.Value.Name == "since" {
			if found++; fmt.Sprint(p.Value.Schema.Value.Examples) != "["+want+"]" {
				t.Errorf("the parameter has the examples %v, want %s", p.Value.Schema.Value.Examples, want)
			}
		}
	}
	for _, name := range []string{"ChangePage", "MessagePage"} {
		if found++; fmt.Sprint(doc.Components.Schemas[name].Value.Properties["since"].Value.Examples) != "["+want+"]" {
			t.Errorf("%s has the examples %v, want %s", name, doc.Components.Schemas[name].Value.Properties["since"].Value.Examples, want)
		}
	}
	if found != 3 {
		t.Errorf("%d examples are looked at, want 3", found)
	}
}

func TestPostMessage_TakesItsFullIDBack(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", `{}`)
	id := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"hello"}`).body["id"].(string)
	uuid, user, _ := strings.Cut(id, "~")
	for _, same := range []string{id, uuid, strings.ToUpper(uuid) + "~" + user} {
		again := a.want(t, 200, "POST", "/rooms/seattle/messages", `{"text":"hello","id":"`+same+`"}`)
		if again.body["id"] != id || again.header.Get("Idempotent-Replay") != "true" {
			t.Errorf("with the id %s: %s", same, again.text)
		}
	}
	for _, other := range []string{uuid + "~bob", uuid + "~", uuid + "~" + user + "~", "~" + user, uuid + "~" + strings.ToUpper(user), "", uuid[1:]} {
		refused := a.want(t, 422, "POST", "/rooms/seattle/messages", `{"text":"hello","id":"`+other+`"}`)
		if !strings.Contains(fmt.Sprint(refused.body["errors"]), "id") {
			t.Errorf("with the id %s: %s", other, refused.text)
		}
		checkProblem(t, other, refused)
	}
}

// receiptsOf returns the number of members whose receipt a person sees, in pages.
func receiptsOf(t *testing.T, a *api, room, user string, limit int) (n int) {
	t.Helper()
	path := fmt.Sprintf("%s/members?limit=%d", room, limit)
	for cursor := ""; ; {
		got := a.want(t, 200, "GET", path+cursor, "", userHeader, user)
		n += strings.Count(got.text, `"read":{"message":"`)
		next, ok := got.body["next"].(string)
		if !ok {
			return n
		}
		cursor = "&cursor=" + next
	}
}

// TestListMembers_ShowsReceipts reads a public room of 50 and of 51 members, without receipts, and
// as people who are not in it. Pages and blocks make no difference.
func TestListMembers_ShowsReceipts(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const room = "/rooms/seattle"
	a.want(t, 201, "PUT", room, "", userHeader, "owner")
	for n := range 49 {
		a.want(t, 201, "PUT", fmt.Sprintf("%s/members/me", room), `{"role":"member"}`, userHeader, fmt.Sprintf("m%02d", n))
	}
	id := a.want(t, 201, "POST", room+"/messages", `{"text":"x"}`, userHeader, "owner").body["id"].(string)
	for _, user := range []string{"owner", "m01", "m02", "eve"} {
		a.want(t, 200, "PUT", room+"/read", `{"message":"`+id+`"}`, userHeader, user)
	}
	want := func(what, user string, n int) {
		t.Helper()
		for _, limit := range []int{7, 50, 200} {
			if got := receiptsOf(t, a, room, user, limit); got != n {
				t.Errorf("%s: %s sees %d receipts in pages of %d, want %d", what, user, got, limit, n)
			}
		}
	}
	want("50 members", "owner", 3)
	want("50 members", "m30", 3)
	want("50 members", "eve", 0) // is not in the room
	a.want(t, 200, "PUT", room+"/read", `{"unreadFrom":"`+id+`"}`, userHeader, "m01")
	want("one marks as unread", "m30", 3)
	a.want(t, 204, "PUT", "/people/me/blocks/m30", "", userHeader, "m01")
	want("m01 has blocked m30", "m30", 3)
	a.want(t, 200, "PUT", room, `{"receipts":false}`, userHeader, "owner")
	want("without receipts", "owner", 0)
	a.want(t, 200, "PUT", room, `{"receipts":true}`, userHeader, "owner")
	want("with receipts again", "owner", 3)
	a.want(t, 201, "PUT", room+"/members/me", `{"role":"member"}`, userHeader, "eve")
	want("51 members", "owner", 0)
	a.want(t, 204, "DELETE", room+"/members/m01", "", userHeader, "owner")
	want("50 members, others", "owner", 3)
}

// TestListMembers_DirectRoomShowsReceipts compares the fields of a receipt.
func TestListMembers_DirectRoomShowsReceipts(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	room := "/rooms/" + a.want(t, 201, "POST", "/rooms", `{"direct":["bob"]}`, userHeader, "amsg").body["id"].(string)
	id := a.want(t, 201, "POST", room+"/messages", `{"text":"x"}`, userHeader, "amsg").body["id"].(string)
	a.want(t, 200, "PUT", room+"/read", `{"message":"`+id+`"}`, userHeader, "bob")
	got := a.want(t, 200, "GET", room+"/members", "", userHeader, "amsg")
	if want := `"read":{"message":"` + id + `","at":"2018-08-29T12:00:00.000Z"}`; strings.Count(got.text, want) != 1 {
		t.Errorf("%s, want %s once", got.text, want)
	}
	a.want(t, 404, "GET", room+"/members", "", userHeader, "eve")
}
