package sizes_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/httpapi"
)

// row is the largest request for a route, by the owner unless user is set.
type row struct {
	route   string
	path    string
	body    string
	user    string
	service bool
	ifMatch string
	// bulk means that the body has a thousand entries.
	bulk bool
	// page means that the answer is a list, whose large items fill it.
	page bool
	// links means that the read function answers with links.
	links bool
	// items is how many the list has on all its pages; 0 if that is not checked.
	items int
}

// rows returns a request for each route. Routes that need only a path have none of their own.
func (w *world) rows(ids things) []row {
	reads, writes := w.reads(ids), w.writes(ids)
	own := slices.Concat(reads, writes)
	for _, r := range described(w.T) {
		if !slices.ContainsFunc(own, func(o row) bool { return o.route == r.route }) {
			r.path = ids.named(r.path)
			reads = append(reads, r)
		}
	}
	return append(reads, writes...)
}

// described returns a request for each operation without a body, with its largest page.
func described(t *testing.T) (all []row) {
	t.Helper()
	text, err := httpapi.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if op.RequestBody != nil {
				continue
			}
			r := row{route: method + " " + path, path: path}
			if op.Parameters.GetByInAndName("query", "limit") != nil {
				r.path, r.page = path+"?limit=200", true
			}
			if r.page && op.Parameters.GetByInAndName("query", "include") != nil {
				r.path += "&include=people"
			}
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b row) int { return strings.Compare(a.route, b.route) })
	return all
}

// named fills in the parameters of a path.
func (ids things) named(path string) string {
	return strings.NewReplacer("{room}", string(roomID), "{id}", ids.root, "{user}", "me", "{doc}", "doc", "{part}", "p0", "{n}", "1", "{device}", "phone").Replace(path)
}

func (w *world) reads(ids things) []row {
	root, edited := room+"/messages/"+ids.root, room+"/messages/"+ids.edited
	threads := 1 + min(w.list, 100)
	mentions := w.list - (w.list+chat.MaxShards-1)/chat.MaxShards // without those by the owner
	filed, _ := json.Marshal(ids.filed)                           // strings
	const all = "?limit=200"
	const named = all + "&include=people"
	return []row{
		{route: "GET /rooms/{room}", path: room + "?include=people&include=count"},
		{route: "GET /rooms/{room}/members/{user}", path: room + "/members/" + person(1)},
		{route: "POST /rooms/{room}/attachments/links", path: room + "/attachments/links", body: `{"messages":` + string(filed) + `}`, links: true},
		{route: "GET /people/me/mentions", path: "/people/me/mentions" + all, page: true, items: mentions},
		{route: "GET /rooms/{room}/messages", path: room + "/messages" + named, page: true},
		{route: "GET /rooms/{room}/messages", path: room + "/messages" + named + "&order=desc", page: true},
		{route: "GET /rooms/{room}/messages", path: room + "/messages" + named + "&around=" + ids.root, page: true},
		{route: "GET /rooms/{room}/messages/{id}", path: edited},
		{route: "GET /rooms/{room}/messages/{id}/versions", path: edited + "/versions" + all, page: true},
		{route: "GET /rooms/{room}/messages/{id}/reactions", path: root + "/reactions" + named + "&emoji=" + emoji[0], page: true},
		{route: "GET /reports", path: "/reports" + all, service: true, page: true},
		{route: "PUT /people/{user}/suspension", path: "/people/nobody/suspension", body: `{"reason":"` + strings.Repeat("r", account.MaxReason) + `"}`, service: true},
		{route: "GET /people/{user}/suspension", path: "/people/nobody/suspension", service: true},
		{route: "DELETE /people/{user}/suspension", path: "/people/nobody/suspension", service: true},
		{route: "DELETE /people/{user}", path: "/people/nobody", service: true},
		{route: "GET /people/{user}/audit", path: "/people/nobody/audit" + all, service: true, page: true},
		{route: "GET /rooms/{room}/threads", path: room + "/threads" + named, page: true, items: threads},
		{route: "GET /people/me/threads", path: "/people/me/threads" + named, page: true, items: threads},
		{route: "GET /search", path: "/search?q=has:file&limit=50&around=true", page: true},
		{route: "GET /rooms/{room}/search", path: room + "/search?q=has:file&limit=50&around=true", page: true},
		{route: "GET /search", path: "/search?q=a&limit=50&around=true", page: true},
		{route: "GET /rooms/{room}/search", path: room + "/search?q=a&limit=50", page: true},
		{route: "GET /people", path: "/people" + all + "&name=n", page: true},
		{route: "GET /invites/{token}", path: "/invites/" + ids.token},
		{route: "GET /people/me/blocks", path: "/people/me/blocks", page: true},
	}
}

func (w *world) writes(ids things) []row {
	root := room + "/messages/" + ids.root
	users, _ := json.Marshal(w.mentioned()) // strings
	mentions := string(users)
	choices, _ := json.Marshal(options()) // strings
	message := `"text":"` + textJSON + `","metadata":` + metadata + `,"mentions":` + mentions
	event := fmt.Sprintf(`{"type":"%s","at":%q,"detail":"%s"}`, strings.Repeat("e", 32), w.begun.Format("2006-01-02T15:04:05.000Z"), strings.Repeat(`\"`, 1000))
	events := `{"events":[` + event + strings.Repeat(","+event, 24) + `]}`
	profile := `{"name":"` + name + `","title":"` + name + `","status":{"text":"` + name + `"},"metadata":` + metadata + `}`
	const new = "/rooms/new"
	return []row{
		{route: "PUT /rooms/{room}", path: new, body: settings(`,"place":` + place)},
		{route: "PATCH /rooms/{room}", path: new, body: settings(`,"place":` + place)},
		{route: "POST /rooms", path: "/rooms", body: settings(`,"visibility":"private"`)},
		{route: "PUT /rooms/{room}/members/{user}", path: room + "/members/" + person(3000), body: `{"role":"banned","reason":"` + strings.Repeat(`\"`, 500) + `"}`},
		{route: "DELETE /rooms/{room}/members/{user}", path: room + "/members/" + person(3000)},
		{route: "POST /rooms/{room}/invites", path: ids.privateRoom() + "/invites", body: `{"maxUses":1000}`},
		{route: "DELETE /rooms/{room}/invites/{invite}", path: ids.privateRoom() + "/invites/" + ids.invite},
		{route: "POST /rooms/{room}/messages", path: room + "/messages", body: `{"quote":"` + ids.root + `","thread":"` + ids.root + `",` + message + `}`},
		{route: "POST /rooms/{room}/messages", path: room + "/messages", body: `{"text":"?","poll":{"options":` + string(choices) + `}}`},
		{route: "POST /rooms/{room}/uploads", path: room + "/uploads", body: w.announcement()},
		{route: "PATCH /rooms/{room}/messages/{id}", path: root, body: `{` + message + `}`},
		{route: "PUT /rooms/{room}/messages/{id}/reactions/{emoji}", path: root + "/reactions/%F0%9F%98%85"},
		{route: "DELETE /rooms/{room}/messages/{id}/reactions/{emoji}", path: root + "/reactions/%F0%9F%98%85"},
		{route: "PUT /rooms/{room}/messages/{id}/vote", path: root + "/vote", body: `{"choices":[0,1,2,3,4,5,6,7,8,9]}`},
		{route: "POST /rooms/{room}/messages/{id}/reports", path: root + "/reports", body: `{"reason":"` + topic + `"}`},
		{route: "PATCH /rooms/{room}/reports/{report}", path: room + "/reports/" + ids.report, body: `{"resolved":true}`},
		{route: "PUT /rooms/{room}/messages/{id}/read", path: root + "/read", body: `{"seq":1}`},
		{route: "PUT /rooms/{room}/read", path: room + "/read", body: `{"unreadFrom":"` + ids.root + `"}`},
		{route: "PATCH /people/me/notifications", path: "/people/me/notifications", body: `{"level":"all"}`},
		{route: "PUT /people/{user}/rooms/{room}", path: "/people/me" + room, body: `{"favorite":true,"muted":true}`},
		{route: "PUT /people/me", path: "/people/me", body: profile},
		{route: "PATCH /people/me", path: "/people/me", body: profile},
		{route: "POST /people/me/picture", path: "/people/me/picture", body: `{"type":"image/webp",` + fileJSON + `}`},
		{route: "PUT /people/{user}", path: "/people/" + person(3000), body: profile, service: true},
		{route: "POST /bulk/people", path: "/bulk/people", body: entries(`{"user":"bulk-%d","name":"` + name + `","title":"` + name + `"}`), service: true, bulk: true},
		{route: "POST /bulk/rooms", path: "/bulk/rooms", body: entries(`{"id":"bulk-%d","name":"` + name + `"}`), service: true, bulk: true},
		{route: "POST /bulk/memberships", path: "/bulk/memberships", body: entries(`{"room":"` + string(roomID) + `","user":"bulk-%d","role":"member"}`), service: true, bulk: true},
		{route: "PUT /people/me/blocks/{user}", path: "/people/me/blocks/" + person(3000)},
		{route: "DELETE /people/me/blocks/{user}", path: "/people/me/blocks/" + person(3000)},
		{route: "PUT /rooms/{room}/documents/{doc}", path: room + "/documents/new", body: `{"title":"` + name + `"}`},
		{route: "PATCH /rooms/{room}/documents/{doc}", path: room + "/documents/new", body: `{"title":"` + name + `"}`},
		{route: "PUT /rooms/{room}/documents/{doc}/parts/{part}", path: room + "/documents/doc/parts/p0", ifMatch: `"1"`, body: `{"text":"` + textJSON + `"}`},
		{route: "POST /devices/{device}/events", path: "/devices/laptop/events", body: events},
		{route: "DELETE /rooms/{room}/messages/{id}", path: room + "/messages/" + ids.edited},
		{route: "PUT /rooms/{room}/owner", path: room + "/owner", body: `{"user":"` + person(1) + `"}`},
		{route: "POST /invites/{token}", path: "/invites/" + ids.token, user: "guest"},
		{route: "DELETE /rooms/{room}", path: new},
	}
}

func (ids things) privateRoom() string { return "/rooms/" + ids.private }

// mentioned are as many people as a message may mention.
func (w *world) mentioned() (users []chat.UserID) {
	for i := range min(chat.MaxMentions, w.list) {
		users = append(users, chat.UserID(person(i)))
	}
	return users
}

// entries returns the body of a bulk request with a thousand entries of a form.
func entries(form string) string {
	var all []string
	for i := range 1000 {
		all = append(all, fmt.Sprintf(form, i))
	}
	return `{"items":[` + strings.Join(all, ",") + `]}`
}
