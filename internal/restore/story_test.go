package restore_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/notify"
	"example.com/parley/internal/policy"
)

// story is a table with every kind of item, a restore point, and later changes.
type story struct {
	*live
	point time.Time
	board chat.RoomID

	direct chat.RoomID // of ann and bob
	over   []string    // texts of rooms that were deleted before or after the point

	acknowledged []string // texts from before the point that were never deleted
	after        []string // texts from after it that were never deleted
	deleted      []string // texts of messages deleted before or after it

	plain, edited, often []chat.Message // two of each
}

// begin makes all changes up to the restore point.
func begin(t *testing.T) *story {
	t.Helper()
	s := &story{live: newWorld(t).live("old")}
	s.room("seattle", 4)
	s.board = s.private()
	for _, user := range []chat.UserID{"second", "mod", "ann", "bob", "cid", "dan", "eve"} {
		s.person(user, "Name of "+string(user), "Director")
		s.member(user, "seattle", user, policy.Member)
		s.member("owner", s.board, user, policy.Member)
	}
	s.person("ann", "Ann", "Architect") // a former title
	s.member("owner", s.board, "second", policy.Owner)
	s.member("owner", s.board, "mod", policy.Moderator)
	s.member("owner", "seattle", "troll", policy.Banned)
	s.direct = s.open("ann", "bob")
	s.removed("cid", s.open("ann", "bob", "cid"), "cid")
	for _, room := range []chat.RoomID{"seattle", s.board} {
		s.keep(s.post("eve", room))
		s.keep(s.reply("bob", s.post("eve", room)))
		s.plain = append(s.plain, s.post("ann", room))
		s.edited = append(s.edited, s.edit(s.post("bob", room)))
		s.often = append(s.often, s.edit(s.edit(s.post("cid", room))))
		s.pin(s.plain[len(s.plain)-1])
		gone := s.post("ann", room)
		s.remove("ann", gone)
		s.deleted = append(s.deleted, gone.Text)
		gone = s.edit(s.post("ann", room))
		s.remove("owner", gone)
		s.deleted = append(s.deleted, gone.Text)
		s.part(room, 0)
		s.part(room, 1)
		s.read("bob", room)
		s.prefer("bob", room, inbox.Preferences{Favorite: true})
		s.prefer("dan", room, inbox.Preferences{Level: notify.Choice{Level: notify.Mentions}})
	}
	for _, room := range []chat.RoomID{"gone", "going"} {
		s.room(room, 1)
		s.member("ann", room, "ann", policy.Member)
		m := s.post("ann", room)
		s.over = append(s.over, m.Text)
		s.pin(m)
		s.part(room, 0)
		s.read("ann", room)
	}
	s.end("gone")
	if _, err := s.Activity.AppendEvents(t.Context(), "ann", "phone", []activity.EventDraft{{At: s.now, Type: "connection"}}); err != nil {
		t.Fatal(err)
	}
	s.pump()
	s.passes(time.Minute)
	s.point = s.now
	s.snapshot("old", "restored")
	s.passes(time.Minute)
	return s
}

// end deletes a room.
func (l *live) end(room chat.RoomID) {
	l.Helper()
	l.pump()
	if err := l.DeleteRoom(l.Context(), "owner", room, nil); err != nil {
		l.Fatal(err)
	}
	l.passes(time.Second)
}

func (s *story) keep(m chat.Message) { s.acknowledged = append(s.acknowledged, m.Text) }

// goOn makes the changes after the restore point. They include every kind of removal.
func (s *story) goOn() {
	s.Helper()
	for i, room := range []chat.RoomID{"seattle", s.board} {
		for _, m := range []chat.Message{s.plain[i], s.edited[i], s.edit(s.often[i])} {
			s.remove("owner", m)
			s.deleted = append(s.deleted, m.Text)
		}
		gone := s.post("eve", room)
		s.remove("eve", gone)
		s.deleted = append(s.deleted, gone.Text)
		m := s.post("ann", room)
		s.after = append(s.after, m.Text, s.edit(m).Text)
		s.part(room, 2)
		s.read("bob", room)
		s.prefer("bob", room, inbox.Preferences{})
		s.member("owner", room, "dan", policy.Banned)
		s.member("owner", room, "cid", policy.Muted)
		s.pump() // in a segment of its own
		s.member("owner", room, "cid", policy.Member)
		s.removed("owner", room, "cid")
		s.member("owner", room, "bob", policy.Muted)
		s.removed("eve", room, "eve")
		s.member("owner", room, "new", policy.Member)
	}
	s.over = append(s.over, s.post("ann", "going").Text)
	s.end("going")
	s.room("brief", 1)
	s.end("brief")
	s.member("owner", "seattle", "stranger", policy.Banned) // never a member of the room
	s.removed("bob", s.direct, "bob")
	s.member("owner", s.board, "mod", policy.Member)
	s.member("owner", s.board, "second", policy.Member)
	s.person("ann", "Ann", "Director of Architecture")
	s.pump()
	s.passes(time.Minute)
}

// wantTexts checks the texts of the story in a table.
func (s *story) wantTexts(name string, after bool) {
	s.Helper()
	dump := s.dump(name)
	for _, text := range s.acknowledged {
		if !holds(dump, text) {
			s.Errorf("%s was acknowledged before the restore point and is missing", text)
		}
	}
	for _, text := range s.deleted {
		if holds(dump, text) {
			s.Errorf("%s was deleted and can be read", text)
		}
	}
	for _, text := range s.after {
		if holds(dump, text) != after {
			s.Errorf("%s, written after the restore point, is there: %v", text, !after)
		}
	}
}

// wantRoles checks the roles in the private room, and its readers.
func (s *story) wantRoles(l *live) {
	s.Helper()
	for user, may := range map[chat.UserID]bool{"owner": true, "ann": true, "bob": true, "dan": false, "cid": false, "eve": false} {
		_, err := l.Messages(s.Context(), user, chat.MessageQuery{Room: s.board, Limit: 10})
		if may != (err == nil) {
			s.Errorf("%s reads the private room: %v", user, err)
		}
	}
	listed := must[chat.Page[chat.Membership]](s.world)(l.Members.Members(s.Context(), "owner", s.board, chat.PageRequest{Limit: 100}))
	for _, m := range listed.Items {
		if m.User == "dan" || m.User == "cid" || m.User == "eve" {
			s.Errorf("%s is listed as %v of the private room", m.User, m.Role)
		}
	}
	if _, _, err := l.PostMessage(s.Context(), "bob", s.board, chat.MessageDraft{Text: "x"}); chat.KindOf(err) != chat.Forbidden {
		s.Errorf("bob, who is muted, posts: %v", err)
	}
	if _, _, err := l.Members.SetMember(s.Context(), "second", chat.MemberOf{Room: s.board, User: "ann"}, policy.Muted); chat.KindOf(err) != chat.Forbidden {
		s.Errorf("second, who is no owner any more, administers: %v", err)
	}
	if _, _, err := l.Members.SetMember(s.Context(), "stranger", chat.MemberOf{Room: "seattle", User: "stranger"}, policy.Member); err == nil {
		s.Error("stranger, who is banned, joins")
	}
}

func (s *story) wantSame(what string, before map[string]string, name string) {
	s.Helper()
	if diff := cmp.Diff(before, s.dump(name)); diff != "" {
		s.Errorf("%s changed something\n%s", what, diff)
	}
}
