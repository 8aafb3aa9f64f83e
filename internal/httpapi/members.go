package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/wire"
)

// memberBody is a membership as the API shows it to the room.
type memberBody struct {
	Room     string `json:"room" example:"seattle"`
	User     string `json:"user" example:"amsg"`
	Name     string `json:"name" doc:"The person's name, which may be a minute old, or their id"`
	Role     string `json:"role" enum:"owner,moderator,member,muted,banned"`
	JoinedAt string `json:"joinedAt" format:"date-time" doc:"When they joined, or were muted or banned without having joined"`
	Until    string `json:"until,omitempty" format:"date-time" doc:"When a mute or ban ends; absent if it has no end"`
	Reason   string `json:"reason,omitempty" doc:"Why they are muted or banned; moderators and owners see it, and the person while they are muted"`

	Read *receiptBody `json:"read,omitempty" doc:"The last message that they marked as read; only in lists of members, for people in a direct room or in one of at most 50 members with receipts"`
}

// receiptBody is the last message that a person marked as read.
type receiptBody struct {
	Message string `json:"message" doc:"The message's id" example:"01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg"`
	At      string `json:"at" format:"date-time" doc:"When they marked it"`
}

func memberOf(m chat.Membership) memberBody {
	b := memberBody{
		Room: string(m.Room), User: string(m.User), Name: m.Name, Role: m.Role.String(),
		JoinedAt: wire.TimeText(m.JoinedAt), Reason: m.Reason,
	}
	b.Until = wire.OptionalTimeText(m.Until)
	return b
}

// MemberPath is the part of a path that names a person in a room.
type MemberPath struct {
	RoomPath
	User string `path:"user" format:"user-id" maxLength:"64" doc:"The person's user id: A-Z a-z 0-9 . _ @ | : + = -; or me for the caller" example:"amsg"`
}

// parse returns the room and the user of a path. The user me is the caller.
func (p MemberPath) parse(caller chat.UserID) (chat.RoomID, chat.UserID, error) {
	room, err := chat.ParseRoomID(p.Room)
	if err != nil {
		return "", "", err
	}
	user, err := userOrMe(p.User, caller)
	return room, user, err
}

// userOrMe returns the user of a path. The user me is the caller.
func userOrMe(user string, caller chat.UserID) (chat.UserID, error) {
	if user == "me" {
		return caller, nil
	}
	return chat.ParseUserID(user)
}

type putMemberInput struct {
	MemberPath
	Strict bool `query:"strict" doc:"Refuse a user id without a profile, so that a typo adds nobody"`
	Body   struct {
		Role   string  `json:"role" enum:"owner,moderator,member,muted,banned"`
		Until  *string `json:"until,omitempty" format:"date-time" doc:"When a mute or ban ends, at most 366 days ahead; without it, it has no end" example:"2018-09-01T12:00:00Z"`
		Reason string  `json:"reason,omitempty" maxLength:"500" doc:"Why they are muted or banned, at most 500 bytes of UTF-8 in one line" example:"off topic, three times"`
	}
}

type memberOutput struct {
	Status int
	Body   memberBody
}

func putMemberOperation() operation {
	return define(Write, memberPrice, huma.Operation{
		OperationID: "put-member", Method: http.MethodPut, Path: "/rooms/{room}/members/{user}",
		Summary: "Join, invite, or change a role",
		Description: "With me and the role member: join a public room. With another user: moderators invite, mute " +
			"and ban, and owners also appoint moderators and owners, who must be members before. An owner's role is " +
			"changed by another owner, so that a room always has one. A mute or ban may have an end and a reason. " +
			"When it ends, the person has the former role again; no change is reported then. In a private room, a " +
			"mute with an end admits nobody. 201 when the user was not in the room before. With strict, 422 for a " +
			"user without a profile.",
		Tags:          []string{"members"},
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The membership in its current state"}},
	}, putMember)
}

func putMember(ctx context.Context, s *server, caller chat.UserID, in *putMemberInput) (*memberOutput, error) {
	room, user, err := in.parse(caller)
	if err != nil {
		return nil, err
	}
	if in.Strict {
		if err := s.service.People.MustExist(ctx, user); err != nil {
			return nil, err
		}
	}
	role, _ := policy.ParseRole(in.Body.Role) // the schema admits only valid names
	m, added, err := s.setMember(ctx, caller, chat.MemberOf{Room: room, User: user}, in, role)
	if err != nil {
		return nil, err
	}
	return &memberOutput{Status: createdStatus(added), Body: memberOf(m)}, nil
}

// setMember calls the service with the role and, for a mute or ban, its end and reason.
func (s *server) setMember(
	ctx context.Context, caller chat.UserID, of chat.MemberOf, in *putMemberInput, role policy.Role,
) (chat.Membership, bool, error) {
	if role == policy.Muted || role == policy.Banned {
		r := membership.Restriction{Role: role, Reason: in.Body.Reason}
		if in.Body.Until != nil {
			var err error
			if r.Until, err = parseTime("until", *in.Body.Until); err != nil {
				return chat.Membership{}, false, err
			}
		}
		return s.service.Members.Restrict(ctx, caller, of, r)
	}
	if in.Body.Until != nil {
		return chat.Membership{}, false, chat.Invalidf("until", "is only for the roles muted and banned")
	}
	if in.Body.Reason != "" {
		return chat.Membership{}, false, chat.Invalidf("reason", "is only for the roles muted and banned")
	}
	return s.service.Members.SetMember(ctx, caller, of, role)
}

func deleteMemberOperation() operation {
	return define(Write, memberPrice, huma.Operation{
		OperationID: "delete-member", Method: http.MethodDelete, Path: "/rooms/{room}/members/{user}",
		Summary: "Leave, remove, or lift a ban",
		Description: "With me: leave. The last owner cannot leave, unless a service owns the room: they hand it " +
			"over, or delete it. Only moderators and owners remove others. A mute stays after leaving, and only a " +
			"moderator or an owner lifts a ban. The person then has the former role again, which the caller must be " +
			"allowed to give.",
		Tags:          []string{"members"},
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusNoContent,
	}, deleteMember)
}

func deleteMember(ctx context.Context, s *server, caller chat.UserID, in *MemberPath) (*struct{}, error) {
	room, user, err := in.parse(caller)
	if err != nil {
		return nil, err
	}
	return nil, s.service.Members.RemoveMember(ctx, caller, chat.MemberOf{Room: room, User: user})
}

type listMembersInput struct {
	RoomPath
	PageQuery
	PeopleQuery
}

type listMembersOutput struct {
	Body struct {
		Items  []memberBody        `json:"items"`
		People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
		Next   string              `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	}
}

func listMembersOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-members", Method: http.MethodGet, Path: "/rooms/{room}/members",
		Summary: "List the members of a room",
		Description: "Sorted by the names that the members had when their memberships last changed. The list omits " +
			"people who have left, and banned people, who have a separate list. In a direct room, and in one of at " +
			"most 50 members unless its receipts are off, people in the room also see how far each has read.",
		Tags:   []string{"members"},
		Errors: []int{http.StatusNotFound},
	}, listMembers)
}

func listMembers(ctx context.Context, s *server, caller chat.UserID, in *listMembersInput) (*listMembersOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	page, showsReceipts, err := s.service.Members.MembersAndReceipts(ctx, caller, room, in.page())
	if err != nil {
		return nil, err
	}
	users := usersOfMembers(page.Items)
	var cards map[string]cardBody
	var receipts map[chat.UserID]inbox.Receipt
	parts, inner := errgroup.WithContext(ctx)
	parts.Go(func() (err error) { cards, err = s.people(inner, users); return err })
	if showsReceipts {
		parts.Go(func() (err error) { receipts, err = s.service.Inbox.Receipts(inner, room, users); return err })
	}
	if err := parts.Wait(); err != nil {
		return nil, err
	}
	out := &listMembersOutput{}
	out.Body.Items, out.Body.Next = each(page.Items, memberOf), page.Next
	for i, user := range users {
		m := &out.Body.Items[i]
		m.Name = cards[m.User].Name
		if r, ok := receipts[user]; ok {
			m.Read = &receiptBody{Message: r.Message.String(), At: wire.TimeText(r.At)}
		}
	}
	if in.includesPeople() {
		out.Body.People = cards
	}
	return out, nil
}
