package chat_test

import (
	"sync"
	"testing"

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
