package history_test

import (
	"fmt"
	"time"

	"github.com/anishathalye/porcupine"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// memberKind is the kind of an operation on the memberships of a room.
type memberKind int

const (
	join memberKind = iota
	leave
	give // a role, a mute or a ban, to another person
	expel
	handOver
	look // reads a membership
)

// memberCall is an operation of one person on another's membership, or on their own.
type memberCall struct {
	kind           memberKind
	caller, target int
	role           policy.Role // which is given
}

// memberAnswer is its answer. A look has the membership.
type memberAnswer struct {
	outcome outcome // unknown, succeeded, or conflict for any refusal
	seen    chat.Membership
}

// peopleOfRoom is the number of people of each room's history.
const peopleOfRoom = 4

// roster is the state of a room: the membership of each person, without names and times.
type roster [peopleOfRoom]chat.Membership

// members returns the model of the memberships of one room, of which the first person is the owner.
// A call of unknown outcome takes effect if it can, as in the model of messages.
func members() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return roster{{Room: memberRoom, Role: policy.Owner}} },
		Step: func(state, input, output any) (bool, any) {
			s, c, a := state.(roster), input.(memberCall), output.(memberAnswer)
			if c.kind == look {
				return s[c.target] == a.seen, s
			}
			next, may := s.after(c)
			switch a.outcome {
			case unknown:
				return true, next
			case succeeded:
				return may, next
			}
			return !may, s // a refusal
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
	}
}

// memberRoom is the room of all memberships of the model.
const memberRoom chat.RoomID = "room"

// after returns the state after a call, and whether the call is allowed. If not, the state is s.
func (s roster) after(c memberCall) (next roster, may bool) {
	next = s
	switch c.kind {
	case join:
		next[c.caller], may = s.joined(c.caller)
	case leave:
		next[c.caller], may = s.left(c.caller)
	case give:
		next[c.target], may = s.given(c)
	case expel:
		next[c.target], may = s.expelled(c)
	case handOver:
		to := s[c.target]
		switch {
		case to.Role == policy.Owner && to.In() && s.role(c.caller) == policy.Moderator:
			return s, true // a retry
		case s.role(c.caller) != policy.Owner || !to.In():
			return s, false
		}
		to.Role, to.Restore = policy.Owner, policy.Banned
		next[c.target], next[c.caller].Role, may = to, policy.Moderator, true
	}
	if !may {
		return s, false
	}
	return next, true
}

func (s roster) role(n int) policy.Role { return s[n].RoleIn(chat.Room{}, time.Time{}) }

func (s roster) joined(n int) (chat.Membership, bool) {
	m, role := s[n], s.role(n)
	switch {
	case role == policy.Banned:
		return m, false
	case m.In() && (role == policy.Member || role == policy.Moderator):
		return m, true
	case m.Left:
		m.Left = false
		if m.Role == policy.Muted && m.Restore == policy.Stranger {
			m.Restore = policy.Member
		}
		return m, true
	}
	return chat.Membership{Room: memberRoom, Role: policy.Member}, policy.MayChangeOwn(role, policy.Member)
}

func (s roster) left(n int) (chat.Membership, bool) {
	m := s[n]
	if m.Room == "" || m.Left {
		return m, false
	}
	may := policy.MayChangeOwn(m.Role, policy.Stranger)
	for other := range s {
		may = may || m.Role == policy.Owner && other != n && s.role(other) == policy.Owner
	}
	return gone(m), may
}

// gone returns the rest of a membership that ends: a mute, or nothing.
func gone(m chat.Membership) chat.Membership {
	if m.Role != policy.Muted {
		return chat.Membership{}
	}
	m.Left = true
	return m
}

func (s roster) given(c memberCall) (chat.Membership, bool) {
	m := s[c.target]
	if m.Room != "" && !m.Left && m.Role == c.role {
		return m, true // nothing changes, so the caller's role does not matter
	}
	if !policy.MayChange(s.role(c.caller), s.role(c.target), c.role) || c.role >= policy.Moderator && !m.In() {
		return m, false
	}
	former := policy.Stranger
	switch {
	case c.role != policy.Muted && c.role != policy.Banned:
		former = policy.Banned
	case m.Restricted() && !m.Left && m.Role == policy.Banned:
		former = m.Former()
	case m.In():
		former = m.Role
	}
	if former == policy.Muted && c.role == policy.Muted {
		former = policy.Member
	}
	return chat.Membership{Room: memberRoom, Role: c.role, Restore: former}, true
}

func (s roster) expelled(c memberCall) (chat.Membership, bool) {
	m := s[c.target]
	if m.Room == "" || m.Left {
		return m, false
	}
	after, role := gone(m), policy.Stranger
	if m.Role == policy.Banned {
		after = m.Lifted()
		role = after.RoleIn(chat.Room{}, time.Time{})
	}
	return after, policy.MayChange(s.role(c.caller), s.role(c.target), role)
}
