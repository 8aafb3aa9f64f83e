package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/parley/internal/policy"
)

// TestDecideMessage is the complete table of messages: who may edit and delete one. That depends on
// the room's posting setting and on whether the message is their own. A private room is hidden from
// strangers and banned people.
func TestDecideMessage(t *testing.T) {
	t.Parallel()
	type row struct {
		posting policy.Posting
		own     bool
		action  policy.MessageAction
	}
	for r, may := range map[row]string{
		{policy.Everyone, true, policy.Edit}:       "smMO",
		{policy.Members, true, policy.Edit}:        "mMO",
		{policy.Moderators, true, policy.Edit}:     "MO",
		{policy.Everyone, false, policy.Edit}:      "",
		{policy.Members, false, policy.Edit}:       "",
		{policy.Moderators, false, policy.Edit}:    "",
		{policy.Everyone, true, policy.Delete}:     "usmMO",
		{policy.Members, true, policy.Delete}:      "usmMO",
		{policy.Moderators, true, policy.Delete}:   "usmMO",
		{policy.Everyone, false, policy.Delete}:    "MO",
		{policy.Members, false, policy.Delete}:     "MO",
		{policy.Moderators, false, policy.Delete}:  "MO",
		{policy.Everyone, true, policy.Delete + 1}: "",
	} {
		for _, room := range []policy.Room{{}, {Private: true}, {Private: true, Direct: true}} {
			for _, role := range documentRoles {
				may := may
				if room.Direct && !r.own {
					may = ""
				}
				want := policy.Deny
				switch {
				case room.Private && (role.role == policy.Stranger || role.role == policy.Banned):
					want = policy.Hide
				case strings.IndexByte(may, role.letter) >= 0:
					want = policy.Allow
				}
				room.Posting, room.Archived = r.posting, false
				if got := policy.DecideMessage(role.role, room, r.own, r.action); got != want {
					t.Errorf("role %c, room %+v, %s: %v, want %v", role.letter, room, fmt.Sprintf("%+v", r), got, want)
				}
				room.Archived = true
				if want == policy.Allow {
					want = policy.DenyArchived
				}
				if got := policy.DecideMessage(role.role, room, r.own, r.action); got != want {
					t.Errorf("role %c, room %+v, %s: %v, want %v", role.letter, room, fmt.Sprintf("%+v", r), got, want)
				}
			}
		}
	}
}
