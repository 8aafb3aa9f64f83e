package httpapi_test

import (
	"testing"
	"time"

	"parley/internal/chat"
)

// faultSample is a request whose calls to DynamoDB are failed in turn.
type faultSample struct {
	name   string // distinguishes the samples of one route
	route  string
	path   string
	body   string
	caller string
	match  string // the header If-Match
	first  int    // the status of the request
	again  int    // the status of a retry after it succeeded
	// audited means that the request also writes an entry of the room's audit, in a call of its own
	// after the change. A retry cannot see whether the entry is missing, so a fault may lose it. The
	// server then logs the entry, unless it does not know whether the change was made.
	audited bool
	// look is the path of a GET request whose answer must be right in the end.
	look string
	// unsafe is the reason why a retry may repeat the change. Each request still makes it whole, and
	// at most once.
	unsafe string
}

// Ids of messages and of an event, made by clients.
var (
	sentID  = chat.NewUUID(start.Add(-worldAge), [10]byte{1}).String()
	freshID = chat.NewUUID(start, [10]byte{2}).String()
	oldID   = chat.NewUUID(start.Add(-26*time.Hour), [10]byte{3}).String()
	eventID = chat.NewUUID(start, [10]byte{4}).String()
)

const (
	oldText = "from an offline queue"
	// worldAge is how long ago the world was made: nothing in it stands at an instant that a sample
	// uses.
	worldAge = time.Minute
)

// faultWorld is what there is before each sample, made through the API; private is its private
// room.
func faultWorld(t *testing.T, old, now *api) (private string) {
	t.Helper()
	old.want(t, 201, "PUT", "/rooms/seattle", `{"shards":2,"place":["USA","WA"]}`, userHeader, "owner")
	old.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+oldID+`","text":"`+oldText+`"}`, userHeader, "member")
	now.want(t, 201, "PUT", "/people/me", `{"name":"Olga","title":"Chief","state":"CA"}`, userHeader, "owner")
	now.want(t, 201, "PUT", "/rooms/slow", `{"slowModeSeconds":60}`, userHeader, "owner")
	for _, role := range []string{"moderator", "member", "muted", "banned"} {
		now.want(t, 201, "PUT", "/rooms/seattle/members/"+role, `{"role":"`+role+`"}`, userHeader, "owner")
	}
	now.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+sentID+`","text":"x"}`, userHeader, "member")
	now.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+sentID+`","text":"y"}`, userHeader, "owner")
	now.want(t, 200, "PATCH", "/rooms/seattle/messages/"+sentID+"~owner", `{"text":"twice"}`, userHeader, "owner", "If-Match", `"1"`)
	now.want(t, 201, "PUT", "/rooms/seattle/documents/rules/parts/one", `{"text":"one"}`, userHeader, "owner")
	now.want(t, 200, "PUT", "/rooms/seattle/documents/rules/parts/one", `{"text":"two"}`, userHeader, "owner", "If-Match", `"1"`)
	now.want(t, 200, "POST", "/devices/phone/events", `{"events":[{"type":"connection","at":"2018-08-29T11:00:00Z"}]}`, userHeader, "member")
	private = now.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`, userHeader, "owner").body["id"].(string)
	now.want(t, 201, "PUT", "/rooms/"+private+"/members/member", `{"role":"member"}`, userHeader, "owner")
	return private
}

// faultSamples has at least one sample for every route that asks DynamoDB. {private} is the private
// room.
func faultSamples() []faultSample {
	const room, doc, part = "/rooms/{room}", "/rooms/{room}/documents/{doc}", "/rooms/{room}/documents/{doc}/parts/{part}"
	const seattle, rules = "/rooms/seattle", "/rooms/seattle/documents/rules"
	var all []faultSample
	for _, of := range [][]faultSample{
		roomSamples(room, seattle), memberSamples(room, seattle), messageSamples(room+"/messages", seattle+"/messages"),
		feedSamples(room, seattle), documentSamples(doc, seattle, rules), partSamples(part, seattle, rules), otherSamples(),
	} {
		all = append(all, of...)
	}
	return all
}

func roomSamples(room, seattle string) []faultSample {
	return []faultSample{
		{name: "make", route: "PUT " + room, path: "/rooms/new", body: `{"topic":"x","place":["USA"]}`, caller: "member", first: 201, again: 200, look: "/rooms/new"},
		{name: "change", route: "PUT " + room, path: seattle, body: `{"topic":"new","place":["USA","OR"]}`, caller: "owner", first: 200, again: 200, look: seattle},
		{name: "private", route: "POST /rooms", path: "/rooms", body: `{"visibility":"private","name":"x"}`, caller: "member", first: 201, again: 201,
			unsafe: "the server makes the id, so that a retry makes another room"},
		{name: "public", route: "GET " + room, path: seattle, caller: "guest", first: 200, again: 200},
		{name: "private", route: "GET " + room, path: "/rooms/{private}", caller: "member", first: 200, again: 200},
		{name: "by place", route: "GET /rooms", path: "/rooms?place=USA", caller: "member", first: 200, again: 200},
	}
}

func memberSamples(room, seattle string) []faultSample {
	put, remove := "PUT "+room+"/members/{user}", "DELETE "+room+"/members/{user}"
	members := seattle + "/members"
	return []faultSample{
		{name: "invite", route: put, path: members + "/guest", body: `{"role":"member"}`, caller: "owner", audited: true, first: 201, again: 200, look: members},
		{name: "promote", route: put, path: members + "/member", body: `{"role":"moderator"}`, caller: "owner", audited: true, first: 200, again: 200, look: members},
		{name: "ban", route: put, path: members + "/member", body: `{"role":"banned"}`, caller: "moderator", audited: true, first: 200, again: 200, look: members},
		{name: "join", route: put, path: members + "/me", body: `{"role":"member"}`, caller: "guest", first: 201, again: 200, look: members},
		{name: "take out", route: remove, path: members + "/member", caller: "owner", audited: true, first: 204, again: 404, look: members},
		{name: "take out one who is muted", route: remove, path: members + "/muted", caller: "owner", audited: true, first: 204, again: 404, look: members},
		{name: "lift a ban", route: remove, path: members + "/banned", caller: "moderator", audited: true, first: 204, again: 404, look: members},
		{name: "leave", route: remove, path: members + "/me", caller: "member", first: 204, again: 404, look: members},
		{name: "list", route: "GET " + room + "/members", path: members + "?limit=2", caller: "member", first: 200, again: 200},
		{name: "list", route: "GET /people/{user}/rooms", path: "/people/me/rooms", caller: "member", first: 200, again: 200},
	}
}

func messageSamples(route, path string) []faultSample {
	sent, edited := path+"/"+sentID+"~member", path+"/"+sentID+"~owner"
	return []faultSample{
		{name: "with an id", route: "POST " + route, path: path, body: `{"id":"` + freshID + `","text":"x"}`, caller: "member", first: 201, again: 200, look: path},
		{name: "a retry", route: "POST " + route, path: path, body: `{"id":"` + sentID + `","text":"x"}`, caller: "member", first: 200, again: 200, look: path},
		{name: "an old retry", route: "POST " + route, path: path, body: `{"id":"` + oldID + `","text":"` + oldText + `"}`, caller: "member", first: 200, again: 200, look: path},
		{name: "in slow mode", route: "POST " + route, path: "/rooms/slow/messages", body: `{"id":"` + freshID + `","text":"x"}`, caller: "member", first: 201, again: 200, look: "/rooms/slow/messages"},
		{name: "without an id", route: "POST " + route, path: path, body: `{"text":"x"}`, caller: "member", first: 201, again: 201,
			unsafe: "without the client's id nothing tells a retry from another message"},
		{name: "newest", route: "GET " + route, path: path, caller: "member", first: 200, again: 200},
		{name: "of a private room", route: "GET " + route, path: "/rooms/{private}/messages", caller: "member", first: 200, again: 200},
		{name: "of a person", route: "GET " + route, path: path + "?user=member&order=asc", caller: "guest", first: 200, again: 200},
		{name: "around", route: "GET " + route, path: path + "?around=" + sentID + "~owner", caller: "guest", first: 200, again: 200},
		{name: "edit", route: "PATCH " + route + "/{id}", path: sent, body: `{"text":"y"}`, match: `"1"`, caller: "member", first: 200, again: 200, look: sent + "/versions"},
		{name: "edit again", route: "PATCH " + route + "/{id}", path: edited, body: `{"text":"thrice"}`, match: `"2"`, caller: "owner", first: 200, again: 200, look: edited + "/versions"},
		{name: "delete", route: "DELETE " + route + "/{id}", path: edited, match: `"2"`, caller: "owner", first: 200, again: 200, look: edited},
		{name: "delete whatever stands", route: "DELETE " + route + "/{id}", path: edited, match: "*", caller: "moderator", first: 200, again: 200, look: edited + "/versions"},
		{name: "all", route: "GET " + route + "/{id}/versions", path: edited + "/versions", caller: "guest", first: 200, again: 200},
		{name: "one", route: "GET " + route + "/{id}", path: sent, caller: "guest", first: 200, again: 200},
	}
}

// feedSamples are about a feed of five changes, in two segments.
func feedSamples(room, seattle string) []faultSample {
	put, rooms := "PUT "+room+"/read", "/people/me/rooms"
	return []faultSample{
		{name: "from the beginning", route: "GET " + room + "/changes", path: seattle + "/changes", caller: "guest", first: 200, again: 200},
		{name: "the newest", route: "GET " + room + "/changes", path: seattle + "/changes?since=" + chat.FeedPosition{Seq: 4, Generation: "g"}.Text("seattle"), caller: "member", first: 200, again: 200},
		{name: "first", route: put, path: seattle + "/read", body: `{"seq":2}`, caller: "member", first: 200, again: 200, look: rooms},
		{name: "further", route: put, path: seattle + "/read", body: `{"seq":5}`, caller: "moderator", first: 200, again: 200, look: rooms},
		{name: "back", route: put, path: seattle + "/read", body: `{"seq":1}`, caller: "moderator", first: 200, again: 200, look: rooms},
	}
}

func documentSamples(route, seattle, rules string) []faultSample {
	made := seattle + "/documents/agenda"
	return []faultSample{
		{name: "make", route: "PUT " + route, path: made, body: `{"title":"Agenda"}`, caller: "member", first: 201, again: 200, look: made},
		{name: "make with permissions", route: "PUT " + route, path: made, body: `{"read":"members","write":"owners"}`, caller: "owner", first: 201, again: 200, look: made},
		{name: "change", route: "PUT " + route, path: rules, body: `{"title":"Rules","write":"moderators"}`, caller: "moderator", first: 200, again: 200, look: rules},
		{name: "list", route: "GET /rooms/{room}/documents", path: seattle + "/documents", caller: "guest", first: 200, again: 200},
		{name: "read", route: "GET " + route, path: rules, caller: "guest", first: 200, again: 200},
	}
}

func partSamples(route, seattle, rules string) []faultSample {
	first := seattle + "/documents/agenda/parts/one"
	one := rules + "/parts/one"
	return []faultSample{
		{name: "first of a document", route: "PUT " + route, path: first, body: `{"text":"z"}`, caller: "member", first: 201, again: 200, look: seattle + "/documents/agenda"},
		{name: "another", route: "PUT " + route, path: rules + "/parts/two", body: `{"text":"z"}`, caller: "member", first: 201, again: 200, look: rules},
		{name: "next version", route: "PUT " + route, path: one, body: `{"text":"three"}`, match: `"2"`, caller: "member", first: 200, again: 200, look: one + "/versions"},
		{name: "newest", route: "GET " + route, path: one, caller: "guest", first: 200, again: 200},
		{name: "all", route: "GET " + route + "/versions", path: one + "/versions", caller: "guest", first: 200, again: 200},
		{name: "first", route: "GET " + route + "/versions/{n}", path: one + "/versions/1", caller: "guest", first: 200, again: 200},
	}
}

func otherSamples() []faultSample {
	const events = `{"events":[{"type":"connection","at":"2018-08-29T11:00:00Z","detail":"same instant"},{"type":"error","id":"{event}"},{"type":"delivery","at":"2018-08-29T11:30:00Z"}]}`
	return []faultSample{
		{name: "first", route: "PUT /people/me", path: "/people/me", body: `{"name":"Gus","title":"Guest","state":"WA"}`, caller: "guest", first: 201, again: 200, look: "/people?name=G"},
		{name: "change", route: "PUT /people/me", path: "/people/me", body: `{"name":"Olga B","title":"Director","state":"TX"}`, caller: "owner", first: 200, again: 200, look: "/people?had_title=Chief"},
		{name: "one", route: "GET /people/{user}", path: "/people/owner", caller: "guest", first: 200, again: 200},
		{name: "by state", route: "GET /people", path: "/people?state=CA", caller: "guest", first: 200, again: 200},
		{name: "report", route: "POST /devices/{device}/events", path: "/devices/phone/events", body: events, caller: "member", first: 200, again: 200, look: "/devices/phone/events"},
		{name: "read", route: "GET /devices/{device}/events", path: "/devices/phone/events", caller: "member", first: 200, again: 200},
		{name: "read", route: "GET /rooms/{room}/audit", path: "/rooms/seattle/audit", caller: "moderator", first: 200, again: 200},
	}
}
