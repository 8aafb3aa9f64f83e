package chat_test

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/policy"
	"parley/internal/test/chattest"
)

// TestSetMember_Permissions performs changes in order and checks the kind of error of each; 0 is
// success.
func TestSetMember_Permissions(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	const remove = policy.Stranger
	for i, step := range []struct {
		caller, user chat.UserID
		role         policy.Role
		want         chat.Kind
	}{
		{"ann", "ann", policy.Member, 0}, // joins
		{"ann", "ann", policy.Member, 0}, // is a member already
		{"ann", "ann", policy.Moderator, chat.Forbidden},
		{"ann", "bob", policy.Member, chat.Forbidden}, // a member may not invite
		{"maker", "ann", policy.Moderator, 0},
		{"ann", "bob", policy.Member, 0}, // a moderator may
		{"ann", "bob", policy.Muted, 0},
		{"bob", "bob", policy.Member, chat.Forbidden}, // cannot lift the mute
		{"ann", "bob", policy.Moderator, chat.Forbidden},
		{"ann", "maker", policy.Banned, chat.Forbidden},
		{"ann", "maker", remove, chat.Forbidden},
		{"maker", "maker", policy.Member, chat.Conflict},
		{"maker", "maker", remove, chat.Conflict},
		{"ann", "eve", policy.Banned, 0}, // a stranger
		{"eve", "eve", policy.Member, chat.Forbidden},
		{"eve", "eve", remove, chat.Forbidden}, // cannot leave a ban
		{"ann", "eve", remove, 0},              // lifts the ban
		{"eve", "eve", policy.Member, 0},
		{"bob", "bob", remove, 0}, // leaves
		{"bob", "bob", remove, chat.NotFound},
		{"maker", "carl", policy.Owner, 0},
		{"carl", "maker", policy.Member, 0}, // another owner may
		{"maker", "maker", remove, 0},       // and the creator may leave
		{"maker", "ann", remove, chat.Forbidden},
		{"carl", "nobody", remove, chat.NotFound},
	} {
		var err error
		if step.role == remove {
			err = s.RemoveMember(t.Context(), step.caller, chat.MemberOf{Room: "seattle", User: step.user})
		} else {
			err = chattest.SetRole(t, s, step.caller, "seattle", step.user, step.role)
		}
		if chat.KindOf(err) != step.want || (err != nil) != (step.want != 0) {
			t.Errorf("step %d, %s sets %s to %q: %v, want %v", i, step.caller, step.user, step.role, err, step.want)
		}
	}
	members, err := s.Members(t.Context(), "anyone", "seattle", chat.PageRequest{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range members.Items {
		got = append(got, string(m.User)+" "+m.Role.String())
	}
	if fmt.Sprint(got) != "[ann moderator carl owner eve member]" {
		t.Errorf("members %v", got)
	}
}

func TestRemoveMember_MuteOutlivesLeaving(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if err := chattest.SetRole(t, s, "maker", "seattle", "bob", policy.Muted); err != nil {
		t.Fatal(err)
	}
	post := func() error {
		_, _, err := s.PostMessage(t.Context(), "bob", "seattle", chat.MessageDraft{Text: "x"})
		return err
	}
	chattest.WantKind(t, "a muted member posts", post(), chat.Forbidden)
	if err := s.RemoveMember(t.Context(), "bob", chat.MemberOf{Room: "seattle", User: "bob"}); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "after leaving", post(), chat.Forbidden)
	if rooms, err := s.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 9}); err != nil || len(rooms.Items) != 0 {
		t.Errorf("rooms of a person who left: %+v, %v", rooms, err)
	}
	if err := chattest.SetRole(t, s, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "after rejoining", post(), chat.Forbidden)
	if err := chattest.SetRole(t, s, "maker", "seattle", "bob", policy.Member); err != nil || post() != nil {
		t.Errorf("unmuted: %v", err)
	}
}

func TestCreatePrivateRoom_VisibleToMembersOnly(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	room := chattest.CreatePrivateRoom(t, s, "ann")
	if err := chattest.SetRole(t, s, "ann", room, "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.PostMessage(t.Context(), "bob", room, chat.MessageDraft{Text: "hi"}); err != nil {
		t.Error(err)
	}
	rooms, err := s.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: 9})
	if err != nil || len(rooms.Items) != 1 || rooms.Items[0].Membership.Room != room {
		t.Errorf("rooms of bob: %+v, %v", rooms, err)
	}
	_, err = s.Inbox.RoomsOf(t.Context(), "eve", "bob", chat.PageRequest{Limit: 9})
	chattest.WantKind(t, "the rooms of another", err, chat.Forbidden)
	chattest.WantKind(t, "a join from outside", chattest.SetRole(t, s, "eve", room, "eve", policy.Member), chat.NotFound)
	if d, err := s.RoomsAt(t.Context(), "eve", nil, chat.PageRequest{Limit: 9}); err != nil || len(d.Items) != 0 {
		t.Errorf("the list of rooms has %+v, %v", d, err)
	}
	for _, gone := range []policy.Role{policy.Stranger, policy.Banned} {
		var err error
		if gone == policy.Banned {
			err = chattest.SetRole(t, s, "ann", room, "bob", policy.Banned)
		} else {
			err = s.RemoveMember(t.Context(), "ann", chat.MemberOf{Room: room, User: "bob"})
		}
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = s.PostMessage(t.Context(), "bob", room, chat.MessageDraft{Text: "hi"})
		chattest.WantKind(t, "a message after "+orRemoved(gone), err, chat.NotFound)
		_, err = s.Messages(t.Context(), "bob", chat.MessageQuery{Room: room, Limit: 1})
		chattest.WantKind(t, "a read after "+orRemoved(gone), err, chat.NotFound)
	}
}

func orRemoved(r policy.Role) string {
	if r == policy.Stranger {
		return "removal"
	}
	return r.String()
}

// TestRemoveMember_RefusesTheNextCall races removals and bans against posts and reads. Every call
// that begins after the removal was answered must be refused.
func TestRemoveMember_RefusesTheNextCall(t *testing.T) {
	t.Parallel()
	const races, atOnce = 1000, 10
	s, c := chattest.New(t)
	room := chattest.CreatePrivateRoom(t, s, "ann")
	var wg sync.WaitGroup
	for w := range atOnce {
		wg.Go(func() {
			for i := w; i < races; i += atOnce {
				c.Advance(time.Millisecond) // otherwise all audit lines have the same time
				if err := raceRemoval(t.Context(), s, room, i); err != nil {
					t.Errorf("race %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
}

func raceRemoval(ctx context.Context, s *app.Services, room chat.RoomID, i int) error {
	user := chat.UserID(fmt.Sprintf("user-%d", i))
	of := chat.MemberOf{Room: room, User: user}
	if _, _, err := s.SetMember(ctx, "ann", of, policy.Member); err != nil {
		return err
	}
	var removed atomic.Bool
	var wg sync.WaitGroup
	errs := make([]error, 2)
	try := func(n int, act func() error) {
		for range 50 {
			after := removed.Load()
			err := act()
			if after {
				if chat.KindOf(err) != chat.NotFound {
					errs[n] = fmt.Errorf("after the removal: %w", orFault(err))
				}
				return
			}
		}
	}
	wg.Go(func() {
		try(0, func() error { _, _, err := s.PostMessage(ctx, user, room, chat.MessageDraft{Text: "x"}); return err })
	})
	wg.Go(func() {
		try(1, func() error { _, err := s.Messages(ctx, user, chat.MessageQuery{Room: room, Limit: 1}); return err })
	})
	var err error
	if i%2 == 0 {
		err = s.RemoveMember(ctx, "ann", of)
	} else {
		_, _, err = s.SetMember(ctx, "ann", of, policy.Banned)
	}
	removed.Store(true)
	wg.Wait()
	for _, e := range append(errs, err) {
		if e != nil {
			return e
		}
	}
	return nil
}

func orFault(err error) error {
	if err == nil {
		return fmt.Errorf("the call succeeded")
	}
	return err
}

func TestSetMember_TwoOwnersCannotDemoteEachOther(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for i := range 30 {
		room := chat.RoomID(fmt.Sprintf("room-%d", i))
		chattest.CreateRoom(t, s, room, 1)
		if err := chattest.SetRole(t, s, "maker", room, "carl", policy.Owner); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for _, pair := range [][2]chat.UserID{{"maker", "carl"}, {"carl", "maker"}} {
			wg.Go(func() {
				_, _, err := s.SetMember(t.Context(), pair[0], chat.MemberOf{Room: room, User: pair[1]}, policy.Member)
				if k := chat.KindOf(err); err != nil && k != chat.Forbidden && k != chat.Unavailable {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		members, err := s.Members(t.Context(), "maker", room, chat.PageRequest{Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		owners := 0
		for _, m := range members.Items {
			if m.Role == policy.Owner {
				owners++
			}
		}
		if owners == 0 {
			t.Errorf("room %d has no owner", i)
		}
	}
}

func TestPostMessage_FollowsPostingSetting(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for user, role := range map[chat.UserID]policy.Role{"mod": policy.Moderator, "mem": policy.Member} {
		if err := chattest.SetRole(t, s, "maker", "seattle", user, role); err != nil {
			t.Fatal(err)
		}
	}
	for posting, may := range map[policy.Posting]string{policy.Everyone: "str mem mod maker", policy.Members: "mem mod maker", policy.Moderators: "mod maker"} {
		if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Posting: &posting}); err != nil {
			t.Fatal(err)
		}
		c.Advance(chat.RoomCacheAge)
		got := ""
		for _, user := range []chat.UserID{"str", "mem", "mod", "maker"} {
			if _, _, err := s.PostMessage(t.Context(), user, "seattle", chat.MessageDraft{Text: "x"}); err == nil {
				got += " " + string(user)
			}
		}
		if got != " "+may {
			t.Errorf("%v: posted%s, want %s", posting, got, may)
		}
	}
}

// TestPostMessage_SlowModeAdmitsRetries checks that slow mode is exact to the millisecond and
// admits retries.
func TestPostMessage_SlowModeAdmitsRetries(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	slow := 10 * time.Second
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{SlowMode: &slow}); err != nil {
		t.Fatal(err)
	}
	post := func(user chat.UserID, n byte) (bool, error) {
		_, replay, err := s.PostMessage(t.Context(), user, "seattle", chat.MessageDraft{UUID: chat.NewUUID(chattest.Start, [10]byte{n}), Text: "x"})
		return replay, err
	}
	for _, step := range []struct {
		what   string
		user   chat.UserID
		n      byte
		after  time.Duration
		replay bool
		want   chat.Kind
	}{
		{"the first", "amsg", 1, 0, false, 0},
		{"its retry", "amsg", 1, time.Second, true, 0},
		{"another too soon", "amsg", 2, 8*time.Second + 999*time.Millisecond, false, chat.RateLimited},
		{"another person's", "bob", 3, 0, false, 0},
		{"the owner's", "maker", 4, 0, false, 0},
		{"the owner's next", "maker", 5, 0, false, 0},
		{"another in time", "amsg", 2, time.Millisecond, false, 0},
		{"the first one's late retry", "amsg", 1, 0, true, 0},
		{"a third too soon", "amsg", 6, 0, false, chat.RateLimited},
	} {
		c.Advance(step.after)
		replay, err := post(step.user, step.n)
		if chat.KindOf(err) != step.want || replay != step.replay {
			t.Errorf("%s: replay %v, %v", step.what, replay, err)
		}
	}
}

// TestPostMessage_RateLimit checks that nobody sends faster than their bucket refills.
func TestPostMessage_RateLimit(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	sent := func(user chat.UserID) int {
		for n := 0; ; n++ {
			_, _, err := s.PostMessage(t.Context(), user, "seattle", chat.MessageDraft{Text: "x"})
			if chat.KindOf(err) == chat.RateLimited {
				return n
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := sent("amsg"); n != chat.DefaultSendBurst {
		t.Errorf("%d at once, want %d", n, chat.DefaultSendBurst)
	}
	if n := sent("bob"); n != chat.DefaultSendBurst {
		t.Errorf("bob sent %d after amsg", n)
	}
	c.Advance(time.Second)
	if n := sent("amsg"); n != chat.DefaultSendRate {
		t.Errorf("%d after a second, want %d", n, chat.DefaultSendRate)
	}
	c.Advance(time.Hour)
	if n := sent("amsg"); n != chat.DefaultSendBurst {
		t.Errorf("%d after an hour, want %d", n, chat.DefaultSendBurst)
	}
}

func TestMayCreateRooms(t *testing.T) {
	t.Parallel()
	s, _ := chattest.NewWith(t, func(o *app.Options) { o.MayCreateRooms = func(u chat.UserID) bool { return u == "ann" } })
	if _, created, err := s.PutRoom(t.Context(), "ann", "seattle", chat.RoomDraft{}); err != nil || !created {
		t.Errorf("ann: %v, %v", created, err)
	}
	_, _, err := s.PutRoom(t.Context(), "bob", "tacoma", chat.RoomDraft{})
	chattest.WantKind(t, "another public room", err, chat.Forbidden)
	_, _, err = s.PutRoom(t.Context(), "bob", "seattle", chat.RoomDraft{})
	chattest.WantKind(t, "an id that is taken", err, chat.Conflict)
	name := "x"
	_, err = s.CreatePrivateRoom(t.Context(), "bob", chat.RoomDraft{Name: &name})
	chattest.WantKind(t, "a private room", err, chat.Forbidden)
}

func TestPageRequest_RefusesForgedCursors(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for i := range 3 {
		chattest.CreateRoom(t, s, chat.RoomID(fmt.Sprintf("room-%d", i)), 1)
		if err := chattest.SetRole(t, s, "maker", "room-0", chat.UserID(fmt.Sprintf("user-%d", i)), policy.Member); err != nil {
			t.Fatal(err)
		}
	}
	lists := map[string]func(string) (string, error){
		"rooms": func(c string) (string, error) {
			l, err := s.RoomsAt(t.Context(), "maker", nil, chat.PageRequest{Limit: 1, Cursor: c})
			return l.Next, err
		},
		"members": func(c string) (string, error) {
			l, err := s.Members(t.Context(), "maker", "room-0", chat.PageRequest{Limit: 1, Cursor: c})
			return l.Next, err
		},
		"rooms of a person": func(c string) (string, error) {
			l, err := s.Inbox.RoomsOf(t.Context(), "maker", "maker", chat.PageRequest{Limit: 1, Cursor: c})
			return l.Next, err
		},
	}
	valid := map[string]chat.ListPosition{
		"rooms": {Sort: "room-1", ID: "room-1"}, "members": {Sort: "user-1", ID: "user-1"}, "rooms of a person": {Sort: "room-1"},
	}
	for name, list := range lists {
		good, err := list("")
		if err != nil || good == "" {
			t.Fatalf("%s: %q, %v", name, good, err)
		}
		raw, _ := base64.RawURLEncoding.DecodeString(good)
		forge := func(sort, id string) string { // with the version and the digest of a valid cursor
			forged := slices.Clone(raw[:9])
			for _, field := range []string{sort, id} {
				forged = append(binary.AppendUvarint(forged, uint64(len(field))*4), field...)
			}
			return base64.RawURLEncoding.EncodeToString(forged)
		}
		// A possible position is accepted, so the others are refused because of their contents.
		if _, err := list(forge(valid[name].Sort, valid[name].ID)); err != nil {
			t.Errorf("%s after %+v: %v", name, valid[name], err)
		}
		for _, p := range []chat.ListPosition{{}, {ID: "user-1"}, {Sort: "A#B"}, {Sort: "x", ID: "y\x00z"}, {Sort: "\xff", ID: "\xff"}, {Sort: "x#", ID: "#"}, {Sort: "\U0010ffff", ID: "user-1"}} {
			_, err := list(forge(p.Sort, p.ID))
			chattest.WantKind(t, fmt.Sprintf("%s after %+q", name, p), err, chat.BadCursor)
		}
		for other, ask := range lists {
			if other != name {
				_, err := ask(good)
				chattest.WantKind(t, other+" after "+name, err, chat.BadCursor)
			}
		}
	}
}

// TestRemoveMember_CreatorLosesOwnership checks that the creator of a room who was removed becomes
// its owner again only through another owner.
func TestRemoveMember_CreatorLosesOwnership(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for _, room := range []chat.RoomID{"seattle", chattest.CreatePrivateRoom(t, s, "maker")} {
		if !room.Private() {
			chattest.CreateRoom(t, s, room, 1)
		}
		of := chat.MemberOf{Room: room, User: "maker"}
		for i, err := range []error{
			chattest.SetRole(t, s, "maker", room, "carl", policy.Owner),
			chattest.SetRole(t, s, "carl", room, "mod", policy.Moderator),
			s.RemoveMember(t.Context(), "carl", of),
			chattest.SetRole(t, s, "mod", room, "maker", policy.Banned),
			s.RemoveMember(t.Context(), "mod", of), // lifts the ban
		} {
			if err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
		}
		if err := chattest.SetRole(t, s, "maker", room, "eve", policy.Owner); err == nil {
			t.Errorf("the creator of %s is its owner again", room)
		}
		topic := "mine"
		_, _, err := s.PutRoom(t.Context(), "maker", room, chat.RoomDraft{Topic: &topic})
		if room.Private() {
			chattest.WantKind(t, "the removed creator changes the settings", err, chat.NotFound)
			chattest.WantKind(t, "and joins", chattest.SetRole(t, s, "maker", room, "maker", policy.Member), chat.NotFound)
			continue
		}
		chattest.WantKind(t, "the removed creator changes the settings", err, chat.Conflict)
		m, added, err := s.SetMember(t.Context(), "maker", of, policy.Member)
		if err != nil || !added || m.Role != policy.Member {
			t.Errorf("the creator rejoins as %v, added %v, %v", m.Role, added, err)
		}
		_, _, err = s.PutRoom(t.Context(), "maker", room, chat.RoomDraft{Topic: &topic})
		chattest.WantKind(t, "the creator, now a member, changes the settings", err, chat.Conflict)
	}
}

// TestMemberships_LeaveOutBans checks that people who are banned from a room do not see it among
// their rooms.
func TestMemberships_LeaveOutBans(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	for i := range 12 {
		room := chattest.CreatePrivateRoom(t, s, "ann")
		role := policy.Banned
		if i%4 == 3 {
			role = policy.Member
		}
		if err := chattest.SetRole(t, s, "ann", room, "bob", role); err != nil {
			t.Fatal(err)
		}
	}
	for _, limit := range []int{1, 2, 3, 50} {
		seen, cursor := 0, ""
		for {
			l, err := s.Inbox.RoomsOf(t.Context(), "bob", "bob", chat.PageRequest{Limit: limit, Cursor: cursor})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range l.Items {
				if m.Membership.Role == policy.Banned {
					t.Errorf("bob sees %s, from which he is banned", m.Membership.Room)
				}
			}
			seen += len(l.Items)
			if cursor = l.Next; cursor == "" {
				break
			}
			if len(l.Items) != limit {
				t.Errorf("a page of %d of %d has a next page", len(l.Items), limit)
			}
		}
		if seen != 3 {
			t.Errorf("in pages of %d bob sees %d rooms, want 3", limit, seen)
		}
	}
}

func TestSetMember_ModeratorWhoJoinsKeepsTheRole(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if err := chattest.SetRole(t, s, "maker", "seattle", "mod", policy.Moderator); err != nil {
		t.Fatal(err)
	}
	m, added, err := s.SetMember(t.Context(), "mod", chat.MemberOf{Room: "seattle", User: "mod"}, policy.Member)
	if err != nil || added || m.Role != policy.Moderator {
		t.Errorf("joined as %v, added %v, %v", m.Role, added, err)
	}
}
