package archive_test

import (
	"bytes"
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/people"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/reaction"
)

// The messages and skips of slack/testdata/team, as team.golden lists them, and its people and
// programs, of whom U7 is only a member.
const (
	teamMessages = 21
	teamSkips    = 3
	teamPeople   = 4 + 4
	teamMembers  = 5
	// teamReactions are the reactions of U2, U2, U3 and U8.
	teamReactions = 4
)

func openTeam(t *testing.T, mapped ...archive.Mapping) *archive.Archive {
	t.Helper()
	a, err := slack.Open("slack/testdata/team", slack.Options{People: mapped})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// loadTeam loads slack/testdata/team and returns the report.
func loadTeam(t *testing.T, store *dynamo.Store, mapped ...archive.Mapping) archive.Report {
	t.Helper()
	var log bytes.Buffer
	r, err := archive.Load(t.Context(), store, openTeam(t, mapped...), options(&log))
	if err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	return r
}

func checkGroup(t *testing.T, name string, want, got archive.Group) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestLoad_PeopleAndMembers(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	first := loadTeam(t, store)
	checkCounts(t, first, teamMessages, 0, teamSkips)
	checkGroup(t, "people", archive.Group{Added: teamPeople}, first.People)
	checkGroup(t, "members", archive.Group{Added: teamMembers}, first.Members)
	if diff := cmp.Diff(map[archive.Reason]int{
		slack.DeletedFile: 1, slack.UnreadablePart: 1, slack.CustomEmoji: 1, slack.OfSkipped: 1, slack.Pins: 1,
		archive.BadTitle: 1, archive.BadAvatar: 1,
	}, first.LeftOut); diff != "" {
		t.Errorf("left out (-want +got):\n%s", diff)
	}
	again := loadTeam(t, store)
	checkCounts(t, again, 0, teamMessages, teamSkips)
	checkGroup(t, "people of a second import", archive.Group{AlreadyThere: teamPeople}, again.People)
	checkGroup(t, "members of a second import", archive.Group{AlreadyThere: teamMembers}, again.Members)

	for _, want := range []people.Person{
		{User: "U1", Name: "Ada Lovelace", Title: "Analyst", Avatar: "https://pictures.example/ada.png", Metadata: `{"handle":"ada"}`, Revision: 1},
		{User: "U2", Name: "Bobby", Metadata: `{"handle":"bob"}`, Revision: 1},
		{User: "U3", Name: "cyd", Metadata: `{"handle":"cyd"}`, Revision: 1},
		{User: "U4", Name: "Builder", Metadata: `{"handle":"builder"}`, Bot: true, Revision: 1},
		{User: "B9", Name: "Deploy Hook", Bot: true, Revision: 1},
	} {
		got, err := people.NewStore(store.Table()).Person(t.Context(), want.User)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("person (-want +got):\n%s", diff)
		}
	}
	members, _, err := store.Members(t.Context(), "general", chat.ListPosition{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]int64{}
	for _, m := range members {
		names[m.Name+", "+m.Role.String()] = m.Count
	}
	const inGeneral = teamMessages - 4 - 3 // without the messages of dev and the replies that the room does not list
	want := map[string]int64{"Ada Lovelace, member": inGeneral, "Bobby, member": inGeneral, "Builder, member": inGeneral}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("members with the messages that are not unread (-want +got):\n%s", diff)
	}
}

// A second import reads the reactions but writes none. Reactions to deleted messages are left out.
func TestLoad_Reactions(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	checkGroup(t, "reactions", archive.Group{Added: teamReactions}, loadTeam(t, store).Reactions)
	root := messageOf(t, store, "U1", "Lunch at noon?")
	got, err := reaction.NewStore(store.Table()).To(t.Context(), "general", root.ID)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, r := range got {
		lines = append(lines, r.Emoji+" "+string(r.User))
		if !r.ReceivedAt.Equal(root.ReceivedAt) {
			t.Errorf("%+v", r)
		}
	}
	if diff := cmp.Diff([]string{"❤ U8", "👍 U2", "👍 U3", "👏🏼 U2"}, lines); diff != "" {
		t.Errorf("reactions (-want +got):\n%s", diff)
	}
	checkGroup(t, "reactions of a second import", archive.Group{AlreadyThere: teamReactions}, loadTeam(t, store).Reactions)
	if _, ok, err := store.ReviseMessage(t.Context(), root, root.Tombstone("U1", root.ReceivedAt)); !ok || err != nil {
		t.Fatal(ok, err)
	}
	want := archive.Group{LeftOut: map[archive.Reason]int{archive.Deleted: teamReactions}}
	checkGroup(t, "reactions to a deleted message", want, loadTeam(t, store).Reactions)
}

// A message has at most chat.MaxEmoji emoji, including the store's.
func TestLoad_ReactionsWithinTheLimit(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	createTeamRooms(t, store)
	root := messageIDOf(t, "018e08b1-e4e2-70c8-94c3-10b6972f3f38~U1")
	var stored []reaction.Reaction
	for i := range chat.MaxEmoji - 1 { // one of them in the archive too, by somebody else
		key := "👍"
		if i > 0 {
			key = string(rune('🐀' + i))
		}
		stored = append(stored, reaction.Reaction{Room: "general", Message: root, Emoji: key, User: "eve", ReceivedAt: root.SentAt()})
	}
	if err := reaction.NewStore(store.Table()).PutAll(t.Context(), stored); err != nil {
		t.Fatal(err)
	}
	want := archive.Group{Added: teamReactions - 1, LeftOut: map[archive.Reason]int{archive.ManyEmoji: 1}}
	checkGroup(t, "reactions", want, loadTeam(t, store).Reactions)
}

func messageIDOf(t *testing.T, s string) chat.MessageID {
	t.Helper()
	id, err := chat.ParseMessageID(s)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// messageOf returns the message of a user with a text in general.
func messageOf(t *testing.T, store chat.Store, user chat.UserID, text string) chat.Message {
	t.Helper()
	all, _, err := store.Messages(t.Context(), chat.MessageRange{Room: "general", User: user, Order: chat.Oldest, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(m chat.Message) bool { return m.Text == text })
	if i < 0 {
		t.Fatalf("%s has no message %q", user, text)
	}
	return all[i]
}

// Replies join the threads of their roots wherever the map of people moves them, and broadcasts
// are also in the room. The same holds for one worker and for many.
func TestLoad_Threads(t *testing.T) {
	t.Parallel()
	to := []archive.Mapping{{From: "U1", To: "e129"}}
	for name, first := range map[string][]archive.Mapping{"no map": nil, "a map": to} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := newStore(t)
			var log bytes.Buffer
			o := options(&log)
			o.Workers = 1
			if _, err := archive.Load(t.Context(), store, openTeam(t, first...), o); err != nil {
				t.Fatal(err)
			}
			checkCounts(t, loadTeam(t, store, to...), 0, teamMessages, teamSkips)
			texts := map[string]chat.Message{}
			for _, user := range []chat.UserID{"U1", "U2", "U3", "e129"} {
				all, _, err := store.Messages(t.Context(), chat.MessageRange{Room: "general", User: user, Order: chat.Oldest, Limit: 100})
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range all {
					texts[m.Text] = m
				}
			}
			root := texts["Lunch at noon?"]
			for text, inRoom := range map[string]bool{
				"Yes, @Ada Lovelace": false, "one more for lunch": false,
				"The place is full, let us go at one": true, "a broadcast of an older export": true,
			} {
				if m := texts[text]; m.Thread != root.ID || m.ShowInRoom != inRoom {
					t.Errorf("%q is in the thread of %v and in the room %v, want %v and %v", text, m.Thread, m.ShowInRoom, root.ID, inRoom)
				}
			}
			m := texts["a reply whose beginning was deleted"]
			if first, err := store.Message(t.Context(), "general", m.Thread); err != nil || !first.Deleted() || first.Text != "" {
				t.Errorf("the first message of a thread that the export lacks: %+v, %v", first, err)
			}
		})
	}
}

// An import interrupted at any record is completed by the next.
func TestLoad_AfterAnInterruption(t *testing.T) {
	t.Parallel()
	for n := 1; n < teamMessages+teamSkips; n += 5 {
		store := newStore(t)
		ctx, cancel := context.WithCancel(t.Context())
		var log bytes.Buffer
		o, read := options(&log), 0
		o.Progress = func() {
			if read++; read == n {
				cancel()
			}
		}
		if _, err := archive.Load(ctx, store, openTeam(t), o); err == nil {
			t.Fatal("an interrupted import succeeded")
		}
		second := loadTeam(t, store)
		if got := second.Imported + second.AlreadyThere; got != teamMessages || second.Imported == 0 {
			t.Errorf("after %d records, the second import has %d messages, %d of them new", n, got, second.Imported)
		}
		third := loadTeam(t, store)
		checkCounts(t, third, 0, teamMessages, teamSkips)
		checkGroup(t, "people", archive.Group{AlreadyThere: teamPeople}, third.People)
		checkGroup(t, "members", archive.Group{AlreadyThere: teamMembers}, third.Members)
	}
}

// An import does not change profiles or lift bans or mutes.
func TestLoad_ExistingPeopleAreUnchanged(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	loadTeam(t, store)
	own, err := people.NewPerson("eve", people.Draft{Name: "Eve herself"})
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := people.NewStore(store.Table()).PutPerson(t.Context(), people.Person{User: "eve"}, own); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for user, after := range map[chat.UserID]chat.Membership{
		"U1": {Role: policy.Banned, Restore: policy.Member}, "U2": {Role: policy.Muted, Restore: policy.Member, Left: true},
		"U4": {Role: policy.Owner},
	} {
		before, err := store.Membership(t.Context(), "general", user)
		if err != nil {
			t.Fatal(err)
		}
		after.Room, after.User, after.Name, after.JoinedAt = "general", user, before.Name, before.JoinedAt
		if ok, err := store.ChangeMembership(t.Context(), membership.Change{Before: before, After: after}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	r := loadTeam(t, store, archive.Mapping{From: "U3", To: "eve"})
	checkGroup(t, "members", archive.Group{AlreadyThere: teamMembers - 2, LeftOut: map[archive.Reason]int{archive.Restricted: 2}}, r.Members)
	if p, err := people.NewStore(store.Table()).Person(t.Context(), "eve"); err != nil || p.Name != "Eve herself" || p.Revision != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	for user, want := range map[chat.UserID]policy.Role{"U1": policy.Banned, "U2": policy.Muted, "U4": policy.Owner} {
		if m, err := store.Membership(t.Context(), "general", user); err != nil || m.Role != want {
			t.Errorf("%s is %v, %v; want %v", user, m.Role, err, want)
		}
	}
}

// Messages, profiles and memberships of mapped people belong to their subjects. A map given after
// the first import duplicates no message.
func TestLoad_MappedPeople(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	to := []archive.Mapping{{From: "U1", To: "e129"}, {From: "bob", To: "e130"}}
	checkCounts(t, loadTeam(t, store, to...), teamMessages, 0, teamSkips)
	senders := sendersOf(t, store, "general")
	if senders["e129"] == 0 || senders["e130"] == 0 || senders["U1"]+senders["U2"] > 0 {
		t.Errorf("messages by sender: %v", senders)
	}
	if p, err := people.NewStore(store.Table()).Person(t.Context(), "e129"); err != nil || p.Name != "Ada Lovelace" {
		t.Errorf("%+v, %v", p, err)
	}
	if m, err := store.Membership(t.Context(), "dev", "e129"); err != nil || m.Role != policy.Member {
		t.Errorf("%+v, %v", m, err)
	}

	store = newStore(t)
	loadTeam(t, store)
	checkCounts(t, loadTeam(t, store, to...), 0, teamMessages, teamSkips)
	if senders := sendersOf(t, store, "general"); senders["e129"]+senders["e130"] > 0 {
		t.Errorf("messages by sender: %v", senders)
	}
}

func sendersOf(t *testing.T, store chat.Store, room chat.RoomID) map[chat.UserID]int {
	t.Helper()
	all, more, err := store.Messages(t.Context(), chat.MessageRange{Room: room, Order: chat.Oldest, Limit: 100})
	if err != nil || more {
		t.Fatal(more, err)
	}
	n := map[chat.UserID]int{}
	for _, m := range all {
		n[m.ID.User]++
	}
	return n
}

// createTeamRooms creates the rooms of slack/testdata/team, as an earlier import did.
func createTeamRooms(t *testing.T, store chat.Store) {
	t.Helper()
	room := chat.Room{CreatedBy: "import", CreatedAt: time.Unix(1, 0).UTC(), Shards: 1, DigestKey: make([]byte, 32)}
	for _, id := range []chat.RoomID{"general", "dev"} {
		room.ID = id
		if _, err := store.CreateRoom(t.Context(), room, chat.OwnerOf(room, "import")); err != nil {
			t.Fatal(err)
		}
	}
}
