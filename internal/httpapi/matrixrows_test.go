package httpapi_test

// row is a line of the matrix: a request for a route, or one of several that fall under different
// rules.
type row struct {
	route string
	what  string // tells the rows of one route apart
	body  string // of the request; what is in braces is filled in, as in the path
	user  string // whom the path names: "me", or a person below
	own   bool   // {id} is a message of the caller's, else it is the owner's
	doc   string // {doc}; "rules" is as in the room
}

// The people of every room of the matrix beside its callers.
const (
	guest = "guest" // is not in the room, and has told of themself
	crew  = "crew"  // is a member
	boss  = "boss"  // is a moderator
	exile = "exile" // is banned
)

// rows has a request for every route that needs a token. A route that is missing here fails the
// test. Each request finds what it asks for, so that 404 is for the hidden alone, but for those who
// leave where they are not.
var rows = []row{
	{route: "PUT /rooms/{room}", body: `{"topic":"new"}`},
	{route: "GET /rooms/{room}"},
	{route: "GET /rooms/{room}/audit"},
	{route: "GET /rooms/{room}/members"},
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

	{route: "GET /rooms/{room}/changes"},
	{route: "PUT /rooms/{room}/read", body: `{"seq":0}`},
	{route: "POST /rooms/{room}/messages", body: `{"text":"x"}`},
	{route: "GET /rooms/{room}/messages"},
	{route: "GET /rooms/{room}/messages/{id}"},
	{route: "GET /rooms/{room}/messages/{id}/versions"},
	{route: "PATCH /rooms/{room}/messages/{id}", what: "the owner's", body: `{"text":"y"}`},
	{route: "PATCH /rooms/{room}/messages/{id}", what: "one's own", body: `{"text":"y"}`, own: true},
	{route: "DELETE /rooms/{room}/messages/{id}", what: "the owner's"},
	{route: "DELETE /rooms/{room}/messages/{id}", what: "one's own", own: true},

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

	{route: "POST /rooms", body: `{"visibility":"private","name":"x"}`},
	{route: "GET /rooms"},
	{route: "GET /people"},
	{route: "GET /people/{user}", user: guest},
	{route: "GET /people/{user}/rooms", what: "one's own", user: "me"},
	{route: "GET /people/{user}/rooms", what: "another's", user: guest},
	{route: "PUT /people/me", body: `{"name":"x"}`},
	{route: "POST /devices/{device}/events", body: `{"events":[{"type":"error","at":"2018-08-29T12:00:00Z"}]}`},
	{route: "GET /devices/{device}/events"},
}

func (r row) String() string {
	if r.what == "" {
		return r.route
	}
	return r.route + ", " + r.what
}
