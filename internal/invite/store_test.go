package invite_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/tabletest"
)

// start is the time at which the tests of the store begin.
var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// stores are the invitations of a table, and the table.
type stores struct {
	invite.Store
	table *dynamo.Table
}

// TestStore_KeepsTheContract runs on every engine that Parley runs on.
func TestStore_KeepsTheContract(t *testing.T) {
	t.Parallel()
	open := func(on *dynamo.Table) stores { return stores{invite.NewStore(on), on} }
	tabletest.Keeps(t, "invitations", tabletest.Create, open, map[string]func(*testing.T, stores){
		"invitations are listed until they are revoked":                 invitationsAreListed,
		"a use of an invitation changes the membership too, or nothing": invitationUseIsOneChange,
		"concurrent invitations do not exceed the limit":                concurrentInvitations,
	})
}

// membershipOf returns the membership of a person in seattle.
func membershipOf(user chat.UserID, role policy.Role) chat.Membership {
	return chat.Membership{Room: "seattle", User: user, Name: string(user), Role: role, JoinedAt: start}
}

// invitation returns the nth invitation to a room.
func invitation(room chat.RoomID, n int) invite.Invitation {
	return invite.Invitation{
		ID: invite.IDOf(fmt.Sprint(room, n)), Room: room, Role: policy.Moderator, CreatedBy: "amsg",
		CreatedAt: start.Add(time.Duration(n/2) * time.Second), Expires: start.Add(time.Hour), MaxUses: 2, // in pairs
	}
}

func mustInvite(t *testing.T, s stores, i invite.Invitation, limit int) {
	t.Helper()
	if created, err := s.Create(t.Context(), i, limit); !created || err != nil {
		t.Fatal(created, err)
	}
}

func invitationsAreListed(t *testing.T, s stores) {
	var all []invite.Invitation
	for n := range 7 {
		all = append(all, invitation("seattle", n))
		mustInvite(t, s, all[n], 7)
	}
	mustInvite(t, s, invitation("sea", 0), 1)
	for _, want := range all {
		got, found, err := s.Invitation(t.Context(), want.ID)
		if d := cmp.Diff(want, got); d != "" || !found || err != nil {
			t.Errorf("%v, %v (-want +got):\n%s", found, err, d)
		}
	}
	if got, found, err := s.Invitation(t.Context(), invite.IDOf("none")); found || err != nil {
		t.Errorf("an unknown one: %+v, %v", got, err)
	}
	if created, err := s.Create(t.Context(), invitation("seattle", 8), 7); created || err != nil {
		t.Errorf("beyond the limit: %v, %v", created, err)
	}
	for n := range 2 {
		if revoked, err := s.Revoke(t.Context(), all[3]); revoked != (n == 0) || err != nil {
			t.Errorf("revoked: %v, %v", revoked, err)
		}
	}
	if got, found, err := s.Invitation(t.Context(), all[3].ID); !got.Revoked || !found || err != nil {
		t.Errorf("a revoked one: %+v, %v, %v", got, found, err)
	}
	mustInvite(t, s, invitation("seattle", 8), 7)
	wantInvitations(t, s, append(slices.Delete(all, 3, 4), invitation("seattle", 8)))
	if revoked, err := s.Revoke(t.Context(), invitation("seattle", 9)); revoked || err != nil {
		t.Errorf("an unknown one is revoked: %v, %v", revoked, err)
	}
}

// wantInvitations reads the invitations of seattle in pages of every size, newest first.
func wantInvitations(t *testing.T, s stores, want []invite.Invitation) {
	t.Helper()
	byID := func(a, b invite.Invitation) int { return strings.Compare(string(a.ID), string(b.ID)) }
	for limit := 1; limit <= len(want)+1; limit++ {
		var got []invite.Invitation
		var after chat.ListPosition
		for {
			page, next, err := s.List(t.Context(), "seattle", after, limit)
			if err != nil || len(page) > limit {
				t.Fatalf("%d invitations, %v", len(page), err)
			}
			got = append(got, page...)
			if after = next; next == (chat.ListPosition{}) {
				break
			}
		}
		if !slices.IsSortedFunc(got, func(a, b invite.Invitation) int { return b.CreatedAt.Compare(a.CreatedAt) }) {
			t.Errorf("in pages of %d the order is %v", limit, got)
		}
		if d := cmp.Diff(slices.SortedFunc(slices.Values(want), byID), slices.SortedFunc(slices.Values(got), byID)); d != "" {
			t.Errorf("in pages of %d (-want +got):\n%s", limit, d)
		}
	}
}

// invitationUseIsOneChange checks that a use is counted and a person joins, or neither happens.
func invitationUseIsOneChange(t *testing.T, s stores) {
	i := invitation("seattle", 1)
	mustInvite(t, s, i, 1)
	use := func(user chat.UserID, before chat.Membership, want bool, uses int) {
		t.Helper()
		after := membershipOf(user, policy.Moderator)
		used, err := s.Use(t.Context(), i, invite.Admission{Before: before, After: after})
		if used != want || err != nil {
			t.Errorf("%s: used %v, %v", user, used, err)
		}
		stored, _, err := dynamo.ReadStrong(t.Context(), s.table, "read state", table.RoleKey("seattle", user), table.ParseRole)
		if (stored == after) != want || err != nil {
			t.Errorf("%s is %+v, %v", user, stored, err)
		}
		listed, _, err := dynamo.ReadStrong(t.Context(), s.table, "read member", table.MemberKey("seattle", user), table.ParseMember)
		if err != nil || (listed == after) != want {
			t.Errorf("%s is listed as %+v, %v", user, listed, err)
		}
		if got, _, err := s.Invitation(t.Context(), i.ID); got.Uses != uses || err != nil {
			t.Errorf("%d uses, %v, want %d", got.Uses, err, uses)
		}
	}
	use("ann", chat.Membership{}, true, 1)
	use("bob", membershipOf("bob", policy.Muted), false, 1) // has no membership
	use("bob", chat.Membership{}, true, 2)
	use("cy", chat.Membership{}, false, 2) // used up
	mustInvite(t, s, invitation("seattle", 2), 1)
	i = invitation("seattle", 2)
	if _, err := s.Revoke(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	use("cy", chat.Membership{}, false, 0)
	i = invitation("seattle", 3)
	use("cy", chat.Membership{}, false, 0) // does not exist
}

// concurrentInvitations concurrently creates more invitations than the limit, while some are
// expired.
func concurrentInvitations(t *testing.T, s stores) {
	const limit, atOnce, expired = 6, 20, 3
	for n := range expired {
		i := invitation("seattle", 100+n)
		i.CreatedAt, i.Expires = start, start.Add(time.Second)
		mustInvite(t, s, i, limit)
	}
	var created atomic.Int64
	var all sync.WaitGroup
	for n := range atOnce {
		all.Go(func() {
			i := invitation("seattle", n)
			i.CreatedAt = start.Add(time.Second)
			for {
				ok, err := s.Create(t.Context(), i, limit)
				if chat.KindOf(err) == chat.Unavailable {
					continue
				}
				if err != nil {
					t.Error(err)
				}
				if ok {
					created.Add(1)
				}
				return
			}
		})
	}
	all.Wait()
	if created.Load() != limit {
		t.Errorf("%d invitations were created, want %d", created.Load(), limit)
	}
}
