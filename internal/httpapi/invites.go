package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/wire"
)

// InviteBody is an invitation as the API shows it.
type InviteBody struct {
	ID        string `json:"id" doc:"Names the invitation; it admits nobody" example:"9f86d081884c7d659a2feaa0c55ad015"`
	Room      string `json:"room" example:"seattle"`
	Role      string `json:"role" enum:"member,moderator" doc:"The role of the people who come in"`
	CreatedBy string `json:"createdBy" doc:"The invitation admits people only while this user may invite" example:"amsg"`
	CreatedAt string `json:"createdAt" format:"date-time"`
	Expires   string `json:"expires" format:"date-time" doc:"From then on it admits nobody"`
	MaxUses   int    `json:"maxUses" doc:"How many people it admits"`
	Uses      int    `json:"uses" doc:"How many people have come in"`
}

func inviteOf(i invite.Invitation) InviteBody {
	return InviteBody{
		ID: string(i.ID), Room: string(i.Room), Role: i.Role.String(), CreatedBy: string(i.CreatedBy),
		CreatedAt: wire.TimeText(i.CreatedAt), Expires: wire.TimeText(i.Expires), MaxUses: i.MaxUses, Uses: i.Uses,
	}
}

// createdInviteBody is an invitation with its token. The embedded type has an exported name,
// because the document omits the properties of unexported ones.
type createdInviteBody struct {
	InviteBody
	Token string `json:"token" doc:"For POST /invites/{token}. Only this answer has it; the server stores its hash" example:"mfrggzdfmztwq2lkmfrggzdfmztwq2lk"`
}

type postInviteInput struct {
	RoomPath
	Body struct {
		Role    string  `json:"role,omitempty" enum:"member,moderator" doc:"The role of the people who come in; default: member. Only owners invite moderators"`
		Expires *string `json:"expires,omitempty" format:"instant" doc:"When it ends, at most 30 days ahead; default: in 7 days" example:"2018-09-05T12:00:00Z"`
		MaxUses int     `json:"maxUses,omitempty" minimum:"1" maximum:"1000" doc:"How many people it admits; default: 100" example:"10"`
	}
}

type postInviteOutput struct {
	Body createdInviteBody
}

func postInviteOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "post-invite", Method: http.MethodPost, Path: "/rooms/{room}/invites",
		Summary: "Create an invitation link",
		Description: "For moderators and owners. Everybody with the token may come in, also to a private room. A " +
			"room has at most 50 live invitations. A retry creates another invitation, since the token of the first " +
			"was lost with its answer: revoke that one, or let it expire. Direct and archived rooms have no " +
			"invitations.",
		Tags:          []string{"members"},
		DefaultStatus: http.StatusCreated,
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
	}, postInvite)
}

func postInvite(ctx context.Context, s *server, caller chat.UserID, in *postInviteInput) (*postInviteOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	d := invite.Draft{MaxUses: in.Body.MaxUses}
	if in.Body.Role != "" {
		d.Role, _ = policy.ParseRole(in.Body.Role) // the schema admits only valid names
	}
	if in.Body.Expires != nil {
		if d.Expires, err = parseTime("expires", *in.Body.Expires); err != nil {
			return nil, err
		}
	}
	i, token, err := s.service.Invites.Create(ctx, caller, room, d)
	if err != nil {
		return nil, err
	}
	return &postInviteOutput{Body: createdInviteBody{inviteOf(i), token}}, nil
}

type listInvitesInput struct {
	RoomPath
	PageQuery
}

type listInvitesOutput struct {
	Body struct {
		Items []InviteBody `json:"items"`
		Next  string       `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	}
}

func listInvitesOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-invites", Method: http.MethodGet, Path: "/rooms/{room}/invites",
		Summary: "List the live invitations of a room",
		Description: "For moderators and owners, newest first, without tokens. The list omits invitations that have " +
			"expired, are used up or were revoked. It may be behind by a second.",
		Tags:   []string{"members"},
		Errors: []int{http.StatusNotFound},
	}, listInvites)
}

func listInvites(ctx context.Context, s *server, caller chat.UserID, in *listInvitesInput) (*listInvitesOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	page, err := s.service.Invites.Invitations(ctx, caller, room, in.page())
	if err != nil {
		return nil, err
	}
	out := &listInvitesOutput{}
	out.Body.Items, out.Body.Next = each(page.Items, inviteOf), page.Next
	return out, nil
}

type deleteInviteInput struct {
	RoomPath
	Invite string `path:"invite" format:"invite-id" doc:"The invitation's id, which is not its token" example:"9f86d081884c7d659a2feaa0c55ad015"`
}

func deleteInviteOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-invite", Method: http.MethodDelete, Path: "/rooms/{room}/invites/{invite}",
		Summary: "Revoke an invitation",
		Description: "For moderators and owners. The invitation admits nobody from then on; people whom it admitted " +
			"stay. Revoking it again changes nothing.",
		Tags:          []string{"members"},
		Errors:        []int{http.StatusNotFound},
		DefaultStatus: http.StatusNoContent,
	}, deleteInvite)
}

func deleteInvite(ctx context.Context, s *server, caller chat.UserID, in *deleteInviteInput) (*struct{}, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	id, err := invite.ParseID(in.Invite)
	if err != nil {
		return nil, err
	}
	return nil, s.service.Invites.Revoke(ctx, caller, room, id)
}

// InvitePath is the path of an invitation of which the caller has the token.
type InvitePath struct {
	Token string `path:"token" format:"invite-token" doc:"The token of an invitation" example:"mfrggzdfmztwq2lkmfrggzdfmztwq2lk"`
}

// InvitationBody is what an invitation says to the person who opens it.
type InvitationBody struct {
	Room       string `json:"room" example:"seattle"`
	Name       string `json:"name" doc:"The room's name" example:"Seattle"`
	Visibility string `json:"visibility" enum:"public,private"`
	Role       string `json:"role" enum:"member,moderator" doc:"The role of the people who come in"`
	CreatedBy  string `json:"createdBy" doc:"Who invites" example:"amsg"`
	Inviter    string `json:"inviter" doc:"Their name" example:"Rhianna Cohen"`
	Expires    string `json:"expires" format:"date-time" doc:"From then on it admits nobody"`
}

type getInviteOutput struct {
	Body InvitationBody
}

func getInviteOperation() operation {
	return definePublic(Read, huma.Operation{
		OperationID: "get-invite", Method: http.MethodGet, Path: "/invites/{token}",
		Summary: "Say who invites where; needs no access token",
		Description: "For everybody who has the invitation's token, signed in or not: it would let them in. 404 when " +
			"it admits nobody, for whichever reason: it is unknown, expired, revoked or used up, its creator may no " +
			"longer invite, or the room is archived or deleted. Reading it does not use it up.",
		Tags:   []string{"members"},
		Errors: []int{http.StatusNotFound},
	}, getInvite)
}

func getInvite(ctx context.Context, s *server, in *InvitePath) (*getInviteOutput, error) {
	i, room, err := s.service.Invites.Look(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	cards, err := s.people(ctx, []chat.UserID{i.CreatedBy})
	if err != nil {
		return nil, err
	}
	return &getInviteOutput{Body: InvitationBody{
		Room: string(room.ID), Name: room.Name, Visibility: visibilityOf(room), Role: i.Role.String(),
		CreatedBy: string(i.CreatedBy), Inviter: cards[string(i.CreatedBy)].Name, Expires: wire.TimeText(i.Expires),
	}}, nil
}

func useInviteOperation() operation {
	return define(Write, memberPrice, huma.Operation{
		OperationID: "use-invite", Method: http.MethodPost, Path: "/invites/{token}",
		Summary: "Come in by an invitation",
		Description: "201 with the membership, and one use is taken. 200 for people who are in the room: nothing " +
			"changes, so a retry is safe. A mute stays in effect. 404 when it does not admit the caller, for " +
			"whichever reason: it is unknown, expired, revoked or used up, its creator may no longer invite, the " +
			"room is archived or deleted, or the caller is banned from it.",
		Tags:          []string{"members"},
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The membership of a person who is in the room"}},
	}, useInvite)
}

func useInvite(ctx context.Context, s *server, caller chat.UserID, in *InvitePath) (*memberOutput, error) {
	m, joined, err := s.service.Invites.Use(ctx, caller, in.Token)
	if err != nil {
		return nil, err
	}
	return &memberOutput{Status: createdStatus(joined), Body: memberOf(m)}, nil
}
