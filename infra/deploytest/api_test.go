//go:build deploy

package deploytest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/invite"
)

// call is one request to the API and its expected answer.
type call struct {
	route  string            // "GET /rooms/{room}"
	path   map[string]string // of the route's parameters
	query  string
	body   string
	header map[string]string
	status int    // 0 accepts any success
	holds  string // a part of the answer
}

// do sends a call as a user. The answer is an object, or nil.
func (c *caller) do(ctx context.Context, r call) (map[string]any, error) {
	method, path, _ := strings.Cut(r.route, " ")
	for name, value := range r.path {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	url := c.outputs["ApiUrl"] + path
	if r.query != "" {
		url += "?" + r.query
	}
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	resp, err := c.client().Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	expected := resp.StatusCode == r.status || r.status == 0 && resp.StatusCode/100 == 2
	if !expected || !strings.Contains(string(text), r.holds) {
		return nil, fmt.Errorf("%s: %d %s, want %d with %s", r.route, resp.StatusCode, text, r.status, r.holds)
	}
	var answer map[string]any
	if len(text) > 0 && strings.Contains(resp.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(text, &answer); err != nil {
			return nil, fmt.Errorf("%s: %w", r.route, err)
		}
	}
	return answer, nil
}

// talk sends calls one after the other, as one user, and returns the routes that were called. It
// stops at the first wrong answer.
func (c *caller) talk(ctx context.Context, calls []call) (map[string]bool, error) {
	called := map[string]bool{}
	for _, r := range calls {
		if _, err := c.do(ctx, r); err != nil {
			return called, err
		}
		called[r.route] = true
	}
	return called, nil
}

// everyRoute calls every route of the API as a user, in a room that must be new. Only the deletion
// of rooms, and reads of a room or a person without further effects, are elsewhere. The user other
// needs no token.
func (c *caller) everyRoute(room, other string) []call {
	now := time.Now()
	kept := chat.NewUUID(now, [10]byte{1}).String()
	gone := chat.NewUUID(now, [10]byte{2}).String()
	in := map[string]string{"room": room}
	with := func(pairs ...string) map[string]string {
		m := maps.Clone(in)
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	message, lost := with("id", kept+"~"+c.user), with("id", gone+"~"+c.user)
	handed := map[string]string{"room": room + "-handed", "user": other}
	part := with("doc", "charter", "part", "preamble")
	event := chat.NewUUID(now, [10]byte{3}).String()
	_, file := upload(picture)
	life := c.lifeRoutes(room, kept, chat.NewUUID(now, [10]byte{4}).String(), other)
	return append([]call{
		{route: "PUT /rooms/{room}", path: in, body: `{"name":"Seattle","place":["USA","WA","Seattle"]}`, status: 201, holds: `"Seattle"`},
		{route: "POST /rooms", body: `{"visibility":"private","name":"The board"}`, status: 201, holds: `"private"`},
		{route: "PATCH /rooms/{room}", path: in, body: `{"name":"Seattle"}`, status: 200, holds: "WA"},
		{route: "GET /rooms/{room}", path: in, status: 200, holds: room},
		{route: "GET /rooms", query: "place=USA/WA", status: 200, holds: room},
		{route: "PUT /rooms/{room}/members/{user}", path: with("user", other), body: `{"role":"member"}`, status: 201, holds: "member"},
		{route: "GET /rooms/{room}/members/{user}", path: with("user", other), status: 200, holds: `"member"`},
		{route: "PUT /rooms/{room}/members/{user}", path: with("user", other), body: `{"role":"banned"}`, status: 200, holds: "banned"},
		{route: "GET /rooms/{room}/bans", path: in, status: 200, holds: other},
		{route: "PUT /rooms/{room}/members/{user}", path: with("user", other), body: `{"role":"member"}`, status: 200, holds: "member"},
		{route: "POST /rooms/{room}/invites", path: in, body: `{"maxUses":3}`, status: 201, holds: `"token"`},
		{route: "DELETE /rooms/{room}/invites/{invite}", path: with("invite", string(invite.IDOf("unknown"))), status: 404},
		{route: "GET /invites/{token}", path: map[string]string{"token": "unknown"}, status: 404},
		{route: "HEAD /invites/{token}", path: map[string]string{"token": "unknown"}, status: 404},
		{route: "POST /invites/{token}", path: map[string]string{"token": "unknown"}, status: 404},
		{route: "POST /rooms/{room}/incoming", path: in, body: `{"name":"Alerts"}`, status: 201, holds: `"secret"`},
		{route: "POST /rooms/{room}/incoming/{incoming}/secret", path: with("incoming", unknownWebhook), status: 404},
		{route: "DELETE /rooms/{room}/incoming/{incoming}", path: with("incoming", unknownWebhook), status: 404},
		{route: "GET /rooms/{room}/hooks", path: in, status: 404},
		{route: "PUT /rooms/{room}/hooks/{hook}", path: with("hook", "ours"), body: `{"url":"https://example.com/"}`, status: 404},
		{route: "GET /rooms/{room}/hooks/{hook}", path: with("hook", "ours"), status: 404},
		{route: "POST /rooms/{room}/hooks/{hook}/test", path: with("hook", "ours"), status: 404},
		{route: "POST /rooms/{room}/hooks/{hook}/secret", path: with("hook", "ours"), status: 404},
		{route: "POST /rooms/{room}/hooks/{hook}/replay", path: with("hook", "ours"), body: `{"from":"2026-01-01T12:00:00Z"}`, status: 404},
		{route: "DELETE /rooms/{room}/hooks/{hook}", path: with("hook", "ours"), status: 404},
		{route: "POST /in/{secret}", path: map[string]string{"secret": unknownWebhook + strings.Repeat("a", 52)}, body: `{"text":"x"}`, status: 404},
		{route: "GET /rooms/{room}/members", path: in, status: 200, holds: "owner"},
		{route: "DELETE /rooms/{room}/members/{user}", path: with("user", other), status: 204},
		{route: "POST /rooms/{room}/messages", path: in, body: `{"id":"` + kept + `","text":"hello"}`, status: 201, holds: kept},
		{route: "POST /rooms/{room}/messages", path: in, body: `{"id":"` + kept + `","text":"hello"}`, status: 200, holds: kept},
		{route: "POST /rooms/{room}/messages", path: in, body: `{"id":"` + gone + `","text":"oops"}`, status: 201, holds: gone},
		{route: "POST /rooms/{room}/uploads", path: in, body: file, status: 201, holds: `"put"`},
		{route: "POST /people/me/picture", body: `{"type":"image/png","bytes":1,"sha256":"LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="}`, status: 200, holds: `"put"`},
		{route: "POST /rooms/{room}/attachments/links", path: in, body: `{"messages":["` + kept + "~" + c.user + `"]}`, status: 200, holds: `"items":[]`},
		{route: "PATCH /rooms/{room}/messages/{id}", path: message, body: `{"text":"hello all"}`, header: map[string]string{"If-Match": `"1"`}, status: 200, holds: "hello all"},
		{route: "DELETE /rooms/{room}/messages/{id}", path: lost, header: map[string]string{"If-Match": "*"}, status: 200, holds: "deletedBy"},
		{route: "GET /rooms/{room}/messages", path: in, status: 200, holds: "hello all"},
		{route: "GET /rooms/{room}/messages", path: in, query: "user=" + c.user + "&at=" + now.UTC().Format("2006"), status: 200, holds: "hello all"},
		{route: "GET /rooms/{room}/messages/{id}", path: message, status: 200, holds: "hello all"},
		{route: "GET /rooms/{room}/messages/{id}/versions", path: message, status: 200, holds: `"text":"hello"`},
		{route: "POST /rooms/{room}/messages/{id}/reports", path: message, body: `{"reason":"spam"}`, status: 201, holds: "spam"},
		{route: "GET /rooms/{room}/reports", path: in, status: 200, holds: "spam"},
		{route: "PATCH /rooms/{room}/reports/{report}", path: with("report", kept+"~"+c.user+"~"+c.user), body: `{"resolved":true}`, status: 200, holds: "resolvedBy"},
		{route: "GET /reports", status: 403},
		{route: "PUT /people/{user}", path: handed, body: `{"name":"Another"}`, status: 403},
		{route: "POST /bulk/people", body: `{"items":[{"user":"another","name":"Another"}]}`, status: 403},
		{route: "POST /bulk/rooms", body: `{"items":[{"id":"another"}]}`, status: 403},
		{route: "POST /bulk/memberships", body: `{"items":[{"room":"another","user":"another","role":"member"}]}`, status: 403},
		{route: "DELETE /people/{user}", path: handed, status: 403},
		{route: "PUT /people/{user}/suspension", path: handed, body: `{}`, status: 403},
		{route: "GET /people/{user}/suspension", path: handed, status: 403},
		{route: "DELETE /people/{user}/suspension", path: handed, status: 403},
		{route: "GET /people/{user}/audit", path: handed, status: 403},
		{route: "PUT /hooks/{hook}", path: with("hook", "moderator"), body: `{}`, status: 403},
		{route: "GET /hooks/{hook}", path: with("hook", "moderator"), status: 403},
		{route: "GET /hooks", status: 403},
		{route: "GET /hooks/{hook}/changes", path: with("hook", "moderator"), status: 403},
		{route: "POST /hooks/{hook}/test", path: with("hook", "moderator"), status: 403},
		{route: "POST /hooks/{hook}/secret", path: with("hook", "moderator"), status: 403},
		{route: "POST /hooks/{hook}/replay", path: with("hook", "moderator"), body: `{"from":"2026-01-01T12:00:00Z"}`, status: 403},
		{route: "DELETE /hooks/{hook}", path: with("hook", "moderator"), status: 403},
		{route: "PUT /rooms/{room}", path: handed, status: 201, body: `{}`},
		{route: "PUT /rooms/{room}/members/{user}", path: handed, body: `{"role":"member"}`, status: 201},
		{route: "PUT /rooms/{room}/owner", path: handed, body: `{"user":"` + other + `"}`, status: 200, holds: "owner"},
		{route: "PUT /people/me/blocks/{user}", path: handed, status: 204},
		{route: "GET /people/me/blocks", status: 200, holds: other},
		{route: "DELETE /people/me/blocks/{user}", path: handed, status: 204},
		{route: "PUT /rooms/{room}/documents/{doc}", path: part, body: `{"title":"The charter"}`, status: 201, holds: "The charter"},
		{route: "PATCH /rooms/{room}/documents/{doc}", path: part, body: `{"title":"The charter"}`, status: 200, holds: "The charter"},
		{route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", path: part, body: `{"text":"We, the people"}`, status: 201, holds: `"version":1`},
		{route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", path: part, body: `{"text":"We, the rain"}`, header: map[string]string{"If-Match": `"1"`}, status: 200, holds: `"version":2`},
		{route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", path: part, body: `{"text":"late"}`, header: map[string]string{"If-Match": `"1"`}, status: 412},
		{route: "GET /rooms/{room}/documents", path: in, status: 200, holds: "The charter"},
		{route: "GET /rooms/{room}/documents/{doc}", path: part, status: 200, holds: "We, the rain"},
		{route: "GET /rooms/{room}/documents/{doc}/parts/{part}", path: part, status: 200, holds: "We, the rain"},
		{route: "GET /rooms/{room}/documents/{doc}/parts/{part}/versions", path: part, status: 200, holds: "We, the people"},
		{route: "GET /rooms/{room}/documents/{doc}/parts/{part}/versions/{n}", path: with("doc", "charter", "part", "preamble", "n", "1"), status: 200, holds: "We, the people"},
		{route: "PUT /people/me", body: `{"name":"Ada","title":"Director","state":"CA"}`, holds: "Ada"},
		{route: "PUT /people/me", body: `{"name":"Ada","title":"Architect","state":"WA"}`, status: 200, holds: "Director"},
		{route: "PATCH /people/me", body: `{"state":"WA"}`, status: 200, holds: "Architect"},
		{route: "GET /people/{user}", path: map[string]string{"user": c.user}, status: 200, holds: "Architect"},
		{route: "GET /people", query: "had_title=Director", status: 200, holds: c.user},
		{route: "GET /people/{user}/rooms", path: map[string]string{"user": "me"}, status: 200, holds: room},
		{route: "PUT /people/{user}/rooms/{room}", path: with("user", "me"), body: `{"favorite":true}`, status: 200, holds: `"favorite":true`},
		{route: "PATCH /people/me/notifications", body: `{"quiet":{"zone":"Europe/Berlin","from":"22:00","to":"07:00"}}`, status: 200, holds: "Berlin"},
		{route: "POST /devices/{device}/events", path: map[string]string{"device": "phone"}, body: `{"events":[{"id":"` + event + `","type":"connection","detail":"wifi"}]}`, status: 200, holds: event},
		{route: "GET /devices/{device}/events", path: map[string]string{"device": "phone"}, status: 200, holds: event},
		{route: "GET /rooms/{room}/audit", path: in, status: 200, holds: "banned"},
		{route: "GET /rooms/{room}/changes", path: in, status: 200, holds: `"items"`},
		{route: "GET /openapi.json", status: 200, holds: "3.1.0"},
		{route: "GET /openapi-3.0.json", status: 200, holds: "3.0.3"},
		{route: "GET /asyncapi.json", status: 200, holds: "parley.v1"},
		{route: "GET /docs", status: 200, holds: "Parley API"},
		{route: "GET /problems/{type}", path: map[string]string{"type": "conflict"}, status: 200, holds: "Conflict"},
		{route: "HEAD /problems/{type}", path: map[string]string{"type": "conflict"}, status: 200},
	}, life...)
}

// changesOfEveryRoute is the number of changes that everyRoute causes in the feed of its room: the
// room, its owner, the other user joined, banned, joined again and left, two messages, an edit, a
// deletion, the changes of lifeRoutes, and the system messages that the other user joined, was
// removed and left. Joins in two hours have one more.
const changesOfEveryRoute = 10 + 5 + 3

// follow waits until the feed has at least a number of changes, and marks them as read.
func (c *caller) follow(ctx context.Context, room string, changes int) error {
	in := map[string]string{"room": room}
	err := try(ctx, c.patience, func() error {
		answer, err := c.do(ctx, call{route: "GET /rooms/{room}/changes", path: in, status: 200})
		if err != nil {
			return err
		}
		if n := len(answer["items"].([]any)); n < changes {
			return fmt.Errorf("the feed has %d of %d changes", n, changes)
		}
		return nil
	})
	if err != nil {
		return err
	}
	_, err = c.do(ctx, call{route: "PUT /rooms/{room}/read", path: in, body: fmt.Sprintf(`{"seq":%d}`, changes), status: 200})
	return err
}

func testEveryRoute(t *testing.T, d *deployment) {
	ada, bob := d.signUp(t, "ada"), d.signUp(t, "bob")
	called, err := ada.talk(t.Context(), ada.everyRoute("seattle", bob.user))
	if err != nil {
		t.Fatal(err)
	}
	if err := ada.follow(t.Context(), "seattle", changesOfEveryRoute); err != nil {
		t.Fatal(err)
	}
	deleted, err := ada.talk(t.Context(), deletion("seattle"))
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(called, deleted)
	called["PUT /rooms/{room}/read"] = true
	for _, r := range httpapi.Routes() {
		if called[r.Key()] {
			continue
		}
		read := call{route: r.Key(), path: map[string]string{"room": "seattle", "user": "me"}, status: 200}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			t.Errorf("no call used %s: add one to everyRoute", r.Key())
		} else if _, err := ada.do(t.Context(), read); err != nil {
			t.Errorf("a read that everyRoute lacks: %v", err)
		}
	}
	for _, bad := range []string{"", "x", "x.y.z", ada.token + "x"} {
		refused := &caller{deployment: d, token: bad}
		if _, err := refused.do(t.Context(), call{route: "GET /rooms", status: 401}); err != nil {
			t.Errorf("with %.12q: %v", bad, err)
		}
	}
}

// deletion returns calls that create a room and delete it. The feed function receives its changes,
// but appends none that come after the deletion.
func deletion(room string) []call {
	gone := map[string]string{"room": room + "-gone"}
	return []call{
		{route: "PUT /rooms/{room}", path: gone, status: 201, body: `{}`},
		{route: "DELETE /rooms/{room}", path: gone, status: 204},
	}
}

// unknownWebhook is the id of a webhook that no room has.
const unknownWebhook = "00000000000000000000000000000000"
