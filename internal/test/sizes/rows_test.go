package sizes_test

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"example.com/parley/internal/account"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/people"
)

// owner is the number of the person who has everything.
const owner = 0

var (
	// roomID is the room of everything, and room its path.
	roomID = chat.RoomID(strings.Repeat("r", chat.MaxRoomID))
	room   = "/rooms/" + string(roomID)
	// text is the largest text: JSON writes each of its bytes in six.
	text     = "x" + strings.Repeat("\x01", chat.MaxText-1)
	textJSON = "x" + strings.Repeat(`\u0001`, chat.MaxText-1)
	metadata = `{"m":"` + strings.Repeat(`x`, chat.MaxMetadata-8) + `"}`
	// name is the longest name. JSON writes two bytes for each of its bytes, except the one to
	// find it by.
	name  = "n" + strings.Repeat(`\"`, chat.MaxName-1)
	topic = strings.Repeat(`\"`, chat.MaxTopic)
	place = `["` + strings.Repeat("p", chat.MaxPlaceLevel) + `"` + strings.Repeat(`,"`+strings.Repeat("p", chat.MaxPlaceLevel)+`"`, chat.MaxPlaceLevels-1) + `]`
	// sum is a checksum, and fileJSON the fields of a file that has it.
	sum      = base64.StdEncoding.EncodeToString(make([]byte, 32))
	fileJSON = `"bytes":5,"sha256":"` + sum + `"`
	// emoji are some reactions.
	emoji = []string{"%F0%9F%91%8D", "%F0%9F%98%80"}
)

// settings are the largest settings of a room.
func settings(more string) string {
	return `{"name":"` + name + `","topic":"` + topic + `","metadata":` + metadata + more + `}`
}

// things are the ids of what fill has created.
type things struct {
	root, edited  string // ids of messages
	private       string // a room
	invite, token string

	secret, webhook, removed string // a webhook of the large room, its id, and the id of another one
	report                   string
	filed                    []string // ids of messages with files
}

// fill stores the largest items.
func (w *world) fill() (ids things) {
	w.Helper()
	w.must(person(owner), "PUT", room, settings(`,"shards":64,"receipts":true,"place":`+place))
	w.each(perShard*chat.MaxShards, func(i int) { w.put(w.message(i%chat.MaxShards, 20_000+i), chat.Message{}) })
	w.openStream()
	sent := hook.Settings{URL: "https://example.com/hook"}
	if _, _, _, err := w.services.Hooks.Put(w.Context(), hook.ForService(chat.UserID(person(owner))), "sent", sent); err != nil {
		w.Fatal(err)
	}
	if _, _, _, err := w.services.Hooks.Put(w.Context(), hook.ForService(chat.UserID(person(owner))), "all", hook.Settings{}); err != nil {
		w.Fatal(err)
	}
	w.each(w.list, w.addPerson)
	w.each(w.list, w.addRooms)
	ids.root, ids.edited = w.message(owner, 0).String(), w.message(owner, 1).String()
	w.put(w.message(owner, 0), chat.Message{}, w.mentioned()...)
	w.put(w.message(owner, 1), chat.Message{})
	w.pump()
	w.each(w.list, func(i int) {
		w.put(w.message(i%chat.MaxShards, 2+i), chat.Message{Quote: w.message(owner, 0)}, w.mentioned()[0])
	})
	w.each(min(w.list, chat.MaxShards), func(i int) { w.put(w.message(i%chat.MaxShards, 5000+i), chat.Message{Thread: w.message(owner, 0)}) })
	w.each(min(w.list, 100), w.addThread)
	w.pump()
	for n := range 6 {
		w.must(person(owner), "PATCH", room+"/messages/"+ids.edited, fmt.Sprintf(`{"text":"%d%s"}`, n, textJSON[6:]))
	}
	w.each(w.list, func(i int) { w.mark(ids, i) })
	w.each(min(w.list, 100), func(i int) { w.addDocument(i) })
	w.each(min(w.list, 50), func(int) { w.must(person(owner), "POST", room+"/invites", `{}`) })
	made := w.must(person(owner), "POST", room+"/incoming", `{"name":"`+name+`"}`)
	ids.secret, ids.webhook = made.Secret, made.ID
	ids.removed = w.must(person(owner), "POST", room+"/incoming", `{"name":"`+name+`"}`).ID
	ids.private = w.must(person(owner), "POST", "/rooms", settings(`,"visibility":"private"`)).ID
	ids.invite = w.must(person(owner), "POST", ids.privateRoom()+"/invites", `{}`).ID
	ids.token = w.must(person(owner), "POST", ids.privateRoom()+"/invites", `{"maxUses":1000}`).Token
	ids.report = w.must(person(1), "POST", room+"/messages/"+ids.edited+"/reports", `{"reason":"again"}`).ID
	w.each(attachment.MaxLinks/chat.MaxAttachments, func(i int) { w.put(w.message(owner, 30_000+i), chat.Message{Attachments: files()}) })
	for i := range attachment.MaxLinks / chat.MaxAttachments {
		ids.filed = append(ids.filed, w.message(owner, 30_000+i).String())
	}
	w.each(50, func(i int) { w.put(w.message(owner, 31_000+i), chat.Message{Text: repeated, Attachments: files()}) })
	w.pump()
	return ids
}

// repeated is a text that has a word as often as possible.
var repeated = strings.Repeat("a ", chat.MaxText/2)

// fileName is a name that a link has in both forms, the second one with three bytes for each byte.
var fileName = strings.Repeat("é", attachment.MaxName/2)

// files returns the most and largest files of a message.
func files() (all []chat.Attachment) {
	for range chat.MaxAttachments {
		all = append(all, chat.Attachment{
			ID: uuid.New(), Name: fileName, Type: "video/" + strings.Repeat("v", attachment.MaxType-6), Bytes: 100 << 20, Width: attachment.MaxPixels, Height: attachment.MaxPixels,
			Alt: strings.Repeat("\x01", attachment.MaxAlt), Placeholder: make([]byte, attachment.MaxPlaceholder), Preview: true,
		})
	}
	return all
}

// announcement is the largest body of post-upload.
func (w *world) announcement() string {
	return `{"id":"` + chat.NewUUID(w.begun, [10]byte{}).String() + `","name":"` + fileName + `","type":"video/` + strings.Repeat("v", attachment.MaxType-6) + `",` + fileJSON +
		`,"alt":"` + strings.Repeat(`\u0001`, attachment.MaxAlt) + `","placeholder":"` + base64.StdEncoding.EncodeToString(make([]byte, attachment.MaxPlaceholder)) +
		`","preview":{"type":"image/webp",` + fileJSON + `}}`
}

// message returns the id of a message of a person. The ids of different n are different.
func (w *world) message(user, n int) chat.MessageID {
	return chat.MessageID{User: chat.UserID(person(user)), UUID: chat.NewUUID(w.begun.Add(-time.Hour), [10]byte{8: byte(n >> 8), 9: byte(n)})}
}

// put stores a message with the largest text, metadata and poll, received about an hour ago unless it
// states when. Each is received at a time of its own.
func (w *world) put(id chat.MessageID, m chat.Message, mentioned ...chat.UserID) {
	m.Room, m.ID, m.Text, m.Metadata = roomID, id, cmp.Or(m.Text, text), metadata
	if m.Revision, m.Digest = 1, make([]byte, 16); m.ReceivedAt.IsZero() {
		m.ReceivedAt = w.begun.Add(-time.Hour).Add(time.Duration(w.puts.Add(1)) * time.Millisecond)
	}
	m.Mentions.Users, m.Poll = mentioned, &chat.Poll{Options: options(), Multiple: true}
	if _, created, err := w.store.PutMessage(w.Context(), m); err != nil || !created {
		w.Errorf("put %v: %t, %v", id, created, err)
	}
}

// options returns the largest options of a poll.
func options() (all []string) {
	for i := range chat.MaxPollOptions {
		all = append(all, strings.Repeat("\x01", chat.MaxPollOption-1)+string(rune('0'+i)))
	}
	return all
}

// addPerson adds a member with the largest profile, and bans another person.
func (w *world) addPerson(i int) {
	user := person(i)
	w.must(user, "PUT", "/people/me", `{"name":"`+name+`","title":"`+name+`","avatar":"https://e.example/`+strings.Repeat("a", people.MaxAvatar-18)+
		`","status":{"text":"`+name+`"},"metadata":`+metadata+`}`)
	before, err := people.NewStore(w.store.Table()).Person(w.Context(), chat.UserID(user))
	if err != nil {
		w.Fatal(err)
	}
	after := before
	after.Picture, after.Revision = sum, before.Revision+1
	if ok, err := people.NewStore(w.store.Table()).PutPerson(w.Context(), before, after); !ok || err != nil {
		w.Errorf("give %s a picture: %t, %v", user, ok, err)
	}
	if i != owner {
		w.must(user, "PUT", room+"/members/me", `{"role":"member"}`)
	}
	w.must(person(owner), "PUT", room+"/members/"+person(1000+i), `{"role":"banned","reason":"`+strings.Repeat("r", 500)+`"}`)
	w.must(person(owner), "PUT", "/people/me/blocks/"+person(2000+i), "")
	detail := strings.Repeat(`\"`, 1000)
	w.must(person(owner), "POST", "/devices/phone/events", fmt.Sprintf(`{"events":[{"type":"error","at":%q,"detail":"%s"}]}`, w.begun.Add(-time.Duration(i)*time.Second).Format(time.RFC3339), detail))
}

// addRooms adds a room with the largest settings that the owner is in.
func (w *world) addRooms(i int) {
	w.must(person(owner), "PUT", fmt.Sprint("/rooms/", strings.Repeat("q", chat.MaxRoomID-4), 1000+i), settings(`,"place":`+place))
}

// addThread adds a message with a reply, which the owner follows.
func (w *world) addThread(i int) {
	root := w.message(owner, 10_000+i)
	w.put(root, chat.Message{})
	w.must(person(i%chat.MaxShards), "POST", room+"/messages", fmt.Sprintf(`{"text":"re","thread":%q}`, root))
	w.must(person(owner), "PUT", room+"/messages/"+root.String()+"/follow", "")
}

// mark reacts to a message and votes in its poll, saves, pins and reports another, and reads the room.
func (w *world) mark(ids things, i int) {
	user := person(i)
	for _, e := range emoji {
		w.must(user, "PUT", room+"/messages/"+ids.root+"/reactions/"+e, "")
	}
	w.must(user, "PUT", room+"/messages/"+ids.root+"/vote", `{"choices":[0,1,2,3,4,5,6,7,8,9]}`)
	other := w.message(i%chat.MaxShards, 2+i).String()
	w.must(person(owner), "PUT", "/people/me/saved/"+string(roomID)+"/"+other, "")
	if i < 99 {
		w.must(person(owner), "PUT", room+"/messages/"+other+"/pin", "")
	}
	w.must(user, "POST", room+"/messages/"+ids.root+"/reports", `{"reason":"`+topic+`"}`)
}

// addDocument adds a document with a large part, and a version and a part to the first one.
func (w *world) addDocument(i int) {
	part := `{"text":"` + textJSON + `"}`
	w.must(person(owner), "PUT", fmt.Sprintf("%s/documents/d%d", room, i), `{"title":"`+name+`"}`)
	w.must(person(owner), "PUT", fmt.Sprintf("%s/documents/doc/parts/p%d", room, i), part)
}

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
	return strings.NewReplacer("{room}", string(roomID), "{id}", ids.root, "{user}", "me", "{doc}", "doc", "{part}", "p0", "{n}", "1", "{device}", "phone", "{hook}", "all").Replace(path)
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
		{route: "PUT /hooks/{hook}", path: "/hooks/most", body: `{"rooms":["` + strings.Join(slices.Repeat([]string{strings.Repeat("r", 64)}, hook.MaxRooms), `","`) + `"]}`, service: true},
		{route: "GET /hooks/{hook}", path: "/hooks/all", service: true},
		{route: "GET /hooks", path: "/hooks", service: true},
		{route: "GET /hooks/{hook}/changes", path: "/hooks/all/changes?received=none", service: true},
		{route: "POST /hooks/{hook}/replay", path: "/hooks/all/replay", body: `{"from":"` + w.begun.Add(-time.Hour).Format(time.RFC3339) + `"}`, service: true},
		{route: "POST /hooks/{hook}/test", path: "/hooks/sent/test", service: true},
		{route: "POST /hooks/{hook}/secret", path: "/hooks/sent/secret", service: true},
		{route: "DELETE /hooks/{hook}", path: "/hooks/most", service: true},
		{route: "PUT /rooms/{room}/hooks/{hook}", path: room + "/hooks/ours", body: `{"url":"https://example.com/` + strings.Repeat("a", 1000) + `"}`},
		{route: "GET /rooms/{room}/hooks", path: room + "/hooks"},
		{route: "GET /rooms/{room}/hooks/{hook}", path: room + "/hooks/ours"},
		{route: "POST /rooms/{room}/hooks/{hook}/replay", path: room + "/hooks/ours/replay", body: `{"from":"` + w.begun.Add(-time.Hour).Format(time.RFC3339) + `"}`},
		{route: "POST /rooms/{room}/hooks/{hook}/test", path: room + "/hooks/ours/test"},
		{route: "POST /rooms/{room}/hooks/{hook}/secret", path: room + "/hooks/ours/secret"},
		{route: "DELETE /rooms/{room}/hooks/{hook}", path: room + "/hooks/ours"},
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
		{route: "GET /rooms/{room}/incoming", path: room + "/incoming"},
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
		{route: "POST /rooms/{room}/incoming", path: ids.privateRoom() + "/incoming", body: `{"name":"` + name + `"}`},
		{route: "DELETE /rooms/{room}/incoming/{incoming}", path: room + "/incoming/" + ids.removed},
		{route: "POST /in/{secret}", path: "/in/" + ids.secret + "?thread=disk-7", body: `{"text":"` + textJSON + `"}`},
		{route: "POST /rooms/{room}/incoming/{incoming}/secret", path: room + "/incoming/" + ids.webhook + "/secret"},
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
