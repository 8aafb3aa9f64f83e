package httpapi_test

import (
	"strings"
	"testing"
)

var roomOperations = []operationRequests{
	{
		route: "PUT /rooms/{room}",
		roles: []row{
			{body: `{"topic":"new"}`},
			{what: "archive", body: `{"archived":true}`},
		},
		faults: []faultSample{
			{name: "create", path: "/rooms/new", body: `{"topic":"x","place":["USA"]}`, caller: "member", audited: true, first: 201, again: 200, look: "/rooms/new"},
			{name: "create, private, by a service", path: "/rooms/p-fresh", body: `{"visibility":"private"}`, caller: desk, service: true, audited: true, first: 201, again: 200},
			{name: "change, by a service", path: "/rooms/p-desk", body: `{"topic":"new"}`, caller: desk, service: true, audited: true, first: 200},
			{name: "change", body: `{"topic":"new","place":["USA","OR"]}`, caller: "owner", audited: true, first: 200, look: "/rooms/seattle"},
			{name: "archive", body: `{"archived":true}`, caller: "owner", audited: true, first: 200, look: "/rooms/seattle"},
			{name: "unarchive", path: "/rooms/archived", body: `{"archived":false}`, caller: "owner", audited: true, first: 200, look: "/rooms/archived"},
		},
	},
	{
		route: "PATCH /rooms/{room}",
		roles: []row{{body: `{"topic":"new"}`}},
		faults: []faultSample{
			{name: "change", body: `{"topic":"new"}`, caller: "owner", audited: true, first: 200, look: "/rooms/seattle"},
			{name: "change what is unchanged", body: `{"topic":"new"}`, caller: "owner", match: `"0-AAAAAAAAAAAAAAAA"`, audited: true, first: 200, look: "/rooms/seattle"},
		},
	},
	{
		route: "GET /rooms/{room}",
		roles: []row{
			{},
			{what: "with the count", query: "?include=count&include=people"},
		},
		faults: []faultSample{
			{name: "public", caller: "guest", first: 200},
			{name: "private", path: "/rooms/{private}", caller: "member", first: 200},
			{name: "with unread messages and the count", path: "/rooms/seattle?include=count", caller: "member", first: 200},
		},
	},
	{
		route: "DELETE /rooms/{room}", roles: []row{{}},
		faults: []faultSample{
			{name: "delete", caller: "owner", audited: true, first: 204, again: 404, look: "/rooms?place=USA"},
			{name: "delete what is unchanged", caller: "owner", match: `"0-AAAAAAAAAAAAAAAA"`, audited: true, first: 204, again: 404, look: "/rooms?place=USA"},
			{name: "delete, by a service", path: "/rooms/p-desk", caller: desk, service: true, audited: true, first: 204, again: 404},
		},
	},
	{route: "GET /rooms/{room}/audit", roles: []row{{}}, faults: []faultSample{{name: "read", caller: "moderator", first: 200}}},
	{
		route: "POST /rooms",
		roles: []row{
			{body: `{"visibility":"private","name":"x"}`},
			{what: "with a requestId", body: `{"visibility":"private","name":"x","requestId":"{fresh}"}`},
			{what: "direct", body: `{"direct":["another"]}`},
		},
		faults: []faultSample{
			{name: "private", body: `{"visibility":"private","name":"x"}`, caller: "member", audited: true, first: 201, unsafe: "the server chooses the id, so a retry creates another room"},
			{name: "private, with a requestId", body: `{"visibility":"private","name":"x","requestId":"{fresh}"}`, caller: "member", drawn: true, audited: true, first: 201, again: 200, look: "/people/me/rooms"},
			{name: "direct", body: `{"direct":["guest"]}`, caller: "owner", drawn: true, first: 201, again: 200, look: "/people/me/rooms"},
			{name: "direct, again", body: `{"direct":["member"]}`, caller: "owner", first: 200},
			{name: "direct, and two have left", body: `{"direct":["member","muted"]}`, caller: "owner", first: 200, look: "/people/me/rooms"},
		},
	},
	{route: "GET /rooms", roles: []row{{}}, faults: []faultSample{{name: "by place", path: "/rooms?place=USA", caller: "member", first: 200}}},
}

// unknownSecret has the form of a webhook's secret.
var unknownSecret = strings.Repeat("0", 32) + strings.Repeat("a", 52)

var memberOperations = []operationRequests{
	{
		route: "GET /rooms/{room}/members",
		roles: []row{{}},
		faults: []faultSample{
			{name: "list", path: "/rooms/seattle/members?limit=2", caller: "member", first: 200},
			{name: "list all with receipts", caller: "member", first: 200},
		},
	},
	{
		route: "GET /rooms/{room}/online",
		roles: []row{{}},
		faults: []faultSample{
			{name: "online", caller: "guest", first: 200},
			{name: "online in private", path: "/rooms/{private}/online", caller: "member", first: 200},
		},
	},
	{
		route: "GET /rooms/{room}/members/{user}",
		roles: []row{
			{what: "oneself", user: "me"},
			{what: "a member", user: crew},
			{what: "one who is banned", user: exile},
			{what: "one who is not there", user: guest},
		},
		faults: []faultSample{{name: "get", path: "/rooms/seattle/members/owner", caller: "member", first: 200}},
	},
	{route: "GET /rooms/{room}/bans", roles: []row{{}}, faults: []faultSample{{name: "list bans", caller: "moderator", first: 200}}},
	{
		route: "PUT /rooms/{room}/owner",
		roles: []row{{body: `{"user":"crew"}`}},
		faults: []faultSample{
			{name: "hand over", body: `{"user":"member"}`, caller: "owner", first: 200, look: "/rooms/seattle/members"},
			{name: "hand over, by a service", path: "/rooms/p-desk/owner", body: `{"user":"member"}`, caller: desk, service: true, first: 200},
		},
	},
	{
		route: "POST /rooms/{room}/invites",
		roles: []row{
			{body: "{}"},
			{what: "moderators", body: `{"role":"moderator"}`},
		},
		faults: []faultSample{{name: "invite", body: `{"maxUses":2}`, caller: "moderator", audited: true, first: 201, unsafe: "the token was lost with the first answer, so a retry creates another invitation"}},
	},
	{route: "GET /rooms/{room}/invites", roles: []row{{}}, faults: []faultSample{{name: "list", caller: "moderator", first: 200}}},
	{route: "DELETE /rooms/{room}/invites/{invite}", roles: []row{{}}, faults: []faultSample{{name: "revoke", caller: "moderator", audited: true, first: 204, look: "/rooms/seattle/invites"}}},
	{
		route:  "POST /rooms/{room}/incoming",
		roles:  []row{{body: `{"name":"Alerts"}`}},
		faults: []faultSample{{name: "create a webhook", body: `{"name":"Alerts"}`, caller: "owner", audited: true, first: 201, unsafe: "the secret was lost with the first answer, so a retry creates another webhook"}},
	},
	{route: "GET /rooms/{room}/incoming", roles: []row{{}}, faults: []faultSample{{name: "list webhooks", caller: "owner", first: 200}}},
	{
		route: "POST /rooms/{room}/incoming/{incoming}/secret", roles: []row{{}},
		faults: []faultSample{{name: "replace a secret", caller: "owner", audited: true, first: 200, unsafe: "the secret was lost with the first answer, so a retry replaces it again"}},
	},
	{
		route: "DELETE /rooms/{room}/incoming/{incoming}", roles: []row{{}},
		faults: []faultSample{{name: "remove a webhook", caller: "owner", audited: true, first: 204, look: "/rooms/seattle/incoming"}},
	},
	{
		route: "PUT /rooms/{room}/hooks/{hook}", roles: []row{{body: `{"url":"https://example.com/other"}`}},
		faults: []faultSample{
			{name: "new", path: "/rooms/seattle/hooks/new", body: `{"url":"https://example.com/hook"}`, caller: "owner", audited: true, first: 201, again: 200, unsafe: "the secret was lost with the first answer; replacing it shows another"},
			{name: "with another address", body: `{"url":"https://example.com/other"}`, caller: "owner", audited: true, first: 200},
		},
	},
	{route: "GET /rooms/{room}/hooks", roles: []row{{}}, faults: []faultSample{{name: "list hooks", caller: "owner", first: 200}}},
	{route: "GET /rooms/{room}/hooks/{hook}", roles: []row{{}}, faults: []faultSample{{name: "read a hook", caller: "owner", first: 200}}},
	{
		route: "DELETE /rooms/{room}/hooks/{hook}", roles: []row{{}},
		faults: []faultSample{{name: "delete a hook", caller: "owner", audited: true, first: 204, again: 404}},
	},
	{
		route: "POST /rooms/{room}/hooks/{hook}/replay", unaudited: "the room gives nothing that it did not give", roles: []row{{body: `{"from":"2018-08-29T12:00:00Z"}`}},
		faults: []faultSample{{name: "replay", body: `{"from":"2018-08-29T00:00:00Z"}`, caller: "owner", first: 204}},
	},
	{
		route: "POST /rooms/{room}/hooks/{hook}/test", unaudited: "the room gives nothing", roles: []row{{}},
		faults: []faultSample{{name: "test a hook", caller: "owner", first: 204}},
	},
	{
		route: "POST /rooms/{room}/hooks/{hook}/secret", roles: []row{{}},
		faults: []faultSample{{name: "replace a hook's secret", caller: "owner", audited: true, first: 200, unsafe: "the secret was lost with the first answer, so a retry replaces it again"}},
	},
	{
		route: "POST /in/{secret}", unaudited: "the message names its bot and its time",
		roles: []row{{body: `{"text":"x"}`}},
		faults: []faultSample{
			{name: "post by a webhook", body: `{"text":"x"}`, caller: "guest", first: 200, unsafe: "without a key, a retry posts another message"},
			{name: "no webhook", path: "/in/" + unknownSecret, body: `{"text":"x"}`, caller: "guest", first: 404},
		},
	},
	{
		route: "GET /invites/{token}",
		roles: []row{{}},
		faults: []faultSample{
			{name: "look", caller: "guest", first: 200},
			{name: "unknown", path: "/invites/unknown", caller: "guest", first: 404},
		},
	},
	{
		route: "POST /invites/{token}",
		roles: []row{{}},
		faults: []faultSample{
			{name: "come in", caller: "guest", audited: true, first: 201, again: 200, look: "/rooms/seattle/members"},
			{name: "be in", caller: "member", first: 200, look: "/rooms/seattle/members"},
			{name: "unknown", path: "/invites/unknown", caller: "guest", first: 404},
		},
	},
	{
		route: "PUT /rooms/{room}/members/{user}",
		roles: []row{
			{what: "join", body: `{"role":"member"}`, user: "me"},
			{what: "promote oneself", body: `{"role":"owner"}`, user: "me"},
			{what: "invite", body: `{"role":"member"}`, user: guest},
			{what: "invite strictly", query: "?strict=true", body: `{"role":"member"}`, user: guest},
			{what: "mute", body: `{"role":"muted"}`, user: crew},
			{what: "make a moderator", body: `{"role":"moderator"}`, user: crew},
			{what: "ban a moderator", body: `{"role":"banned"}`, user: boss},
		},
		faults: []faultSample{
			{name: "invite", path: "/rooms/seattle/members/guest", body: `{"role":"member"}`, caller: "owner", first: 201, again: 200, look: "/rooms/seattle/members"},
			{name: "strictly", path: "/rooms/seattle/members/owner?strict=true", body: `{"role":"owner"}`, caller: "owner", first: 200},
			{name: "promote", path: "/rooms/seattle/members/member", body: `{"role":"moderator"}`, caller: "owner", first: 200, look: "/rooms/seattle/members"},
			{name: "ban", path: "/rooms/seattle/members/member", body: `{"role":"banned"}`, caller: "moderator", first: 200, look: "/rooms/seattle/members"},
			{name: "mute with an end", path: "/rooms/seattle/members/member", body: `{"role":"muted","until":"2018-08-29T13:00:00Z","reason":"noise"}`, caller: "moderator", first: 200, look: "/rooms/seattle/members"},
			{name: "ban with an end", path: "/rooms/seattle/members/member", body: `{"role":"banned","until":"2018-08-29T13:00:00Z","reason":"spam"}`, caller: "owner", first: 200, look: "/rooms/seattle/bans"},
			{name: "join", path: "/rooms/seattle/members/me", body: `{"role":"member"}`, caller: "guest", first: 201, again: 200, look: "/rooms/seattle/members"},
		},
	},
	{
		route: "DELETE /rooms/{room}/members/{user}",
		roles: []row{
			{what: "leave", user: "me"},
			{what: "remove a member", user: crew},
			{what: "remove a moderator", user: boss},
			{what: "lift a ban", user: exile},
		},
		faults: []faultSample{
			{name: "take out", path: "/rooms/seattle/members/member", caller: "owner", first: 204, again: 404, look: "/rooms/seattle/members"},
			{name: "take out one who is muted", path: "/rooms/seattle/members/muted", caller: "owner", first: 204, again: 404, look: "/rooms/seattle/members"},
			{name: "lift a ban", path: "/rooms/seattle/members/banned", caller: "moderator", first: 204, again: 404, look: "/rooms/seattle/members"},
			{name: "lift a ban as an owner", path: "/rooms/seattle/members/banned", caller: "owner", first: 204, again: 404, look: "/rooms/seattle/bans"},
			{name: "leave a direct room", path: "/rooms/{direct}/members/me", caller: "member", first: 204, again: 404},
			{name: "leave", path: "/rooms/seattle/members/me", caller: "member", first: 204, again: 404, look: "/rooms/seattle/members"},
		},
	},
}

var personOperations = []operationRequests{
	{
		route: "GET /people",
		roles: []row{{}},
		faults: []faultSample{
			{name: "by ids", path: "/people?ids=owner,guest", caller: "guest", first: 200},
			{name: "by state", path: "/people?state=CA", caller: "guest", first: 200},
		},
	},
	{
		route: "GET /people/{user}",
		roles: []row{{user: guest}},
		faults: []faultSample{
			{name: "one", path: "/people/owner", caller: "guest", first: 200},
			{name: "oneself without a profile", path: "/people/me", caller: "guest", first: 200},
		},
	},
	{
		route:     "PUT /people/{user}",
		unaudited: "is of no room, as PUT /people/me",
		roles:     []row{{user: guest, body: `{"name":"x"}`}},
		faults: []faultSample{
			{name: "first", path: "/people/guest", body: `{"name":"Gus","kind":"bot"}`, caller: "desk", service: true, first: 201, again: 200, look: "/people/guest"},
			{name: "change", path: "/people/owner", body: `{"name":"Olga B","title":"Director"}`, caller: "desk", service: true, first: 200, look: "/people/owner"},
		},
	},
	{
		route:     "DELETE /people/{user}",
		unaudited: "is of no room; list-person-audit has it",
		roles:     []row{{user: guest}},
		faults: []faultSample{
			{name: "new", path: "/people/guest", caller: "desk", service: true, first: 202},
			{name: "connected", path: "/people/moderator", caller: "desk", service: true, first: 202},
			{name: "suspended", path: "/people/suspended", caller: "desk", service: true, first: 202},
			{name: "deleted", path: "/people/deleted", caller: "desk", service: true, first: 202},
		},
	},
	{
		route:     "PUT /people/me/blocks/{user}",
		unaudited: "concerns only the caller, and no moderator may learn of it",
		roles: []row{
			{user: guest},
			{what: "oneself", user: "me"},
		},
		faults: []faultSample{{name: "block", path: "/people/me/blocks/guest", caller: "member", first: 204, look: "/people/me/blocks"}},
	},
	{
		route:     "DELETE /people/me/blocks/{user}",
		unaudited: "concerns only the caller, and no moderator may learn of it",
		roles:     []row{{user: guest}},
		faults:    []faultSample{{name: "unblock", path: "/people/me/blocks/owner", caller: "muted", first: 204, look: "/people/me/blocks"}},
	},
	{route: "GET /people/me/blocks", roles: []row{{}}, faults: []faultSample{{name: "list", caller: "muted", first: 200}}},
	{
		route: "GET /people/{user}/rooms",
		roles: []row{
			{what: "one's own", user: "me"},
			{what: "another's", user: guest},
		},
		faults: []faultSample{
			{name: "list", path: "/people/me/rooms", caller: "member", first: 200},
			{name: "list with heads", path: "/people/me/rooms?limit=1&include=heads", caller: "member", first: 200},
			{name: "list some", path: "/people/me/rooms?ids=seattle&include=people", caller: "member", first: 200},
			{name: "list another's", path: "/people/member/rooms", caller: "desk", service: true, first: 200},
		},
	},
	{
		route:     "PUT /people/{user}/rooms/{room}",
		unaudited: "concerns only the caller, and no moderator may learn of it",
		roles: []row{
			{body: `{"favorite":true}`, user: "me"},
			{what: "another's", body: `{"muted":true}`, user: guest},
		},
		faults: []faultSample{
			{name: "first", path: "/people/me/rooms/seattle", body: `{"favorite":true,"muted":true}`, caller: "member", first: 200, look: "/people/me/rooms"},
			{name: "with a marker", path: "/people/me/rooms/seattle", body: `{"muted":true}`, caller: "moderator", first: 200, look: "/people/me/rooms"},
		},
	},
	{
		route:     "PUT /people/{user}/suspension",
		unaudited: "is of no room; list-person-audit has it",
		roles:     []row{{body: `{"reason":"spam"}`, user: guest}},
		faults: []faultSample{
			{name: "new", path: "/people/guest/suspension", body: `{"reason":"spam"}`, caller: "desk", service: true, first: 200},
			{name: "connected", path: "/people/moderator/suspension", body: "{}", caller: "desk", service: true, first: 200},
			{name: "suspended", path: "/people/suspended/suspension", body: `{"reason":"again"}`, caller: "desk", service: true, first: 200},
		},
	},
	{
		route: "GET /people/{user}/suspension",
		roles: []row{{user: guest}},
		faults: []faultSample{
			{name: "suspended", path: "/people/suspended/suspension", caller: "desk", service: true, first: 200},
			{name: "none", path: "/people/guest/suspension", caller: "desk", service: true, first: 404},
		},
	},
	{
		route:     "DELETE /people/{user}/suspension",
		unaudited: "is of no room; list-person-audit has it",
		roles:     []row{{user: guest}},
		faults: []faultSample{
			{name: "suspended", path: "/people/suspended/suspension", caller: "desk", service: true, audited: true, first: 204},
			{name: "none", path: "/people/guest/suspension", caller: "desk", service: true, first: 204},
			{name: "deleted", path: "/people/deleted/suspension", caller: "desk", service: true, first: 409},
		},
	},
	{route: "GET /people/{user}/audit", roles: []row{{user: guest}}, faults: []faultSample{{name: "read", path: "/people/suspended/audit", caller: "desk", service: true, first: 200}}},
	{
		route:     "PUT /people/me",
		unaudited: "is of no room; a change of a title, state or day of hiring stays in the person's history",
		roles: []row{
			{body: `{"name":"x"}`},
			{what: "pass for a bot", body: `{"name":"x","kind":"bot"}`},
		},
		faults: []faultSample{
			{name: "first, of nothing", body: `{"name":"Gus","title":"Guest","state":"WA"}`, caller: "guest", match: `"0-AAAAAAAAAAAAAAAA"`, first: 201, again: 200, look: "/people?name=G"},
			{name: "first", body: `{"name":"Gus","title":"Guest","state":"WA"}`, caller: "guest", first: 201, again: 200, look: "/people?name=G"},
			{name: "metadata", body: `{"name":"Olga","metadata":{"a":1}}`, caller: "owner", first: 200, look: "/people/me"},
			{name: "change", body: `{"name":"Olga B","title":"Director","state":"TX"}`, caller: "owner", first: 200, look: "/people?had_title=Chief"},
		},
	},
	{
		route:     "PATCH /people/me",
		unaudited: "is of no room; a change of a title, state or day of hiring stays in the person's history",
		roles:     []row{{body: `{"name":"x"}`}},
		faults: []faultSample{
			{name: "change", body: `{"title":"Director"}`, caller: "owner", first: 200, look: "/people?had_title=Chief"},
			{name: "change what is unchanged", body: `{"title":"Director"}`, caller: "owner", match: `"1-AAAAAAAAAAAAAAAA"`, first: 200, look: "/people?had_title=Chief"},
			{name: "first", body: `{"title":"Guest"}`, caller: "guest", first: 200, look: "/people/me"},
		},
	},
	{
		route:     "POST /people/me/picture",
		unaudited: "is of no room, and changes nothing: PATCH /people/me shows the picture",
		roles:     []row{{body: `{"type":"image/png","bytes":1,"sha256":"` + fileSum + `"}`}},
		faults:    []faultSample{{name: "announced", body: `{"type":"image/png","bytes":1,"sha256":"` + fileSum + `"}`, caller: "guest", first: 200, drawn: true, look: "/people/me"}},
	},
	{
		route:     "POST /devices/{device}/events",
		unaudited: "is itself a log",
		roles:     []row{{body: `{"events":[{"type":"error","at":"2018-08-29T12:00:00Z"}]}`}},
		faults:    []faultSample{{name: "report", body: `{"events":[{"type":"connection","at":"2018-08-29T11:00:00Z","detail":"same instant"},{"type":"error","id":"{event}"},{"type":"delivery","at":"2018-08-29T11:30:00Z"}]}`, caller: "member", first: 200, look: "/devices/phone/events"}},
	},
	{route: "GET /devices/{device}/events", roles: []row{{}}, faults: []faultSample{{name: "read", caller: "member", first: 200}}},
}

// bulkOperations have one entry in each sample, because the entries of a request are concurrent.
var hookOperations = []operationRequests{
	{
		route:     "PUT /hooks/{hook}",
		unaudited: "is of no room and of no person",
		roles:     []row{{body: "{}"}},
		faults: []faultSample{
			{name: "new", path: "/hooks/new", body: `{"rooms":["seattle"]}`, caller: "desk", service: true, first: 201, again: 200},
			{name: "changed", path: "/hooks/desk", body: `{"prefix":"sea"}`, caller: "desk", service: true, first: 200},
			{name: "with an address", path: "/hooks/newsent", body: `{"url":"https://example.com/hook"}`, caller: "desk", service: true, first: 201, again: 200, unsafe: "the secret was lost with the first answer; replacing it shows another"},
			{name: "with another address", path: "/hooks/sent", body: `{"url":"https://example.com/other"}`, caller: "desk", service: true, first: 200},
		},
	},
	{
		route: "GET /hooks/{hook}", roles: []row{{}},
		faults: []faultSample{
			{name: "own", path: "/hooks/desk", caller: "desk", service: true, first: 200},
			{name: "with an address", path: "/hooks/sent", caller: "desk", service: true, first: 200},
		},
	},
	{route: "GET /hooks", roles: []row{{}}, faults: []faultSample{{name: "own", caller: "desk", service: true, first: 200}}},
	{
		route:     "DELETE /hooks/{hook}",
		unaudited: "is of no room and of no person",
		roles:     []row{{}},
		faults:    []faultSample{{name: "own", path: "/hooks/desk", caller: "desk", service: true, first: 204, again: 404}},
	},
	{
		route:     "POST /hooks/{hook}/replay",
		unaudited: "is of no room and of no person",
		roles:     []row{{body: `{"from":"2018-08-29T12:00:00Z"}`}},
		faults: []faultSample{
			{name: "own", path: "/hooks/desk/replay", body: `{"from":"2018-08-29T00:00:00Z"}`, caller: "desk", service: true, first: 204},
			{name: "from the future", path: "/hooks/desk/replay", body: `{"from":"2099-08-29T12:00:00Z"}`, caller: "desk", service: true, first: 422},
		},
	},
	{
		route:     "POST /hooks/{hook}/test",
		unaudited: "is of no room and of no person",
		roles:     []row{{}},
		faults: []faultSample{
			{name: "own", path: "/hooks/sent/test", caller: "desk", service: true, first: 204},
			{name: "of a hook that is fetched", path: "/hooks/desk/test", caller: "desk", service: true, first: 409},
		},
	},
	{
		route:     "POST /hooks/{hook}/secret",
		unaudited: "is of no room and of no person",
		roles:     []row{{}},
		faults:    []faultSample{{name: "own", path: "/hooks/sent/secret", caller: "desk", service: true, first: 200, unsafe: "the secret was lost with the first answer, so a retry replaces it again"}},
	},
	{
		route: "GET /hooks/{hook}/changes", roles: []row{{}},
		faults: []faultSample{
			{name: "what waits", path: "/hooks/desk/changes?received=none", caller: "desk", service: true, first: 200},
		},
	},
}

var bulkOperations = []operationRequests{
	{
		route:     "POST /bulk/people",
		unaudited: "is of no room, as PUT /people/me",
		roles:     []row{{body: `{"items":[{"user":"guest","name":"x"}]}`}},
		faults: []faultSample{
			{name: "new", body: `{"items":[{"user":"guest","name":"Gus","title":"Guest"}]}`, caller: "desk", service: true, first: 200, look: "/people/guest"},
			{name: "change", body: `{"items":[{"user":"owner","name":"Olga B","state":"TX"}]}`, caller: "desk", service: true, first: 200, look: "/people/me"},
		},
	},
	{
		route:     "POST /bulk/rooms",
		unaudited: "each room's audit has its entry, as for PUT /rooms/{room}",
		roles:     []row{{body: `{"items":[{"id":"new"}]}`}},
		faults: []faultSample{
			{name: "new", body: `{"items":[{"id":"new","topic":"x"}]}`, caller: "desk", service: true, audited: true, first: 200, look: "/rooms/new"},
			{name: "change", body: `{"items":[{"id":"depot","topic":"x"}]}`, caller: "desk", service: true, audited: true, first: 200, look: "/rooms/depot"},
		},
	},
	{
		route:     "POST /bulk/memberships",
		unaudited: "each room's audit has its entries, as for PUT /rooms/{room}/members/{user}",
		roles:     []row{{body: `{"items":[{"room":"new","user":"guest","role":"member"}]}`}},
		faults: []faultSample{
			{name: "member", body: `{"items":[{"room":"seattle","user":"guest","role":"member"}]}`, caller: "desk", service: true, first: 200, look: "/rooms/seattle/members"},
			{name: "strict", body: `{"strict":true,"items":[{"room":"depot","user":"owner","role":"member"}]}`, caller: "desk", service: true, first: 200, look: "/rooms/depot/members"},
			{name: "moderator", body: `{"items":[{"room":"depot","user":"guest","role":"moderator"}]}`, caller: "desk", service: true, first: 200, look: "/rooms/depot/members"},
		},
	},
}

var searchOperations = []operationRequests{
	{
		route: "GET /search",
		roles: []row{
			{query: "?q=x"},
			{what: "in the room", query: "?q=x+in:{room}"},
		},
		faults: []faultSample{
			{name: "of one's rooms", path: "/search?q=re&around=true", caller: "member", first: 200},
			{name: "in a private room", path: "/search?q=x+in:{private}", caller: "member", first: 200},
			{name: "by a filter", path: "/search?q=has:file", caller: "owner", first: 200},
		},
	},
	{
		route:  "GET /rooms/{room}/search",
		roles:  []row{{query: "?q=x"}},
		faults: []faultSample{{name: "as a guest", path: "/rooms/seattle/search?q=twice", caller: "guest", first: 200}},
	},
}

// named fills in the parameters of paths that have the same value in every room.
var named = strings.NewReplacer("{doc}", "rules", "{part}", "one", "{n}", "1", "{device}", "phone", "{emoji}", thumb, "{hook}", "desk")

// clientIDs fills in the ids that clients generate.
var clientIDs = strings.NewReplacer("{sent}", sentID, "{fresh}", freshID, "{reply}", replyID, "{old}", oldID, "{file}", fileID, "{loose}", looseID)

// faultSetup creates the items that exist before each sample, through the API. private and direct
// are the ids of its private room and of a direct room, and token is an invitation's.
func faultSetup(t *testing.T, old, now *api) (private, direct, token, secret string) {
	t.Helper()
	old.want(t, 201, "PUT", "/rooms/seattle", `{"shards":2,"place":["USA","WA"]}`, userHeader, "owner")
	old.want(t, 201, "PUT", "/rooms/slow", `{"slowModeSeconds":60}`, userHeader, "owner")
	old.want(t, 201, "POST", "/rooms/slow/messages", `{"id":"`+oldID+`","text":"x"}`, userHeader, "member")
	old.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+oldID+`","text":"`+oldText+`"}`, userHeader, "member")
	now.want(t, 204, "PUT", "/people/me/blocks/owner", "", userHeader, "muted")
	now.want(t, 201, "PUT", "/people/me", `{"name":"Olga","title":"Chief","state":"CA"}`, userHeader, "owner")
	now.want(t, 201, "PUT", "/rooms/depot", "", service...)
	now.want(t, 201, "PUT", "/rooms/archived", `{"archived":true}`, userHeader, "owner")
	for _, role := range []string{"moderator", "member", "muted", "banned"} {
		now.giveRole(t, "/rooms/seattle", role, role, 201)
	}
	now.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+sentID+`","text":"x"}`, userHeader, "member")
	now.upload(t, "seattle", fileID, "moderator")
	now.upload(t, "seattle", looseID, "member")
	now.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+sentID+`","text":"","attachments":["`+fileID+`"]}`, userHeader, "moderator")
	now.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+sentID+`","text":"y","poll":{"options":["a","b"]}}`, userHeader, "owner")
	now.want(t, 204, "PUT", "/rooms/seattle/messages/"+sentID+"~owner/vote", `{"choices":[1]}`, userHeader, "moderator")
	now.want(t, 200, "PUT", "/rooms/seattle/messages/"+sentID+"~member/reactions/"+thumb, "", userHeader, "owner")
	now.want(t, 200, "PATCH", "/rooms/seattle/messages/"+sentID+"~owner", `{"text":"twice"}`, userHeader, "owner", "If-Match", `"1"`)
	now.want(t, 201, "PUT", "/rooms/seattle/documents/rules/parts/one", `{"text":"one"}`, userHeader, "owner")
	now.want(t, 200, "PUT", "/rooms/seattle/documents/rules/parts/one", `{"text":"two"}`, userHeader, "owner", "If-Match", `"1"`)
	now.want(t, 200, "POST", "/devices/phone/events", `{"events":[{"type":"connection","at":"2018-08-29T11:00:00Z"}]}`, userHeader, "member")
	now.want(t, 201, "POST", "/rooms/seattle/messages/"+sentID+"~owner/reports", `{"reason":"spam"}`, userHeader, "moderator")
	now.want(t, 204, "PUT", "/rooms/seattle/messages/"+sentID+"~owner/pin", "", userHeader, "owner")
	now.want(t, 204, "PUT", "/people/me/saved/seattle/"+sentID+"~member", "", userHeader, "member")
	now.want(t, 200, "PUT", "/people/suspended/suspension", `{"reason":"spam"}`, userHeader, "desk", serviceHeader, "yes")
	now.want(t, 201, "PUT", "/hooks/desk", "{}", userHeader, "desk", serviceHeader, "yes")
	now.want(t, 201, "PUT", "/hooks/sent", `{"url":"https://example.com/hook"}`, userHeader, "desk", serviceHeader, "yes")
	now.want(t, 201, "PUT", "/rooms/seattle/hooks/desk", `{"url":"https://example.com/hook"}`, userHeader, "owner")
	now.want(t, 202, "DELETE", "/people/deleted", "", userHeader, "desk", serviceHeader, "yes")
	private = now.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`, userHeader, "owner").body["id"].(string)
	now.want(t, 201, "PUT", "/rooms/"+private+"/members/member", `{"role":"member"}`, userHeader, "owner")
	direct = now.want(t, 201, "POST", "/rooms", `{"direct":["member"]}`, userHeader, "owner").body["id"].(string)
	now.want(t, 201, "PUT", "/rooms/p-desk", "", service...)
	now.want(t, 201, "PUT", "/rooms/p-desk/members/member", `{"role":"member"}`, service...)
	left := now.want(t, 201, "POST", "/rooms", `{"direct":["member","muted"]}`, userHeader, "owner").body["id"].(string)
	for _, user := range []string{"owner", "member"} {
		now.want(t, 204, "DELETE", "/rooms/"+left+"/members/me", "", userHeader, user)
	}
	now.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+replyID+`","text":"re","thread":"`+sentID+`~owner"}`, userHeader, "member")
	token = now.want(t, 201, "POST", "/rooms/seattle/invites", `{"role":"moderator","maxUses":2}`, userHeader, "owner").body["token"].(string)
	secret = now.want(t, 201, "POST", "/rooms/seattle/incoming", `{"name":"Alerts"}`, userHeader, "owner").body["secret"].(string)
	return private, direct, token, secret
}

// thumb is 👍 in a path.
const thumb = "%F0%9F%91%8D"
