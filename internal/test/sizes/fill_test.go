package sizes_test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
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
	report        string
	filed         []string // ids of messages with files
}

// fill stores the largest items.
func (w *world) fill() (ids things) {
	w.Helper()
	w.must(person(owner), "PUT", room, settings(`,"shards":64,"receipts":true,"place":`+place))
	w.each(perShard*chat.MaxShards, func(i int) { w.put(w.message(i%chat.MaxShards, 20_000+i), chat.Message{}) })
	w.openStream()
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
