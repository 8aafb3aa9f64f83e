package httpapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
)

const eventsPath = "/devices/phone/events"

func TestPostEvents_AreListed(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id := chat.NewUUID(start, [10]byte{1}).String()
	batch := `{"events":[
		{"type":"connection","at":"2018-08-29T11:59:59.5Z","detail":"wifi ☃"},
		{"type":"error","at":"2018-08-29T13:00:00.000001+01:00"},
		{"type":"delivery","id":"` + id + `"}]}`
	posted := a.want(t, 200, "POST", eventsPath, batch)
	if again := a.want(t, 200, "POST", eventsPath, batch); again.text != posted.text {
		t.Errorf("the retry answers %s, the first time %s", again.text, posted.text)
	}
	want := []string{"error 2018-08-29T12:00:00.000001Z ", "delivery 2018-08-29T12:00:00.000000Z ", "connection 2018-08-29T11:59:59.500000Z wifi ☃"}
	if got := eventLines(a.want(t, 200, "GET", eventsPath, "")); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the log is %q, want %q", got, want)
	}
	for query, want := range map[string][]string{
		"after=2018-08-29T12:00:00Z":                                  want[:1],
		"before=2018-08-29T12:00:00Z":                                 want[2:],
		"after=2018-08-29T11:59:59Z&before=2018-08-29T12:00:00Z":      want[2:],
		"after=2018-08-29T12:00:00Z&before=2018-08-29T12:00:00.0009Z": want[:1],
	} {
		if got := eventLines(a.want(t, 200, "GET", eventsPath+"?"+query, "")); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	first := a.want(t, 200, "GET", eventsPath+"?limit=2", "")
	second := a.want(t, 200, "GET", eventsPath+"?limit=2&cursor="+url.QueryEscape(first.body["next"].(string)), "")
	if got := append(eventLines(first), eventLines(second)...); fmt.Sprint(got) != fmt.Sprint(want) || second.body["next"] != nil {
		t.Errorf("pages hold %q", got)
	}
	if got := a.want(t, 200, "GET", eventsPath, "", userHeader, "bob"); got.text != `{"items":[]}` {
		t.Errorf("another user reads %s", got.text)
	}
}

func eventLines(got answer) []string {
	var lines []string
	for _, e := range got.body["items"].([]any) {
		event := e.(map[string]any)
		detail, _ := event["detail"].(string)
		lines = append(lines, fmt.Sprint(event["type"], " ", event["at"], " ", detail))
	}
	return lines
}

func TestPostEvents_InvalidInput(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	post, list, audit := "POST "+eventsPath, "GET "+eventsPath, "GET /rooms/seattle/audit"
	event := func(members string) string {
		return `{"events":[{"type":"x","at":"2018-08-29T12:00:00Z"},{` + members + `}]}`
	}
	batch := func(n int) string {
		return `{"events":[` + strings.TrimSuffix(strings.Repeat(`{"type":"x","at":"2018-08-29T12:00:00Z"},`, n), ",") + `]}`
	}
	a.wantRefused(t, []refusal{
		{"no events", post, `{}`, 422, "events"},
		{"a batch of 26", post, batch(26), 422, "events"},
		{"events that are null", post, `{"events":null}`, 422, "events"},
		{"an unknown field", post, event(`"type":"x","at":"2018-08-29T12:00:00Z","user":"bob"`), 422, "events[1].user"},
		{"a type in capitals", post, event(`"type":"X","at":"2018-08-29T12:00:00Z"`), 422, "events[1].type"},
		{"a type of 33 letters", post, event(`"type":"` + strings.Repeat("x", 33) + `","at":"2018-08-29T12:00:00Z"`), 422, "events[1].type"},
		{"neither time nor id", post, event(`"type":"x"`), 422, "events[1].at"},
		{"a day that does not exist", post, event(`"type":"x","at":"2018-02-30T12:00:00Z"`), 422, "events[1].at"},
		{"a number for a time", post, event(`"type":"x","at":1535544000`), 422, "events[1].at"},
		{"a time ahead", post, event(`"type":"x","at":"2018-08-29T12:00:03Z"`), 409, "events[1].at"},
		{"a time long past", post, event(`"type":"x","at":"2018-07-30T12:00:00Z"`), 422, "events[1].at"},
		{"an id of version 4", post, event(`"type":"x","id":"0165858d-fe7b-4102-8304-05060708090a"`), 422, "events[1].id"},
		{"a device with a separator", "POST /devices/a%23b/events", batch(1), 422, "device"},
		{"a device of 65 bytes", "GET /devices/" + strings.Repeat("d", 65) + "/events", "", 422, "device"},
		{"limit 201", list + "?limit=201", "", 422, "limit"},
		{"limit 0 of an audit", audit + "?limit=0", "", 422, "limit"},
		{"a time without a zone", list + "?after=2018-08-29T12:00:00", "", 422, "after"},
		{"before before after", list + "?after=2018-08-29T12:00:00Z&before=2018-08-29T11:00:00Z", "", 422, "before"},
		{"before before after in an audit", audit + "?after=2018-08-29T12:00:00Z&before=2018-08-29T11:00:00Z", "", 422, "before"},
		{"an absurd cursor", list + "?cursor=x", "", 400, "cursor"},
		{"an unknown parameter", list + "?user=bob", "", 422, "user"},
		{"a room in capitals", "GET /rooms/Seattle/audit", "", 422, "room"},
		{"an unknown room", "GET /rooms/nowhere/audit", "", 404, ""},
	})
	if got := a.want(t, 200, "GET", eventsPath, ""); got.text != `{"items":[]}` {
		t.Errorf("something was kept: %s", got.text)
	}
	a.want(t, 200, "POST", eventsPath, batch(25))
	a.want(t, 401, "GET", eventsPath, "", userHeader, "")
	a.want(t, 401, "POST", eventsPath, batch(1), userHeader, "")
}

func TestListAudit_ShowsModeratorsEveryAction(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	for _, role := range []string{"moderator", "member", "muted", "banned"} {
		a.giveRole(t, "/rooms/seattle", role, role, 201)
	}
	a.want(t, 201, "PUT", "/rooms/seattle/documents/charter/parts/preamble", `{"text":"geheimnis"}`, userHeader, "moderator")
	a.want(t, 204, "DELETE", "/rooms/seattle/members/member", "", userHeader, "moderator")
	for user, status := range map[string]int{"owner": 200, "moderator": 200, "member": 403, "muted": 403, "banned": 403, "stranger": 403} {
		a.want(t, status, "GET", "/rooms/seattle/audit", "", userHeader, user)
	}
	got := a.want(t, 200, "GET", "/rooms/seattle/audit?limit=5", "", userHeader, "owner")
	var lines []string
	for _, l := range got.body["items"].([]any) {
		line := l.(map[string]any)
		lines = append(lines, fmt.Sprint(line["by"], " ", line["action"], " ", line["on"], " ", line["detail"]))
	}
	want := []string{
		"moderator member.removed member <nil>", "moderator document.saved <nil> charter/preamble v1",
		"owner member.banned banned banned", "owner member.role muted muted", "owner member.role member member",
	}
	if fmt.Sprint(lines) != fmt.Sprint(want) || got.body["next"] == nil || strings.Contains(got.text, "geheimnis") {
		t.Errorf("the audit is\n%s\nwant\n%s\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"), got.text)
	}
}

func TestPostEvents_TooFastCarriesRetryAfter(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(o *app.Options) { o.SendRate, o.SendBurst = 10, 20 })
	var events []string
	for n := range activity.MaxEvents {
		events = append(events, fmt.Sprintf(`{"type":"error","at":"2018-08-29T11:00:%02dZ"}`, n))
	}
	batch := `{"events":[` + strings.Join(events, ",") + `]}`
	a.want(t, 200, "POST", eventsPath, batch)
	got := a.want(t, 429, "POST", eventsPath, batch)
	checkProblem(t, "a second batch", got)
	if got.body["retryable"] != true || got.header.Get("Retry-After") != "1" {
		t.Errorf("it answers %v %s", got.header, got.text)
	}
	a.want(t, 200, "POST", eventsPath, batch, userHeader, "bob")
}
