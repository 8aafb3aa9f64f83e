package invite_test

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// create creates an invitation and returns it with its token.
func create(t *testing.T, s *app.Services, caller chat.UserID, room chat.RoomID, d invite.Draft) (invite.Invitation, string) {
	t.Helper()
	i, token, err := s.Invites.Create(t.Context(), caller, room, d)
	if err != nil || i.ID != invite.IDOf(token) || len(token) != 32 || i.CreatedBy != caller || i.Room != room {
		t.Fatalf("%+v, %q, %v", i, token, err)
	}
	return i, token
}

// roles gives each role of a room to the person of that name.
func roles(t *testing.T, s *app.Services, owner chat.UserID, room chat.RoomID) {
	t.Helper()
	for _, role := range []policy.Role{policy.Moderator, policy.Member, policy.Muted, policy.Banned} {
		if err := chattest.SetRole(t, s, owner, room, chat.UserID(role.String()), role); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCreate_ByModeratorsAndOwners(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	private := chattest.CreatePrivateRoom(t, s, "maker")
	direct, _, err := s.Direct.PostRoom(t.Context(), "maker", []string{"member"})
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []chat.RoomID{"seattle", private} {
		roles(t, s, "maker", room)
		outside := map[bool]chat.Kind{true: chat.NotFound, false: chat.Forbidden}[room.Private()]
		for caller, want := range map[chat.UserID][2]chat.Kind{
			"maker": {0, 0}, "moderator": {0, chat.Forbidden}, "member": {chat.Forbidden, chat.Forbidden},
			"muted": {chat.Forbidden, chat.Forbidden}, "banned": {outside, outside}, "stranger": {outside, outside},
		} {
			for n, role := range []policy.Role{policy.Member, policy.Moderator} {
				_, _, err := s.Invites.Create(t.Context(), caller, room, invite.Draft{Role: role})
				chattest.WantKind(t, string(caller)+" invites a "+role.String(), err, want[n])
			}
			_, err := s.Invites.Invitations(t.Context(), caller, room, chat.PageRequest{Limit: 9})
			chattest.WantKind(t, string(caller)+" lists", err, want[0])
		}
	}
	_, _, err = s.Invites.Create(t.Context(), "maker", direct.ID, invite.Draft{})
	chattest.WantKind(t, "in a direct room", err, chat.Forbidden)
	_, _, err = s.Invites.Create(t.Context(), "maker", "nowhere", invite.Draft{})
	chattest.WantKind(t, "in no room", err, chat.NotFound)
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: new(true)}); err != nil {
		t.Fatal(err)
	}
	_, _, err = s.Invites.Create(t.Context(), "maker", "seattle", invite.Draft{})
	chattest.WantKind(t, "in an archived room", err, chat.Forbidden)
}

func TestCreate_DefaultsAndBounds(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	i, _ := create(t, s, "maker", "seattle", invite.Draft{})
	if want := clock.Now().UTC().Add(invite.DefaultAge); i.Role != policy.Member || i.MaxUses != invite.DefaultUses || i.Uses != 0 || !i.Expires.Equal(want) {
		t.Errorf("by default %+v", i)
	}
	now := clock.Now()
	for field, bad := range map[string][]invite.Draft{
		"role":    {{Role: policy.Owner}, {Role: policy.Muted}, {Role: policy.Stranger}},
		"expires": {{Expires: now}, {Expires: now.Add(-time.Hour)}, {Expires: now.Add(999 * time.Millisecond)}, {Expires: now.Add(invite.MaxAge + time.Second)}},
		"maxUses": {{MaxUses: -1}, {MaxUses: invite.MaxUses + 1}},
	} {
		for _, d := range bad {
			_, _, err := s.Invites.Create(t.Context(), "maker", "seattle", d)
			chattest.WantKind(t, field, err, chat.Invalid)
			if err == nil || !strings.Contains(err.Error(), field) {
				t.Errorf("%+v: %v does not name %s", d, err, field)
			}
		}
	}
	create(t, s, "maker", "seattle", invite.Draft{Role: policy.Moderator, Expires: now.Add(invite.MaxAge), MaxUses: invite.MaxUses})
	create(t, s, "maker", "seattle", invite.Draft{Role: policy.Member, Expires: now.Add(time.Second), MaxUses: 1})
	clock.Advance(2 * time.Second)
	page, err := s.Invites.Invitations(t.Context(), "maker", "seattle", chat.PageRequest{Limit: 9})
	if err != nil || len(page.Items) != 2 {
		t.Errorf("of three, one expired: %+v, %v", page, err)
	}
}

// TestRevoke_AnyModeratorOnce checks that moderators revoke only invitations of their own room,
// that a repetition changes nothing, and that all is audited without the token.
func TestRevoke_AnyModeratorOnce(t *testing.T) {
	t.Parallel()
	var log activity.Store
	s, clock := chattest.NewWith(t, func(o *app.Options) { log = o.Logs })
	chattest.CreateRoom(t, s, "seattle", 1)
	chattest.CreateRoom(t, s, "denver", 1)
	roles(t, s, "maker", "seattle")
	i, token := create(t, s, "maker", "seattle", invite.Draft{Role: policy.Moderator})
	for _, step := range []struct {
		caller chat.UserID
		room   chat.RoomID
		want   chat.Kind
	}{
		{"member", "seattle", chat.Forbidden}, {"stranger", "seattle", chat.Forbidden}, {"maker", "denver", chat.NotFound},
		{"moderator", "seattle", 0}, {"moderator", "seattle", 0}, {"maker", "seattle", 0},
	} {
		clock.Advance(time.Second)
		chattest.WantKind(t, string(step.caller)+" revokes", s.Invites.Revoke(t.Context(), step.caller, step.room, i.ID), step.want)
	}
	chattest.WantKind(t, "an unknown one", s.Invites.Revoke(t.Context(), "maker", "seattle", invite.IDOf("x")), chat.NotFound)
	_, _, err := s.Invites.Use(t.Context(), "bob", token)
	chattest.WantKind(t, "used after it was revoked", err, chat.NotFound)
	if page, err := s.Invites.Invitations(t.Context(), "maker", "seattle", chat.PageRequest{Limit: 9}); err != nil || len(page.Items) != 0 {
		t.Errorf("listed: %+v, %v", page, err)
	}
	entries, _, err := log.ReadLog(t.Context(), activity.LogRange{Log: activity.Log{Room: "seattle"}, Now: clock.Now(), Limit: 99})
	var lines []string
	for _, e := range entries {
		if strings.HasPrefix(e.Type, "invite.") {
			lines = append(lines, string(e.By)+" "+e.Type+" "+string(e.On))
		}
		if strings.Contains(e.Detail, token) {
			t.Errorf("the audit has the token: %+v", e)
		}
	}
	if want := []string{"moderator invite.revoked maker", "maker invite.created "}; !slices.Equal(lines, want) || err != nil {
		t.Errorf("audited %q, %v, want %q", lines, err, want)
	}
}

// TestCreate_AtMostFiftyLive creates invitations concurrently, and checks that exactly MaxLive are
// created. Revoked, expired and used ones make room for others.
func TestCreate_AtMostFiftyLive(t *testing.T) {
	t.Parallel()
	s, clock := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	atOnce := func(n int, d invite.Draft) []string {
		var tokens []string
		for _, token := range gather(n, func(int) string {
			for {
				_, token, err := s.Invites.Create(t.Context(), "maker", "seattle", d)
				switch chat.KindOf(err) {
				case chat.Unavailable:
					continue
				case chat.Conflict:
					return ""
				}
				if err != nil {
					t.Error(err)
				}
				return token
			}
		}) {
			if token != "" {
				tokens = append(tokens, token)
			}
		}
		return tokens
	}
	soon := invite.Draft{Expires: clock.Now().Add(time.Minute)}
	first := atOnce(10, soon)
	single := atOnce(10, invite.Draft{MaxUses: 1})
	rest := atOnce(2*invite.MaxLive, invite.Draft{})
	if n := len(first) + len(single) + len(rest); n != invite.MaxLive || len(first) != 10 || len(single) != 10 {
		t.Fatalf("%d invitations are live, want %d", n, invite.MaxLive)
	}
	clock.Advance(time.Hour)
	if n := len(atOnce(20, invite.Draft{})); n != 10 {
		t.Errorf("after 10 have expired, %d more were created", n)
	}
	for n, token := range single[:5] {
		if _, joined, err := s.Invites.Use(t.Context(), chat.UserID("user-"+string(rune('a'+n))), token); err != nil || !joined {
			t.Fatal(joined, err)
		}
	}
	if err := s.Invites.Revoke(t.Context(), "maker", "seattle", invite.IDOf(rest[0])); err != nil {
		t.Fatal(err)
	}
	if n := len(atOnce(20, invite.Draft{})); n != 6 {
		t.Errorf("after 5 were used up and 1 revoked, %d more were created", n)
	}
	seen, cursor := 0, ""
	for {
		page, err := s.Invites.Invitations(t.Context(), "maker", "seattle", chat.PageRequest{Limit: 7, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		seen += len(page.Items)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if seen != invite.MaxLive {
		t.Errorf("%d are listed, want %d", seen, invite.MaxLive)
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }

// beforeCall calls before prior to each call, with its operation.
type beforeCall struct{ before func(operation string) }

func (b *beforeCall) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	b.before(operation)
	return http.DefaultClient.Do(r)
}

// TestCreate_SeatsBecomeFreeMeanwhile frees a place between the write that finds the
// count full and the read of the count. The invitation takes the place unless others take each
// place first.
func TestCreate_SeatsBecomeFreeMeanwhile(t *testing.T) {
	t.Parallel()
	for _, taken := range []bool{false, true} {
		t.Run(fmt.Sprintf("taken %v", taken), func(t *testing.T) {
			t.Parallel()
			hook := &beforeCall{before: func(string) {}}
			addr := enginetest.Start(t)
			client := dynamo.LocalClient(addr)
			tabletest.Create(t, client, "invites")
			others := invite.NewStore(dynamo.NewTable(client, "invites", nil))
			hooked := dynamo.LocalClient(addr, func(o *dynamodb.Options) { o.HTTPClient = hook })
			store := invite.NewStore(dynamo.NewTable(hooked, "invites", nil))
			const limit = 2
			first, last := 1, 0 // live invitations
			fill := func() {
				last++
				if ok, err := others.Create(t.Context(), nthInvitation(last), limit); !ok || err != nil {
					t.Error(ok, err)
				}
			}
			for range limit {
				fill()
			}
			seatFree := false
			hook.before = func(operation string) {
				switch {
				case operation == "GetItem":
					if ok, err := others.Revoke(t.Context(), nthInvitation(first)); !ok || err != nil {
						t.Error(ok, err)
					}
					first, seatFree = first+1, true
				case taken && seatFree:
					fill()
					seatFree = false
				}
			}
			ok, err := store.Create(t.Context(), nthInvitation(0), limit)
			if ok == taken || (chat.KindOf(err) == chat.Unavailable) != taken || !taken && err != nil {
				t.Errorf("created %v, %v", ok, err)
			}
		})
	}
}

func nthInvitation(n int) invite.Invitation {
	return invite.Invitation{
		ID: invite.IDOf(fmt.Sprint(n)), Room: "seattle", Role: policy.Member, CreatedBy: "amsg",
		CreatedAt: start, Expires: start.Add(time.Hour), MaxUses: 1,
	}
}
