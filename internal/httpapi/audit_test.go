package httpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
)

// auditSample is a request and the line that it adds to a room's audit.
type auditSample struct {
	route, path, body, caller string
	match                     string // If-Match
	line                      string // action, person and detail, as placeholders for what the server chooses
}

// auditSamples contains a request for each audited route, to be sent one after another. {id} is a
// message of bob in the room, {invite} and {token} are of an invitation.
func auditSamples() []auditSample {
	const (
		room, member = "PUT /rooms/{room}", "PUT /rooms/{room}/members/{user}"
		remove       = "DELETE /rooms/{room}/members/{user}"
		document     = "PUT /rooms/{room}/documents/{doc}"
		part         = document + "/parts/{part}"
		pin          = " /rooms/{room}/messages/{id}/pin"
		seattle      = "/rooms/seattle"
		charter      = seattle + "/documents/charter"
	)
	return []auditSample{
		{route: room, path: seattle, body: `{"topic":"rain"}`, line: "room.created"},
		{route: room, path: seattle, body: `{"topic":"sun","pinning":"members"}`, line: "room.changed pinning topic"},
		{route: "PATCH /rooms/{room}", path: seattle, body: `{"posting":"members"}`, line: "room.changed posting"},
		{route: "PATCH /rooms/{room}", path: seattle, body: `{"archived":true}`, line: "room.changed archived"},
		{route: "PATCH /rooms/{room}", path: seattle, body: `{"archived":false}`, line: "room.changed unarchived"},
		{route: member, path: seattle + "/members/me", body: `{"role":"member"}`, caller: "bob", line: "member.joined bob member"},
		{route: remove, path: seattle + "/members/me", caller: "bob", line: "member.left bob"},
		{route: member, path: seattle + "/members/bob", body: `{"role":"member"}`, line: "member.role bob member"},
		{route: member, path: seattle + "/members/eve", body: `{"role":"banned"}`, line: "member.banned eve banned"},
		{route: remove, path: seattle + "/members/eve", line: "member.unbanned eve"},
		{route: "PUT" + pin, path: seattle + "/messages/{id}/pin", line: "pin.added bob {id}"},
		{route: "DELETE" + pin, path: seattle + "/messages/{id}/pin", line: "pin.removed bob {id}"},
		{route: document, path: charter, body: `{"title":"geheimnis"}`, line: "document.created charter title"},
		{route: "PATCH /rooms/{room}/documents/{doc}", path: charter, body: `{"read":"members","write":"owners"}`, line: "document.changed charter read=members write=owners"},
		{route: part, path: charter + "/parts/one", body: `{"text":"geheimnis"}`, line: "document.saved charter/one v1"},
		{route: "PATCH /rooms/{room}/reports/{report}", path: seattle + "/reports/{id}~carl", body: `{"resolved":true}`, line: "report.resolved bob"},
		{route: "DELETE /rooms/{room}/messages/{id}", path: seattle + "/messages/{id}", match: "*", line: "message.deleted bob {id}"},
		{route: "POST /rooms/{room}/invites", path: seattle + "/invites", body: `{}`, line: "invite.created"},
		{route: "POST /invites/{token}", path: "/invites/{token}", caller: "dan", line: "invite.used amsg"},
		{route: "DELETE /rooms/{room}/invites/{invite}", path: seattle + "/invites/{invite}", line: "invite.revoked amsg"},
		{route: "POST /rooms/{room}/incoming", path: seattle + "/incoming", body: `{"name":"geheimnis"}`, line: "incoming.created"},
		{route: "POST /rooms/{room}/incoming/{incoming}/secret", path: seattle + "/incoming/{incoming}/secret", line: "incoming.replaced amsg {incoming}"},
		{route: "DELETE /rooms/{room}/incoming/{incoming}", path: seattle + "/incoming/{incoming}", line: "incoming.removed amsg {incoming}"},
		{route: "PUT /rooms/{room}/hooks/{hook}", path: seattle + "/hooks/ours", body: `{"url":"https://example.com/hook"}`, line: "hook.created amsg ours"},
		{route: "PUT /rooms/{room}/hooks/{hook}", path: seattle + "/hooks/ours", body: `{"url":"https://example.com/other"}`, line: "hook.changed amsg ours"},
		{route: "POST /rooms/{room}/hooks/{hook}/secret", path: seattle + "/hooks/ours/secret", line: "hook.replaced amsg ours"},
		{route: "DELETE /rooms/{room}/hooks/{hook}", path: seattle + "/hooks/ours", line: "hook.removed amsg ours"},
		{route: "PUT /rooms/{room}/owner", path: seattle + "/owner", body: `{"user":"bob"}`, line: "owner.changed bob"},
		{route: "DELETE /rooms/{room}", path: seattle, caller: "bob", line: "room.deleted"},
	}
}

// TestOperations_EachChangeIsAudited sends a request for each route that changes something, once
// as a person and once as a service for them. Each request must add exactly one line, which names
// the person and the service but no contents. A route must be among the samples or have a reason
// not to be. Requests of people to direct rooms are not audited, since these have no moderators;
// requests of services are.
func TestOperations_EachChangeIsAudited(t *testing.T) {
	t.Parallel()
	for _, service := range []string{"", "desk"} {
		t.Run("via "+service, func(t *testing.T) {
			t.Parallel()
			c := newAudited(t, service)
			for _, s := range auditSamples() {
				c.send(t, s)
			}
			private := c.api.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`, c.headers("amsg")...)
			if got := c.lines(t, chat.RoomID(private.body["id"].(string))); !slices.Equal(got, []string{"amsg " + service + " room.created"}) {
				t.Errorf("the audit of a private room is %q", got)
			}
		})
	}
	sampled := map[string]bool{"POST /rooms": true}
	for _, s := range auditSamples() {
		sampled[s.route] = true
	}
	for _, o := range operations {
		changes := !strings.HasPrefix(o.route, "GET ")
		if changes && sampled[o.route] == (o.unaudited != "") || !changes && o.unaudited != "" {
			t.Errorf("%s must have either a sample in auditSamples or, if it changes something, a reason in unaudited", o.route)
		}
	}
}

// audited is an API whose audits are read from the store.
type audited struct {
	api     *api
	logs    activity.Store
	service string
	names   map[string]string // of the placeholders
	seen    int
}

func newAudited(t *testing.T, service string) *audited {
	c := &audited{service: service, names: map[string]string{}}
	c.api = newAPI(t, func(o *app.Options) { c.logs = o.Logs })
	return c
}

func (c *audited) headers(user string) []string {
	if c.service == "" {
		return []string{userHeader, user}
	}
	return via(user)
}

// send sends a sample and compares the audit. It prepares what the sample names.
func (c *audited) send(t *testing.T, s auditSample) {
	t.Helper()
	if strings.Contains(s.path, "{id}") && c.names["{id}"] == "" {
		c.names["{id}"] = c.api.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"geheimnis"}`, userHeader, "bob").body["id"].(string)
		c.api.want(t, 201, "POST", "/rooms/seattle/messages/"+c.names["{id}"]+"/reports", `{"reason":"spam"}`, userHeader, "carl")
	}
	caller := s.caller
	if caller == "" {
		caller = "amsg"
	}
	path := c.filled(s.path)
	method, _, _ := strings.Cut(s.route, " ")
	headers := c.headers(caller)
	if s.match != "" {
		headers = append(headers, "If-Match", s.match)
	}
	got := c.api.do(t, method, path, s.body, headers...)
	if got.status >= 300 {
		t.Fatalf("%s %s: %d %s", method, path, got.status, got.text)
	}
	if id, ok := got.body["token"].(string); ok {
		c.names["{token}"], c.names["{invite}"] = id, got.body["id"].(string)
	}
	if secret, ok := got.body["secret"].(string); ok && len(secret) > 32 {
		c.names["{incoming}"] = secret[:32]
	}
	lines := c.lines(t, "seattle")
	want := caller + " " + c.service + " " + c.filled(s.line)
	if len(lines) != c.seen+1 || !strings.HasPrefix(lines[0], want) || strings.Contains(lines[0], "geheimnis") {
		t.Errorf("%s %s %s: the audit has %d lines after %d, and the newest is %q, want %q", method, path, s.body, len(lines), c.seen, lines[0], want)
	}
	c.seen = len(lines)
}

// filled replaces the placeholders in a text.
func (c *audited) filled(text string) string {
	for name, value := range c.names {
		text = strings.ReplaceAll(text, name, value)
	}
	return text
}

// lines returns the audit of a room, newest first: who acted, via which service, how, on whom and
// the detail.
func (c *audited) lines(t *testing.T, room chat.RoomID) []string {
	t.Helper()
	entries, _, err := c.logs.ReadLog(t.Context(), activity.LogRange{Log: activity.Log{Room: room}, Now: start, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, e := range entries {
		words := slices.DeleteFunc([]string{e.Type, string(e.On), e.Detail}, func(s string) bool { return s == "" })
		lines = append(lines, fmt.Sprintf("%s %s %s", e.By, e.Via, strings.Join(words, " ")))
	}
	return lines
}
