package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/account"
	"example.com/parley/internal/archive"
	"example.com/parley/internal/archive/slack"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/people"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/reaction"
)

// object is a JSON object of an export.
type object map[string]any

// exported is an export that a test makes up, by the names of its files.
type exported map[string][]object

// user returns a user of an export.
func user(id, handle string, more ...object) object {
	return with(object{"id": id, "name": handle, "profile": object{"real_name": strings.ToUpper(handle)}}, more...)
}

// general returns a list with the channel general.
func general(more ...object) []object {
	return []object{with(object{"id": "C1", "name": "general", "members": []string{"U1", "U2"}}, more...)}
}

// said returns a message, some seconds after a time.
func said(user string, second int, text string, more ...object) object {
	return with(object{"type": "message", "user": user, "text": text, "ts": stampOf(second)}, more...)
}

func stampOf(second int) string { return fmt.Sprintf("%d.123456", 1650000000+second) }

func with(o object, more ...object) object {
	for _, m := range more {
		for name, value := range m {
			o[name] = value
		}
	}
	return o
}

// day is the file of messages in general.
const day = "general/2022-04-15.json"

// team returns an export of two people in general with messages.
func team(messages ...object) exported {
	return exported{"users.json": {user("U1", "ada"), user("U2", "ben")}, "channels.json": general(), day: messages}
}

// edited returns the mark of an edit.
func edited(second int) object { return object{"edited": object{"user": "U1", "ts": stampOf(second)}} }

// load imports an export.
func (e exported) load(t *testing.T, store *dynamo.Store, o slack.Options, more ...func(*archive.Options)) archive.Report {
	t.Helper()
	a, err := slack.Open(e.write(t), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }() // it was only read
	var log bytes.Buffer
	options := options(&log)
	for _, change := range more {
		change(&options)
	}
	r, err := archive.Load(t.Context(), store, a, options)
	if err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	return r
}

// write writes an export into a folder.
func (e exported) write(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, list := range e {
		data, err := json.Marshal(list)
		if err == nil {
			err = os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// listed returns the messages that a room lists, as "user: text".
func listed(t *testing.T, store chat.Store, room chat.RoomID) (all []string) {
	t.Helper()
	messages, more, err := store.Messages(t.Context(), chat.MessageRange{Room: room, Order: chat.Oldest, Limit: 200})
	if err != nil || more {
		t.Fatal(more, err)
	}
	for _, m := range messages {
		text := m.Text
		if m.Deleted() {
			text = "(deleted)"
		}
		all = append(all, string(m.ID.User)+": "+text)
	}
	return all
}

func wantListed(t *testing.T, store chat.Store, room chat.RoomID, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, listed(t, store, room)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", room, diff)
	}
}

// A later export of a workspace in which names have changed adds only new content.
func TestLoad_LaterExportAddsWhatIsNew(t *testing.T) {
	t.Parallel()
	bot := object{"type": "message", "subtype": "bot_message", "bot_id": "B1", "username": "ci", "text": "built", "ts": stampOf(3)}
	first := team(said("U1", 1, "hi <@U2> and <@U9>"), said("U9", 2, "from outside"), bot)
	for why, c := range map[string]struct {
		change func(exported)
		rooms  []chat.RoomID
	}{
		"a handle":                 {change: func(e exported) { e["users.json"][0]["name"] = "ada.lovelace" }},
		"a name":                   {change: func(e exported) { e["users.json"][1]["profile"] = object{"real_name": "Benedict"} }},
		"a user is listed":         {change: func(e exported) { e["users.json"] = append(e["users.json"], user("U9", "eve")) }},
		"a user is listed no more": {change: func(e exported) { e["users.json"] = e["users.json"][:1] }},
		"a bot gets an account": {change: func(e exported) {
			e["users.json"] = append(e["users.json"], user("U5", "ci", object{"is_bot": true, "profile": object{"bot_id": "B1"}}))
		}},
		"a channel is renamed": {change: func(e exported) {
			e["channels.json"][0]["name"] = "everybody"
			e["everybody/2022-04-15.json"] = e[day]
			delete(e, day)
		}},
		"another channel has its name": {change: func(e exported) {
			e["channels.json"] = append(e["channels.json"], object{"id": "C2", "name": "general"})
			e["channels.json"][0]["name"] = "old"
			e["old/2022-04-15.json"] = e[day]
			e[day] = []object{said("U1", 9, "in the new one")}
		}, rooms: []chat.RoomID{"general-2"}},
	} {
		t.Run(why, func(t *testing.T) {
			t.Parallel()
			store := newStore(t)
			checkCounts(t, copied(first).load(t, store, slack.Options{}), 3, 0, 0)
			later := copied(first)
			later[day] = append(later[day], said("U2", 4, "new"))
			c.change(later)
			r := later.load(t, store, slack.Options{})
			checkCounts(t, r, 1+len(c.rooms), 3, 0)
			wantListed(t, store, "general", "U1: hi @BEN and @U9", "U9: from outside", "B1: built", "U2: new")
			for _, room := range c.rooms {
				wantListed(t, store, room, "U1: in the new one")
			}
			if r.Members.Added > 0 {
				t.Errorf("members are %+v", r.Members)
			}
		})
	}
}

// copied returns a deep copy.
func copied(e exported) exported {
	data, err := json.Marshal(e)
	var c exported
	if err != nil || json.Unmarshal(data, &c) != nil {
		panic("an export is JSON")
	}
	return c
}

// A text that was edited in Slack becomes a version, unless the message was changed here.
func TestLoad_EditedSince(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	const texts = 4
	var first []object
	for i := range texts {
		first = append(first, said("U1", i, fmt.Sprint("text ", i)))
	}
	team(first...).load(t, store, slack.Options{})
	own := messageOf(t, store, "U1", "text 1")
	if _, ok, err := store.ReviseMessage(t.Context(), own, own.Edited("changed here", time.Unix(1650000050, 0))); !ok || err != nil {
		t.Fatal(ok, err)
	}
	gone := messageOf(t, store, "U1", "text 2")
	if _, ok, err := store.ReviseMessage(t.Context(), gone, gone.Tombstone("U1", time.Now())); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for round, want := range []int{1, 1, 0} { // the third export is the second one again
		second := 100 * min(round+1, 2)
		var later []object
		for i := range texts - 1 {
			later = append(later, said("U1", i, fmt.Sprint("edited in Slack ", second), edited(second)))
		}
		later = append(later, said("U1", texts-1, "another text without a mark of an edit"))
		r := team(later...).load(t, store, slack.Options{})
		if r.NewVersions != want || r.AlreadyThere != texts-want || r.Imported+r.SkippedTotal() > 0 {
			t.Errorf("round %d: %+v", round, r)
		}
		wantListed(t, store, "general", fmt.Sprint("U1: edited in Slack ", second), "U1: changed here", "U1: (deleted)", "U1: text 3")
	}
	m := messageOf(t, store, "U1", "edited in Slack 200")
	if m.Revision != 3 || m.EditedAt.Unix() != 1650000200 || m.Imported != 3 {
		t.Errorf("%+v", m)
	}
}

// A room that was deleted here stays deleted, also if its channel was renamed since.
func TestLoad_DeletedRoomStays(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	e := team(said("U1", 1, "a"))
	e.load(t, store, slack.Options{}, func(o *archive.Options) { o.Creator = "boss" })
	room, err := store.Room(t.Context(), "general")
	if err != nil {
		t.Fatal(err)
	}
	boss, err := store.Membership(t.Context(), "general", "boss")
	if err != nil || boss.Role != policy.Owner {
		t.Fatalf("%+v, %v", boss, err)
	}
	if ok, err := store.DeleteRoom(t.Context(), chat.RoomDeletion{Room: room, By: boss, At: time.Now()}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for _, name := range []string{"general", "everybody"} {
		later := exported{"users.json": e["users.json"], "channels.json": general(object{"name": name}), name + "/2022-04-15.json": {said("U1", 1, "a"), said("U1", 2, "b")}}
		r := later.load(t, store, slack.Options{})
		checkCounts(t, r, 0, 0, 2)
		if r.Skipped[archive.DeletedRoom] != 2 || r.Members.LeftOut[archive.DeletedRoom] != 2 {
			t.Errorf("%s: %v, %+v", name, r.Skipped, r.Members)
		}
		if _, err := store.Room(t.Context(), chat.RoomID(name)); chat.KindOf(err) != chat.NotFound {
			t.Errorf("%s is there: %v", name, err)
		}
	}
}

// Nobody who left or was deleted comes back, and somebody who joined in Slack since is a member.
func TestLoad_PeopleWhoLeftStayAway(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	e := team(said("U1", 1, "a"), said("U2", 2, "b"))
	e.load(t, store, slack.Options{})
	before, err := store.Membership(t.Context(), "general", "U1")
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := store.ChangeMembership(t.Context(), membership.Change{Before: before}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	erase(t.Context(), t, account.NewStore(store.Table()), "U3")
	e["users.json"] = append(e["users.json"], user("U3", "cyd"), user("U4", "dan"))
	e["channels.json"][0]["members"] = []string{"U1", "U2", "U3", "U4"}
	r := e.load(t, store, slack.Options{})
	checkGroup(t, "members", archive.Group{Added: 1, AlreadyThere: 1, LeftOut: map[archive.Reason]int{archive.LeftSince: 1, archive.Erased: 1}}, r.Members)
	checkGroup(t, "people", archive.Group{Added: 1, AlreadyThere: 2, LeftOut: map[archive.Reason]int{archive.Erased: 1}}, r.People)
	for user, in := range map[chat.UserID]bool{"U1": false, "U2": true, "U3": false, "U4": true} {
		if m, err := store.Membership(t.Context(), "general", user); err != nil || m.In() != in {
			t.Errorf("%s: %+v, %v", user, m, err)
		}
	}
	checkGroup(t, "members of one more import", archive.Group{AlreadyThere: 2, LeftOut: r.Members.LeftOut}, e.load(t, store, slack.Options{}).Members)
}

// A reaction that was removed here stays removed, whether an import put it with its message or later.
// New ones of a later export are added.
func TestLoad_RemovedReactionsStayAway(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	given := func(users ...string) object {
		return object{"reactions": []object{{"name": "wave", "users": users, "count": len(users)}}}
	}
	remove := func(user chat.UserID, m chat.Message) {
		t.Helper()
		existed, err := reaction.NewStore(store.Table()).Delete(t.Context(), reaction.Reaction{Room: m.Room, Message: m.ID, Emoji: "👋", User: user, ReceivedAt: m.ReceivedAt})
		if !existed || err != nil {
			t.Fatal(existed, err)
		}
	}
	// A single message, and two that are put together.
	for n, texts := range [][]string{{"one"}, {"two", "three"}} {
		e := team()
		for i, text := range texts {
			e[day] = append(e[day], said("U2", 10*n+i, text, given("U1")))
		}
		e.load(t, store, slack.Options{}, func(o *archive.Options) { o.Together = len(texts) })
		for i := range e[day] {
			e[day][i] = with(e[day][i], given("U1", "U2"))
		}
		count := len(texts)
		for _, text := range texts {
			remove("U1", messageOf(t, store, "U2", text))
		}
		removed := map[archive.Reason]int{archive.RemovedSince: count}
		checkGroup(t, "a later export", archive.Group{Added: count, LeftOut: removed}, e.load(t, store, slack.Options{}).Reactions)
		for _, text := range texts {
			remove("U2", messageOf(t, store, "U2", text))
		}
		removed = map[archive.Reason]int{archive.RemovedSince: 2 * count}
		checkGroup(t, "one more", archive.Group{LeftOut: removed}, e.load(t, store, slack.Options{}).Reactions)
	}
}

// erase deletes a person, as a service does.
func erase(ctx context.Context, t *testing.T, accounts account.Store, user chat.UserID) {
	t.Helper()
	if _, err := accounts.Suspend(ctx, user, account.Suspension{At: time.Now(), By: "desk"}); err != nil {
		t.Fatal(err)
	}
	if _, err := accounts.Erase(ctx, user, account.Erasure{At: time.Now(), By: "desk", Step: 1}); err != nil {
		t.Fatal(err)
	}
}

// People who had left Slack have a profile, no room, and cannot sign in. A map brings them back.
func TestLoad_PeopleWhoHadLeft(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	e := team(said("U2", 1, "bye"))
	e["users.json"][1]["deleted"] = true
	r := e.load(t, store, slack.Options{})
	checkGroup(t, "members", archive.Group{Added: 1}, r.Members)
	if r.LeftOut[slack.LeftMembers] != 1 {
		t.Errorf("left out %v", r.LeftOut)
	}
	for user, suspended := range map[chat.UserID]bool{"U1": false, "U2": true} {
		a, err := account.NewStore(store.Table()).CurrentAccount(t.Context(), user)
		if _, profile := people.NewStore(store.Table()).Person(t.Context(), user); err != nil || profile != nil || !a.Suspension.IsZero() != suspended {
			t.Errorf("%s: %+v, %v, %v", user, a, err, profile)
		}
	}
	mapped := e.load(t, store, slack.Options{People: []archive.Mapping{{From: "ben", To: "sub-2"}}})
	checkCounts(t, mapped, 0, 1, 0)
	if a, err := account.NewStore(store.Table()).CurrentAccount(t.Context(), "sub-2"); err != nil || !a.Suspension.IsZero() {
		t.Errorf("%+v, %v", a, err)
	}
}

// A reply without its root holds its place, which the root takes if a later export has it. A root
// of an earlier import needs no mark.
func TestLoad_RootOfALaterExport(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	reply := func(n int) object {
		return said("U1", n, fmt.Sprint("reply ", n), object{"thread_ts": stampOf(5), "parent_user_id": "U2"})
	}
	r := team(said("U1", 1, "a"), reply(6)).load(t, store, slack.Options{})
	checkCounts(t, r, 2, 0, 0)
	if r.Missing != 1 {
		t.Errorf("%d places", r.Missing)
	}
	wantListed(t, store, "general", "U1: a", "U2: (deleted)")
	later := team(said("U1", 1, "a"), said("U2", 5, "the root"), reply(6), reply(7), said("U2", 8, "to a", object{"thread_ts": stampOf(1), "parent_user_id": "U1"}))
	r = later.load(t, store, slack.Options{})
	checkCounts(t, r, 3, 2, 0)
	if r.Missing != 0 {
		t.Errorf("%d places", r.Missing)
	}
	wantListed(t, store, "general", "U1: a", "U2: the root")
	checkCounts(t, later.load(t, store, slack.Options{}), 0, 5, 0)

	only := team(said("U2", 9, "also to a", object{"thread_ts": stampOf(1), "parent_user_id": "U1"}))
	checkCounts(t, only.load(t, store, slack.Options{}), 1, 0, 0)
	root := messageOf(t, store, "U1", "a")
	var texts []string
	for _, user := range []chat.UserID{"U1", "U2"} {
		all, _, err := store.Messages(t.Context(), chat.MessageRange{Room: "general", User: user, Order: chat.Oldest, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			if m.Thread == root.ID {
				texts = append(texts, m.Text)
			}
		}
	}
	slices.Sort(texts)
	if !slices.Equal(texts, []string{"also to a", "to a"}) {
		t.Errorf("the thread of a has %q", texts)
	}
	if m := messageOf(t, store, "U2", "the root"); m.Deleted() || m.DeletedBy != "" || !m.EditedAt.IsZero() || m.Revision != 2 {
		t.Errorf("%+v", m)
	}
}

// The first message of a thread that was only a file stands with a sentence when the file is lost.
func TestLoad_RootWhoseFileIsLost(t *testing.T) {
	t.Parallel()
	store := newStore(t)
	lost := object{"files": []object{{"id": "F1", "mode": "tombstone"}}}
	r := team(said("U1", 1, "", lost), said("U1", 2, "", lost), said("U2", 3, "nice", object{"thread_ts": stampOf(1), "parent_user_id": "U1"})).load(t, store, slack.Options{})
	checkCounts(t, r, 2, 0, 1)
	wantListed(t, store, "general", "U1: a file that is no longer available")
	if r.Missing > 0 || r.Skipped[archive.EmptyText] != 1 {
		t.Errorf("%+v", r)
	}
}
