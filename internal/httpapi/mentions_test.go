package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
)

// people returns n people as a JSON array.
func peopleJSON(n int) string {
	var ids []string
	for i := range n {
		ids = append(ids, fmt.Sprintf(`"u%02d"`, i))
	}
	return "[" + strings.Join(ids, ",") + "]"
}

// TestPostMessage_MentionsOnTheWire posts, retries and edits a message with mentions.
func TestPostMessage_MentionsOnTheWire(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	body := `{"id":"` + freshID + `","text":"hi","mentions":["eve","bob"],"mentionRoom":true}`
	first := a.want(t, 201, "POST", "/rooms/seattle/messages", body)
	if !strings.Contains(first.text, `"mentions":["bob","eve"],"mentionRoom":true`) {
		t.Errorf("posted: %s", first.text)
	}
	path := first.header.Get("Location")
	a.want(t, 200, "POST", "/rooms/seattle/messages", strings.Replace(body, `"eve","bob"`, `"bob","eve"`, 1))
	a.want(t, 409, "POST", "/rooms/seattle/messages", strings.Replace(body, `"eve",`, "", 1))
	a.want(t, 409, "POST", "/rooms/seattle/messages", strings.Replace(body, "true", "false", 1))
	for _, tt := range []struct{ edit, want string }{
		{`{"text":"ho"}`, `"mentions":["bob","eve"],"mentionRoom":true`},
		{`{"mentions":["carol"]}`, `"mentions":["carol"],"mentionRoom":true`},
		{`{"mentionRoom":false}`, `"mentions":["carol"],"sentAt"`},
		{`{"mentions":[]}`, `"text":"ho","sentAt"`},
	} {
		if got := a.want(t, 200, "PATCH", path, tt.edit); !strings.Contains(got.text, tt.want) {
			t.Errorf("%s: %s, want %s", tt.edit, got.text, tt.want)
		}
		if got := a.want(t, 200, "GET", path, ""); !strings.Contains(got.text, tt.want) {
			t.Errorf("%s, read: %s, want %s", tt.edit, got.text, tt.want)
		}
	}
	refused := a.want(t, 403, "POST", "/rooms/seattle/messages", `{"text":"hi","mentionRoom":true}`, userHeader, "bob")
	checkProblem(t, "a stranger mentions the room", refused)
	if !strings.Contains(refused.text, "without mentionRoom") {
		t.Errorf("the refusal says %s", refused.text)
	}
}

// TestPostMessage_MentionsWithinBounds sends mentions at their bounds and beyond, in both
// operations.
func TestPostMessage_MentionsWithinBounds(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	path := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"hi"}`).header.Get("Location")
	for mentions, field := range map[string]string{
		peopleJSON(chat.MaxMentions): "", `["` + strings.Repeat("x", chat.MaxUserID) + `"]`: "",
		peopleJSON(chat.MaxMentions + 1): "mentions", `["bob","bob"]`: "mentions[1]", `["a#b"]`: "mentions[0]", `["bob",""]`: "mentions[1]",
		`["me"]`: "mentions[0]", `["` + strings.Repeat("x", chat.MaxUserID+1) + `"]`: "mentions[0]", `"bob"`: "mentions", `[1]`: "mentions[0]", `null`: "mentions",
	} {
		for _, request := range []string{"POST /rooms/seattle/messages", "PATCH " + path} {
			method, target, _ := strings.Cut(request, " ")
			got := a.do(t, method, target, `{"text":"hi","mentions":`+mentions+`}`)
			if field == "" {
				if got.status >= 300 {
					t.Errorf("%s with %s: %d %s", request, mentions, got.status, got.text)
				}
				continue
			}
			checkProblem(t, mentions, got)
			if got.status != 422 || !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+field+" ") {
				t.Errorf("%s with %s: %d %s, want the field %s", request, mentions, got.status, got.text, field)
			}
		}
	}
}

// TestListMentions_UnreadWithoutJoining mentions people in a public room. One of them has not joined
// it, and has a marker there all the same.
func TestListMentions_UnreadWithoutJoining(t *testing.T) {
	t.Parallel()
	w := newFedAPI(t)
	w.by("amsg", "PUT", "/rooms/seattle", "")
	w.by("amsg", "PUT", "/rooms/seattle/members/bob", `{"role":"member"}`)
	private := w.by("amsg", "POST", "/rooms", `{"visibility":"private","name":"x"}`).body["id"].(string)
	first := w.say("amsg", "seattle", "one", `"mentions":["bob","eve"]`)
	w.say("amsg", private, "hidden", `"mentions":["eve"]`)
	second := w.say("amsg", "seattle", "two", `"mentions":["bob","eve"]`)
	w.settle()
	unread := func(user, want string) {
		t.Helper()
		var texts []string
		for _, item := range w.by(user, "GET", "/people/me/mentions", "").body["items"].([]any) {
			m := item.(map[string]any)
			text := m["message"].(map[string]any)["text"].(string)
			if m["unread"] != true {
				text = "(" + text + ")"
			}
			texts = append(texts, text)
		}
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("%s: %s, want %s", user, got, want)
		}
	}
	unread("eve", "two one")
	w.by("eve", "PUT", "/rooms/seattle/read", `{"message":"`+first+`"}`)
	unread("eve", "two (one)")
	unread("bob", "two one")
	w.by("bob", "PUT", "/rooms/seattle/read", `{"message":"`+second+`"}`)
	unread("bob", "(two) (one)")
}
