package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
)

const actAs = "Parley-Act-As"

// via returns the headers of a request that the service desk makes for a user.
func via(user string) []string {
	return []string{userHeader, "desk", serviceHeader, "yes", actAs, user}
}

func TestActing_HeaderIsRefusedWithoutTheScope(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	for _, value := range []string{"bob", "amsg", "", "b b"} {
		for _, request := range []string{"POST /rooms/seattle/messages", "GET /rooms/seattle", "GET /rooms/nowhere", "GET /people/me"} {
			method, path, _ := strings.Cut(request, " ")
			body := ""
			if method == "POST" {
				body = `{"text":"x"}`
			}
			got := a.want(t, 403, method, path, body, actAs, value)
			checkProblem(t, request, got)
			if !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+actAs) {
				t.Errorf("%s as %q: %s", request, value, got.text)
			}
		}
	}
	if got := a.want(t, 200, "GET", "/rooms/seattle/messages", ""); strings.Contains(got.text, `"text"`) {
		t.Errorf("a refused message was stored: %s", got.text)
	}
	a.want(t, 401, "GET", "/rooms/seattle", "", userHeader, "", actAs, "amsg")
}

// TestCallerOf_LogNamesTheCheck sends subjects that are no user ids. The log contains the reason
// but not the subject.
func TestCallerOf_LogNamesTheCheck(t *testing.T) {
	t.Parallel()
	for subject, check := range map[string]string{
		"": "there is no subject", "secret#": "the subject is not a user id", "me": "the subject is not a user id",
		".": "the subject is not a user id", "..": "the subject is not a user id",
	} {
		a := newAPI(t)
		checkProblem(t, subject, a.want(t, 401, "GET", "/rooms", "", userHeader, subject))
		if logs := a.logs.String(); !strings.Contains(logs, `"check":"`+check+`"`) || strings.Contains(logs, "secret") {
			t.Errorf("the log of the subject %q lacks the check %q: %s", subject, check, logs)
		}
	}
}

func TestActing_InvalidUserIsRefusedByTheHeadersName(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	for _, value := range []string{"", " ", "b b", "amsg,bob", "a#b", strings.Repeat("a", 65)} {
		got := a.want(t, 422, "POST", "/rooms/seattle/messages", `{"text":"x"}`, via(value)...)
		if !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+actAs) {
			t.Errorf("as %q: %s", value, got.text)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/rooms/seattle", nil)
	for i, headers := 0, via("amsg"); i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.Header.Add(actAs, "bob")
	w := httptest.NewRecorder()
	if a.handler.ServeHTTP(w, r); w.Code != 422 {
		t.Errorf("two people in one request: %d %s", w.Code, w.Body)
	}
}

func TestActing_MessagesAndVersionsNameTheService(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	body := `{"id":"` + chat.NewUUID(start, [10]byte{1}).String() + `","text":"hello"}`
	posted := a.want(t, 201, "POST", "/rooms/seattle/messages", body, via("bob")...)
	if posted.body["user"] != "bob" || posted.body["via"] != "desk" {
		t.Errorf("posted %s", posted.text)
	}
	for name, headers := range map[string][]string{"the service": via("bob"), "bob": {userHeader, "bob"}} {
		again := a.want(t, 200, "POST", "/rooms/seattle/messages", body, headers...)
		if again.header.Get("Idempotent-Replay") != "true" || again.text != posted.text {
			t.Errorf("a retry by %s: %s", name, again.text)
		}
	}
	message := "/rooms/seattle/messages/" + posted.body["id"].(string)
	edited := a.want(t, 200, "PATCH", message, `{"text":"mine"}`, userHeader, "bob", "If-Match", `"1"`)
	if _, ok := edited.body["via"]; ok {
		t.Errorf("bob's own edit names a service: %s", edited.text)
	}
	if got := a.want(t, 200, "PATCH", message, `{"text":"ours"}`, append(via("bob"), "If-Match", `"2"`)...); got.body["via"] != "desk" {
		t.Errorf("the service's edit: %s", got.text)
	}
	var services []string
	for _, v := range a.want(t, 200, "GET", message+"/versions", "").body["items"].([]any) {
		services = append(services, fmt.Sprint(v.(map[string]any)["via"]))
	}
	if want := []string{"desk", "<nil>", "desk"}; !slices.Equal(services, want) {
		t.Errorf("the versions name %v, want %v", services, want)
	}
	for name, headers := range map[string][]string{"nobody": {userHeader, "desk", serviceHeader, "yes"}, "itself": via("desk")} {
		got := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"x"}`, headers...)
		if _, ok := got.body["via"]; ok || got.body["user"] != "desk" {
			t.Errorf("the service for %s: %s", name, got.text)
		}
	}
}

func TestActing_PolicyIsThatOfThePerson(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	a.want(t, 201, "PUT", "/rooms/seattle/members/eve", `{"role":"banned"}`)
	hidden := "/rooms/" + a.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`).body["id"].(string)
	a.want(t, 403, "POST", "/rooms/seattle/messages", `{"text":"x"}`, via("eve")...)
	a.want(t, 404, "GET", hidden, "", via("bob")...)
	a.want(t, 404, "GET", hidden, "", userHeader, "desk", serviceHeader, "yes")
	a.want(t, 200, "GET", hidden, "", via("amsg")...)
	a.want(t, 404, "GET", hidden, "", via("desk")...)
}

func TestActing_RoomsAreAudited(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "", via("amsg")...)
	a.want(t, 200, "PUT", "/rooms/seattle", `{"topic":"rain"}`, via("amsg")...)
	a.want(t, 200, "PUT", "/rooms/seattle", `{"topic":"rain"}`, via("amsg")...) // changes nothing
	a.want(t, 200, "PUT", "/rooms/seattle", `{"topic":"sun"}`)                  // by the person
	hidden := a.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`, via("amsg")...).body["id"].(string)
	a.want(t, 201, "PUT", "/rooms/desks", "", userHeader, "desk", serviceHeader, "yes")
	for _, c := range []struct {
		room, reader string
		want         []string
	}{
		{"seattle", "amsg", []string{"amsg via <nil> room.changed", "amsg via desk room.changed", "amsg via desk room.created"}},
		{hidden, "amsg", []string{"amsg via desk room.created"}},
		{"desks", "desk", []string{"desk via <nil> room.created"}},
	} {
		var headers []string
		if c.reader == desk {
			headers = []string{serviceHeader, "yes"}
		}
		if got := auditOf(t, a, c.room, c.reader, headers...); !slices.Equal(got, c.want) {
			t.Errorf("the audit of %s is %q, want %q", c.room, got, c.want)
		}
	}
}

func TestActing_ServiceAddsMembersToAnyRoom(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	hidden := a.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`).body["id"].(string)
	for _, room := range []string{"seattle", hidden} {
		members := "/rooms/" + room + "/members/"
		a.want(t, 201, "PUT", members+"mute", `{"role":"muted"}`)
		a.want(t, 201, "PUT", members+"eve", `{"role":"banned"}`)
		for _, c := range []struct {
			status     int
			user, role string
			headers    []string
		}{
			{201, "bob", "member", via("carl")},
			{200, "bob", "member", via("bob")},
			{201, "me", "member", via("dora")},
			{201, "fay", "member", []string{userHeader, "desk", serviceHeader, "yes"}},
			{403, "eve", "member", via("carl")},
			{403, "mute", "member", via("bob")},
			{200, "mute", "member", via("amsg")},
		} {
			if got := a.do(t, "PUT", members+c.user, `{"role":"`+c.role+`"}`, c.headers...); got.status != c.status {
				t.Errorf("%s in %s by %v: %d, want %d: %s", c.user, room, c.headers, got.status, c.status, got.text)
			}
		}
		for _, role := range []string{"moderator", "owner", "muted", "banned"} {
			if got := a.do(t, "PUT", members+"gus", `{"role":"`+role+`"}`, via("carl")...); got.status != 403 && got.status != 404 {
				t.Errorf("gus as %s in %s: %d %s", role, room, got.status, got.text)
			}
		}
		a.want(t, 204, "DELETE", members+"me", "", via("dora")...)
		want := []string{
			"dora via desk member.left", "amsg via desk member.role", "desk via <nil> member.role", "dora via desk member.joined",
			"carl via desk member.role", "amsg via <nil> member.banned", "amsg via <nil> member.role", "amsg via <nil> room.created",
		}
		if got := auditOf(t, a, room, "amsg"); !slices.Equal(got, want) {
			t.Errorf("the audit is %q, want %q", got, want)
		}
	}
	a.want(t, 404, "PUT", "/rooms/nowhere/members/bob", `{"role":"member"}`, via("amsg")...)
	a.want(t, 404, "PUT", "/rooms/"+hidden+"/members/bob", `{"role":"member"}`, userHeader, "carl")
}

// auditOf returns who acted via which service and how, newest first.
func auditOf(t *testing.T, a *api, room, reader string, headers ...string) []string {
	t.Helper()
	var lines []string
	for _, entry := range a.want(t, 200, "GET", "/rooms/"+room+"/audit", "", append(headers, userHeader, reader)...).body["items"].([]any) {
		e := entry.(map[string]any)
		lines = append(lines, fmt.Sprintf("%v via %v %v", e["by"], e["via"], e["action"]))
	}
	return lines
}

func TestActing_HeaderIsInNoListOfCORS(t *testing.T) {
	t.Parallel()
	for _, name := range slices.Concat(config.AllowedHeaders(), config.ExposedHeaders()) {
		if strings.EqualFold(name, actAs) || name == "*" {
			t.Errorf("pages of other origins may use %s", name)
		}
	}
}
