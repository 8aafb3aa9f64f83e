package httpapi_test

import (
	"slices"
	"strings"
)

// row is a line of the matrix: a request for a route. A route has several if different rules apply
// to them.
type row struct {
	route string
	what  string // distinguishes the rows of one route
	query string // with its ?
	body  string // the request's body
	user  string // {user} in the path: "me", or one of the people below
	own   bool   // {id} is the caller's message instead of the owner's
	doc   string // {doc} in the path; default: rules, which has the room's permissions
}

// The people of the matrix beside its callers.
const (
	guest = "guest" // is not in the room, and has published facts about themself
	crew  = "crew"  // is a member
	boss  = "boss"  // is a moderator
	exile = "exile" // is banned
)

// rows has a request for every route that needs a token. A missing route fails the test. The things
// that a request names exist, so that 404 means hidden. The exception is to leave a room without
// being in it.
var rows = slices.Concat(rowsOfRooms, rowsOfMembers, rowsOfFeeds, rowsOfMessages, rowsOfThreads, rowsOfDocuments, rowsOfPeople, rowsOfDevices)

var rowsOfRooms = []row{
	{route: "PUT /rooms/{room}", body: `{"topic":"new"}`},
	{route: "PUT /rooms/{room}", what: "archive", body: `{"archived":true}`},
	{route: "GET /rooms/{room}"},
	{route: "GET /rooms/{room}", what: "with the count", query: "?include=count&include=people"},
	{route: "DELETE /rooms/{room}"},
	{route: "GET /rooms/{room}/audit"},
	{route: "POST /rooms", body: `{"visibility":"private","name":"x"}`},
	{route: "POST /rooms", what: "with a requestId", body: `{"visibility":"private","name":"x","requestId":"` + freshID + `"}`},
	{route: "POST /rooms", what: "direct", body: `{"direct":["another"]}`},
	{route: "GET /rooms"},
}

var rowsOfMembers = []row{
	{route: "GET /rooms/{room}/members"},
	{route: "GET /rooms/{room}/online"},
	{route: "GET /rooms/{room}/members/{user}", what: "oneself", user: "me"},
	{route: "GET /rooms/{room}/members/{user}", what: "a member", user: crew},
	{route: "GET /rooms/{room}/members/{user}", what: "one who is banned", user: exile},
	{route: "GET /rooms/{room}/members/{user}", what: "one who is not there", user: guest},
	{route: "GET /rooms/{room}/bans"},
	{route: "PUT /rooms/{room}/owner", body: `{"user":"crew"}`},
	{route: "POST /rooms/{room}/invites", body: `{}`},
	{route: "POST /rooms/{room}/invites", what: "moderators", body: `{"role":"moderator"}`},
	{route: "GET /rooms/{room}/invites"},
	{route: "DELETE /rooms/{room}/invites/{invite}"},
	{route: "POST /invites/{token}"},
	{route: "PUT /rooms/{room}/members/{user}", what: "join", body: `{"role":"member"}`, user: "me"},
	{route: "PUT /rooms/{room}/members/{user}", what: "promote oneself", body: `{"role":"owner"}`, user: "me"},
	{route: "PUT /rooms/{room}/members/{user}", what: "invite", body: `{"role":"member"}`, user: guest},
	{route: "PUT /rooms/{room}/members/{user}", what: "mute", body: `{"role":"muted"}`, user: crew},
	{route: "PUT /rooms/{room}/members/{user}", what: "make a moderator", body: `{"role":"moderator"}`, user: crew},
	{route: "PUT /rooms/{room}/members/{user}", what: "ban a moderator", body: `{"role":"banned"}`, user: boss},
	{route: "DELETE /rooms/{room}/members/{user}", what: "leave", user: "me"},
	{route: "DELETE /rooms/{room}/members/{user}", what: "remove a member", user: crew},
	{route: "DELETE /rooms/{room}/members/{user}", what: "remove a moderator", user: boss},
	{route: "DELETE /rooms/{room}/members/{user}", what: "lift a ban", user: exile},
}

var rowsOfFeeds = []row{
	{route: "GET /rooms/{room}/changes"},
	{route: "PUT /rooms/{room}/read", body: `{"seq":0}`},
	{route: "PUT /rooms/{room}/read", what: "a message", body: `{"message":"{id}"}`},
	{route: "PUT /rooms/{room}/read", what: "unread from", body: `{"unreadFrom":"{id}"}`},
}

var rowsOfMessages = []row{
	{route: "POST /rooms/{room}/messages", body: `{"text":"x"}`},
	{route: "POST /rooms/{room}/messages", what: "mention everyone", body: `{"text":"x","mentionRoom":true,"mentions":["eve"]}`},
	{route: "PATCH /rooms/{room}/messages/{id}", what: "one's own, mention everyone", body: `{"mentionRoom":true}`, own: true},
	{route: "GET /people/me/mentions"},
	{route: "GET /rooms/{room}/messages"},
	{route: "GET /rooms/{room}/messages/{id}"},
	{route: "GET /rooms/{room}/messages/{id}/versions"},
	{route: "PUT /rooms/{room}/messages/{id}/reactions/{emoji}"},
	{route: "GET /rooms/{room}/messages/{id}/reactions", query: "?emoji=%F0%9F%91%8D&include=people"},
	{route: "DELETE /rooms/{room}/messages/{id}/reactions/{emoji}"},
	{route: "PATCH /rooms/{room}/messages/{id}", what: "the owner's", body: `{"text":"y"}`},
	{route: "PATCH /rooms/{room}/messages/{id}", what: "one's own", body: `{"text":"y"}`, own: true},
	{route: "DELETE /rooms/{room}/messages/{id}", what: "the owner's"},
	{route: "PUT /rooms/{room}/messages/{id}/pin"},
	{route: "DELETE /rooms/{room}/messages/{id}/pin"},
	{route: "GET /rooms/{room}/pins"},
	{route: "PUT /people/me/saved/{room}/{id}"},
	{route: "DELETE /people/me/saved/{room}/{id}"},
	{route: "GET /people/me/saved"},
	{route: "POST /rooms/{room}/messages/{id}/reports", body: `{"reason":"spam"}`},
	{route: "PUT /rooms/{room}/reports/{report}", body: `{"resolved":true}`},
	{route: "GET /rooms/{room}/reports"},
	{route: "GET /reports"},
	{route: "DELETE /rooms/{room}/messages/{id}", what: "one's own", own: true},
}

var rowsOfThreads = []row{
	{route: "POST /rooms/{room}/messages", what: "a reply", body: `{"text":"x","thread":"{id}"}`},
	{route: "GET /rooms/{room}/messages/{id}/replies"},
	{route: "GET /rooms/{room}/threads"},
	{route: "PUT /rooms/{room}/messages/{id}/read", body: `{"seq":0}`},
	{route: "PUT /rooms/{room}/messages/{id}/follow"},
	{route: "DELETE /rooms/{room}/messages/{id}/follow"},
	{route: "GET /people/me/threads"},
}

var rowsOfDocuments = []row{
	{route: "GET /rooms/{room}/documents"},
	{route: "PUT /rooms/{room}/documents/{doc}", what: "make it", doc: "agenda"},
	{route: "PUT /rooms/{room}/documents/{doc}", what: "change it", body: `{"title":"new"}`},
	{route: "GET /rooms/{room}/documents/{doc}"},
	{route: "GET /rooms/{room}/documents/{doc}", what: "for moderators", doc: "minutes"},
	{route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", body: `{"text":"y"}`},
	{route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", what: "for moderators", body: `{"text":"y"}`, doc: "minutes"},
	{route: "GET /rooms/{room}/documents/{doc}/parts/{part}"},
	{route: "GET /rooms/{room}/documents/{doc}/parts/{part}", what: "for moderators", doc: "minutes"},
	{route: "GET /rooms/{room}/documents/{doc}/parts/{part}/versions"},
	{route: "GET /rooms/{room}/documents/{doc}/parts/{part}/versions/{n}"},
}

var rowsOfPeople = []row{
	{route: "GET /people"},
	{route: "GET /people/{user}", user: guest},
	{route: "PUT /people/me/blocks/{user}", user: guest},
	{route: "PUT /people/me/blocks/{user}", what: "oneself", user: "me"},
	{route: "DELETE /people/me/blocks/{user}", user: guest},
	{route: "GET /people/me/blocks"},
	{route: "GET /people/{user}/rooms", what: "one's own", user: "me"},
	{route: "GET /people/{user}/rooms", what: "another's", user: guest},
	{route: "PUT /people/{user}/suspension", body: `{"reason":"spam"}`, user: guest},
	{route: "GET /people/{user}/suspension", user: guest},
	{route: "DELETE /people/{user}/suspension", user: guest},
	{route: "GET /people/{user}/audit", user: guest},
	{route: "PUT /people/me", body: `{"name":"x"}`},
	{route: "PUT /people/me", what: "pass for a bot", body: `{"name":"x","kind":"bot"}`},
}

var rowsOfDevices = []row{
	{route: "POST /devices/{device}/events", body: `{"events":[{"type":"error","at":"2018-08-29T12:00:00Z"}]}`},
	{route: "GET /devices/{device}/events"},
}

// changesRoom reports whether the request may change a room, or what belongs to it.
func (r row) changesRoom() bool {
	ofRoom := strings.Contains(r.route, "{room}") || strings.Contains(r.route, "{token}")
	return ofRoom && !strings.HasPrefix(r.route, "GET ")
}

func (r row) String() string {
	if r.what == "" {
		return r.route
	}
	return r.route + ", " + r.what
}
