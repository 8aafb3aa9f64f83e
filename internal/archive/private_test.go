package archive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/policy"
)

// confidential returns an export with a private channel, two direct conversations and two of
// groups.
func confidential() exported {
	e := team(said("U1", 1, "public"))
	var many []string
	for i := range 12 {
		id := fmt.Sprint("U", i+1)
		many = append(many, id)
		if i > 1 {
			e["users.json"] = append(e["users.json"], user(id, fmt.Sprint("user", i+1)))
		}
	}
	e["users.json"][1]["is_admin"] = true
	e["groups.json"] = []object{{"id": "G1", "name": "board", "members": []string{"U1", "U2"}, "is_archived": true}}
	e["dms.json"] = []object{{"id": "D1", "members": []string{"U1", "U2"}}, {"id": "D2", "members": []string{"U1"}}}
	e["mpims.json"] = []object{
		{"id": "G2", "name": "mpdm-ada--ben--user3-1", "members": many[:3]}, {"id": "G3", "name": "mpdm-all-1", "members": many},
	}
	for folder, text := range map[string]string{"board": "board", "D1": "two", "D2": "note", "mpdm-ada--ben--user3-1": "three", "mpdm-all-1": "twelve"} {
		e[folder+"/2022-04-15.json"] = []object{said("U1", 2, text)}
	}
	return e
}

// roomsOf returns the rooms of a person by the text of their first message.
func roomsOf(t *testing.T, store *dynamo.Store, user chat.UserID) map[string]chat.Room {
	t.Helper()
	own, _, err := inbox.NewStore(store.Table()).OwnRooms(t.Context(), user, nil)
	if err != nil {
		t.Fatal(err)
	}
	rooms := map[string]chat.Room{}
	for _, m := range own {
		room, err := store.Room(t.Context(), m.Room)
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(listed(t, store, m.Room)[0], ": ")
		rooms[text] = room
	}
	return rooms
}

// Private conversations are counted, and imported only if that is asked for.
func TestLoad_PrivateConversations(t *testing.T) {
	t.Parallel()
	store, e := newStore(t), confidential()
	without := e.load(t, store, slack.Options{})
	checkCounts(t, without, 1, 0, 5)
	if without.Skipped[slack.NotPublic] != 5 {
		t.Errorf("skipped %v", without.Skipped)
	}
	if rooms := roomsOf(t, store, "U1"); len(rooms) != 1 {
		t.Errorf("rooms are %v", rooms)
	}
	checkCounts(t, e.load(t, store, slack.Options{Private: true}), 5, 1, 0)
	rooms := roomsOf(t, store, "U1")
	for text, want := range map[string]chat.Room{
		"public": {Name: "general"}, "board": {Name: "board", Private: true, Archived: true}, "note": {Name: "ADA", Private: true},
		"two":    {Private: true, Direct: []chat.UserID{"U1", "U2"}},
		"three":  {Private: true, Direct: []chat.UserID{"U1", "U2", "U3"}},
		"twelve": {Private: true, Name: rooms["twelve"].Name},
	} {
		got := rooms[text]
		if got.Name != want.Name || got.Private != want.Private || got.Archived != want.Archived || !slices.Equal(got.Direct, want.Direct) || got.ID.Private() != want.Private {
			t.Errorf("%s: %+v", text, got)
		}
		if strings.Contains(string(got.ID), "board") || want.Private && len(got.ID) != len("p-")+20 {
			t.Errorf("%s has the id %s", text, got.ID)
		}
	}
	if !strings.HasPrefix(rooms["twelve"].Name, "ADA, BEN, USER3, ") {
		t.Errorf("the room of twelve is called %q", rooms["twelve"].Name)
	}
	for user, n := range map[chat.UserID]int{"U1": 6, "U2": 5, "U3": 2, "U12": 1} {
		if got := roomsOf(t, store, user); len(got) != n {
			t.Errorf("%s is in %d rooms, want %d", user, len(got), n)
		}
	}
	again := e.load(t, store, slack.Options{Private: true})
	checkCounts(t, again, 0, 6, 0)
	if again.Members.Added > 0 || again.People.Added > 0 {
		t.Errorf("another import added %+v", again)
	}
	other := newStore(t)
	e.load(t, other, slack.Options{Private: true})
	if roomsOf(t, other, "U1")["board"].ID == rooms["board"].ID {
		t.Error("the id of a private room can be computed without the key of the store")
	}
}

// Direct messages come into the room that these people already have, and imported ones count as
// read.
func TestLoad_DirectMessagesMeetTheirRoom(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	room := chat.Room{
		ID: "p-abcdefghij0123456789", Private: true, Direct: []chat.UserID{"U1", "s2"}, CreatedBy: "U1", CreatedAt: time.Unix(1, 0).UTC(), Shards: 1, DigestKey: make([]byte, 32),
	}
	var members []chat.Membership
	for _, user := range room.Direct {
		members = append(members, chat.Membership{Room: room.ID, User: user, Name: string(user), Role: policy.Member, JoinedAt: room.CreatedAt})
	}
	if ok, err := store.CreateDirectRoom(t.Context(), room, members); !ok || err != nil {
		t.Fatal(ok, err)
	}
	o := slack.Options{Private: true, People: []archive.Mapping{{From: "U2", To: "s2"}}}
	checkCounts(t, confidential().load(t, store, o), 6, 0, 0)
	wantListed(t, store, room.ID, "U1: two")
	for _, user := range []chat.UserID{"U1", "U3"} {
		three := roomsOf(t, store, user)["three"]
		if m, err := store.Membership(t.Context(), three.ID, user); err != nil || m.Count != 1 || m.Name == string(user) {
			t.Errorf("%s has the membership %+v, %v", user, m, err)
		}
	}
}

// Slack's owners and admins own the rooms that they are in. Nobody else does, unless the command
// says who.
func TestLoad_Owners(t *testing.T) {
	t.Parallel()
	store, e := newStore(t), confidential()
	e.load(t, store, slack.Options{Private: true})
	rooms := roomsOf(t, store, "U1")
	for text, want := range map[string]map[chat.UserID]policy.Role{
		"public": {"U1": policy.Member, "U2": policy.Owner, archive.Importer: policy.Stranger},
		"board":  {"U1": policy.Member, "U2": policy.Owner, archive.Importer: policy.Stranger},
		"twelve": {"U2": policy.Owner}, "note": {"U1": policy.Owner, "U2": policy.Stranger}, "two": {"U1": policy.Member, "U2": policy.Member},
	} {
		for user, role := range want {
			if m, err := store.Membership(t.Context(), rooms[text].ID, user); err != nil || m.In() != (role != policy.Stranger) || m.In() && m.Role != role {
				t.Errorf("%s in %s: %+v, %v, want %v", user, text, m, err, role)
			}
		}
	}
	e["users.json"][1]["is_admin"] = false
	store = newStore(t)
	for range 2 { // a second import states an owner for the rooms of the first
		e.load(t, store, slack.Options{Private: true})
		e.load(t, store, slack.Options{Private: true}, func(o *archive.Options) { o.Creator = "boss" })
	}
	rooms = roomsOf(t, store, "U1")
	for text, owns := range map[string]bool{"public": true, "board": true, "note": false, "two": false} {
		if m, err := store.Membership(t.Context(), rooms[text].ID, "boss"); err != nil || m.In() != owns || owns && m.Role != policy.Owner {
			t.Errorf("the stated owner in %s: %+v, %v", text, m, err)
		}
	}
}

// A channel that is private now has a private room, even if an earlier export showed it.
func TestLoad_ChannelBecamePrivate(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	e := team(said("U1", 1, "a"))
	e.load(t, store, slack.Options{})
	e["groups.json"], e["channels.json"] = e["channels.json"], []object{}
	e[day] = append(e[day], said("U1", 2, "secret"))
	e.load(t, store, slack.Options{Private: true})
	wantListed(t, store, "general", "U1: a")
	if room := roomsOf(t, store, "U2")["a"]; room.ID == "" {
		t.Error("the members have no room")
	}
	for _, room := range roomsOf(t, store, "U2") {
		if room.Private {
			wantListed(t, store, room.ID, "U1: a", "U1: secret")
		}
	}
}
