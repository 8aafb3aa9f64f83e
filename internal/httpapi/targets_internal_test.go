package httpapi

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/parley/internal/ratelimit"
)

// TestTowardCosts_AreOfTheTarget checks toward whom each operation has which cost.
func TestTowardCosts_AreOfTheTarget(t *testing.T) {
	t.Parallel()
	yes := true
	room := RoomPath{Room: "seattle"}
	on := func(target string, units int) ratelimit.Cost {
		return ratelimit.Cost{Limit: ratelimit.Toward(target), Units: units}
	}
	put := &putMemberInput{MemberPath: MemberPath{RoomPath: room, User: "bob"}}
	owner := &putOwnerInput{RoomPath: room}
	owner.Body.User = "bob"
	post := &postMessageInput{RoomPath: room}
	post.Body.Mentions, post.Body.MentionRoom = []string{"bob"}, &yes
	patch := &patchMessageInput{MessagePath: MessagePath{RoomPath: room}}
	patch.Body.Mentions = []string{"bob", "bob", "carl"}
	for name, tt := range map[string]struct {
		in   any
		want []ratelimit.Cost
	}{
		"put-member":             {put, []ratelimit.Cost{on("bob", 2)}},
		"delete-member":          {&MemberPath{room, "bob"}, []ratelimit.Cost{on("bob", 2)}},
		"delete-member, me":      {&MemberPath{room, "me"}, []ratelimit.Cost{on("room seattle", 2)}},
		"delete-member, oneself": {&MemberPath{room, "amsg"}, []ratelimit.Cost{on("room seattle", 2)}},
		"put-owner":              {owner, []ratelimit.Cost{on("bob", 2)}},
		"post-message":           {post, []ratelimit.Cost{on("bob", 1), on("room seattle", 10)}},
		"patch-message":          {patch, []ratelimit.Cost{on("bob", 2), on("carl", 1)}},
		"post-report":            {&postReportInput{MessagePath: MessagePath{room, "01890a5d-ac96-774b-bcce-b302099a8057~bob"}}, []ratelimit.Cost{on("bob", 10)}},
		"a report of no message": {&postReportInput{MessagePath: MessagePath{room, "x"}}, nil},
		"post-invite":            {&postInviteInput{RoomPath: room}, []ratelimit.Cost{on("room seattle", 10)}},
		"use-invite":             {&InvitePath{Token: "t"}, []ratelimit.Cost{on("invite t", 2)}},
		"put-part":               {&putPartInput{}, nil},
	} {
		byLimit := cmpopts.SortSlices(func(a, b ratelimit.Cost) bool { return a.Limit < b.Limit })
		if diff := cmp.Diff(tt.want, towardCosts("amsg", tt.in), byLimit); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}
