package chat_test

import (
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

// twoProcesses returns the services of two processes on the same tables.
func twoProcesses(t *testing.T) (s, other *app.Services) {
	t.Helper()
	var options app.Options
	s, _ = chattest.NewWith(t, func(o *app.Options) {
		o.SendBurst = 1e6
		options = *o
	})
	return s, app.New(options)
}

func TestDeleteRoom_IsForOwners(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for user, role := range map[chat.UserID]policy.Role{"moderator": policy.Moderator, "member": policy.Member, "second": policy.Owner} {
		if err := chattest.SetRole(t, s, "maker", "seattle", user, role); err != nil {
			t.Fatal(err)
		}
	}
	for _, user := range []chat.UserID{"moderator", "member", "stranger"} {
		chattest.WantKind(t, string(user), s.DeleteRoom(t.Context(), user, "seattle", nil), chat.Forbidden)
	}
	if err := s.DeleteRoom(t.Context(), "second", "seattle", nil); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "a retry", s.DeleteRoom(t.Context(), "second", "seattle", nil), chat.NotFound)
	for _, user := range []chat.UserID{"maker", "second", "stranger"} {
		_, _, err := s.PutRoom(t.Context(), user, "seattle", chat.RoomDraft{})
		chattest.WantKind(t, "the id, by "+string(user), err, chat.Conflict)
	}
	id := chattest.CreatePrivateRoom(t, s, "maker")
	if err := s.DeleteRoom(t.Context(), "maker", id, nil); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.PutRoom(t.Context(), "maker", id, chat.RoomDraft{})
	chattest.WantKind(t, "a private id", err, chat.NotFound)
}

// TestDeleteRoom_HidesFromProcessesThatHaveItCached reads a deleted room in every way through a
// process that has the room cached.
func TestDeleteRoom_HidesFromProcessesThatHaveItCached(t *testing.T) {
	t.Parallel()
	s, other := twoProcesses(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if err := chattest.SetRole(t, s, "maker", "seattle", "banned", policy.Banned); err != nil {
		t.Fatal(err)
	}
	m := chattest.Post(t, other, "amsg", "cached")
	if err := s.DeleteRoom(t.Context(), "maker", "seattle", nil); err != nil {
		t.Fatal(err)
	}
	for name, err := range reads(t, other, m) {
		chattest.WantKind(t, name, err, chat.NotFound)
	}
	rooms, err := other.RoomsAt(t.Context(), "amsg", nil, chat.PageRequest{Limit: 10})
	if err != nil || len(rooms.Items) > 0 {
		t.Errorf("the directory has %+v, %v", rooms.Items, err)
	}
}

// reads returns the errors of all reads and changes of the room seattle, except posting.
func reads(t *testing.T, s *app.Services, m chat.Message) map[string]error {
	t.Helper()
	ctx, page, errs := t.Context(), chat.PageRequest{Limit: 10}, map[string]error{}
	_, errs["room"] = s.Room(ctx, "maker", "seattle")
	_, errs["messages"] = s.Messages(ctx, "amsg", chat.MessageQuery{Room: "seattle", Limit: 10})
	_, errs["messages, by a banned person"] = s.Messages(ctx, "banned", chat.MessageQuery{Room: "seattle", Limit: 10})
	_, errs["changes, by a banned person"] = s.Feed.Changes(ctx, "banned", "seattle", chat.FeedPosition{}, 10)
	_, errs["message"] = s.Message(ctx, "amsg", "seattle", m.ID)
	_, errs["versions"] = s.MessageVersions(ctx, "amsg", chat.VersionQuery{Room: "seattle", ID: m.ID, Page: page})
	_, errs["changes"] = s.Feed.Changes(ctx, "amsg", "seattle", chat.FeedPosition{}, 10)
	_, errs["members"] = s.Members.Members(ctx, "amsg", "seattle", page)
	_, errs["audit"] = s.Activity.AuditLog(ctx, "maker", "seattle", activity.LogQuery{PageRequest: page})
	_, errs["documents"] = s.Documents.Documents(ctx, "amsg", "seattle", page)
	_, errs["delete message"] = s.DeleteMessage(ctx, "maker", chat.Revision{Room: "seattle", ID: m.ID, Base: chat.AnyRevision})
	errs["join"] = chattest.SetRole(t, s, "bob", "seattle", "bob", policy.Member)
	return errs
}

// TestDeleteRoom_AgainstPostsAndJoins lets two processes post and join while the room is deleted.
// Once the deletion is acknowledged, nothing in the room is readable.
func TestDeleteRoom_AgainstPostsAndJoins(t *testing.T) {
	t.Parallel()
	s, other := twoProcesses(t)
	const rounds = 1000
	chattest.CreateRoom(t, s, "seattle", 4)
	m := chattest.Post(t, other, "amsg", "first")
	begin := make(chan struct{})
	var writers sync.WaitGroup
	for n := range 8 {
		writers.Go(func() {
			<-begin
			for i := range rounds / 8 {
				if (n+i)%4 == 0 {
					_, _, _ = s.Members.SetMember(t.Context(), "bob", chat.MemberOf{Room: "seattle", User: "bob"}, policy.Member)
					_ = s.Members.RemoveMember(t.Context(), "bob", chat.MemberOf{Room: "seattle", User: "bob"})
					continue
				}
				_, _, _ = other.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{Text: "x"})
			}
		})
	}
	close(begin)
	for chat.KindOf(s.DeleteRoom(t.Context(), "maker", "seattle", nil)) == chat.Unavailable {
		t.Log("busy: once more")
	}
	for range 20 {
		for name, err := range reads(t, other, m) {
			chattest.WantKind(t, name, err, chat.NotFound)
		}
	}
	writers.Wait()
	for name, err := range reads(t, other, m) {
		chattest.WantKind(t, name+", afterwards", err, chat.NotFound)
	}
}

// TestPutRoom_ArchivedReachesOtherProcesses posts through a process that has the room cached.
func TestPutRoom_ArchivedReachesOtherProcesses(t *testing.T) {
	t.Parallel()
	var store app.Options
	s, clock := chattest.NewWith(t, func(o *app.Options) { store = *o })
	other := app.New(store)
	chattest.CreateRoom(t, s, "seattle", 1)
	chattest.Post(t, other, "amsg", "cached")
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: new(true)}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(chat.RoomCacheAge - time.Millisecond)
	chattest.Post(t, other, "amsg", "within the age of the cache")
	clock.Advance(time.Millisecond)
	_, _, err := other.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{Text: "x"})
	chattest.WantKind(t, "after the age of the cache", err, chat.Forbidden)
}

func TestPrecondition_Check(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		p        *chat.Precondition
		exists   bool
		revision int
		same     bool
		want     chat.Kind
	}{
		{"none", nil, false, 0, false, 0},
		{"the current revision", &chat.Precondition{Revision: 3}, true, 3, false, 0},
		{"a former revision", &chat.Precondition{Revision: 2}, true, 3, false, chat.Stale},
		{"a former revision, by a change that changes nothing", &chat.Precondition{Revision: 2}, true, 3, true, 0},
		{"a later revision", &chat.Precondition{Revision: 4}, true, 3, false, chat.Stale},
		{"no profile yet", &chat.Precondition{}, false, 0, false, 0},
		{"no profile yet, and now there is one", &chat.Precondition{}, true, 1, false, chat.Stale},
		{"a profile that is deleted", &chat.Precondition{Revision: 1}, false, 0, false, chat.Stale},
		{"any", &chat.Precondition{Any: true}, true, 3, false, 0},
		{"any, and there is none", &chat.Precondition{Any: true}, false, 0, false, chat.Stale},
		{"absent", &chat.Precondition{Absent: true}, false, 0, false, 0},
		{"absent, and there is one", &chat.Precondition{Absent: true}, true, 0, false, chat.Stale},
		{"absent, and there is one with the content", &chat.Precondition{Absent: true}, true, 0, true, chat.Stale},
	} {
		if err := tt.p.Check(tt.exists, tt.revision, tt.same); chat.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestDeleteRoom_Precondition deletes a room only at its revision, also in another process.
func TestDeleteRoom_Precondition(t *testing.T) {
	t.Parallel()
	s, other := twoProcesses(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if _, err := other.PatchRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Topic: new("rain")}); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "a former revision", s.DeleteRoom(t.Context(), "maker", "seattle", &chat.Precondition{}), chat.Stale)
	if err := s.DeleteRoom(t.Context(), "maker", "seattle", &chat.Precondition{Revision: 1}); err != nil {
		t.Error(err)
	}
}

func TestCheckLine(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		line string
		good bool
	}{
		"letters":               {"Grüße ☃", true},
		"nothing":               {"", true},
		"a joined emoji":        {"👩\u200d🚀", true},
		"a line feed":           {"a\nb", false},
		"a line separator":      {"a\u2028b", false},
		"a paragraph separator": {"a\u2029b", false},
		"text turned around":    {"a\u202eb", false},
		"an isolate":            {"a\u2066b", false},
		"a direction mark":      {"a\u200fb", false},
		"no UTF-8":              {"a\xff", false},
		"a byte too much":       {"1234567890123", false},
	} {
		if err := chat.CheckLine("name", tt.line, 12); (err == nil) != tt.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPutRoom_NameIsNotBlank(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for name, want := range map[string]bool{"Seattle": true, "": false, "  ": false, "\u00a0\u2003": false} {
		if _, _, err := s.PutRoom(t.Context(), "amsg", "seattle", chat.RoomDraft{Name: &name}); (err == nil) != want || err != nil && chat.KindOf(err) != chat.Invalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}
