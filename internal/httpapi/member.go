package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
)

type getMemberOutput struct {
	Body memberBody
}

func getMemberOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-member", Method: http.MethodGet, Path: "/rooms/{room}/members/{user}",
		Summary: "Get a member of a room",
		Description: "404 when the person is not in the room. Moderators and owners also get banned people, and " +
			"banned people get their own ban from a public room.",
		Tags:   []string{"members"},
		Errors: []int{http.StatusNotFound},
	}, getMember)
}

func getMember(ctx context.Context, s *server, caller chat.UserID, in *MemberPath) (*getMemberOutput, error) {
	room, user, err := in.parse(caller)
	if err != nil {
		return nil, err
	}
	m, err := s.service.Members.Member(ctx, caller, chat.MemberOf{Room: room, User: user})
	if err != nil {
		return nil, err
	}
	return &getMemberOutput{Body: memberOf(m)}, nil
}

type putOwnerInput struct {
	RoomPath
	Body struct {
		User string `json:"user" format:"user-id" maxLength:"64" doc:"The user id of a member of the room" example:"bob"`
	}
}

func putOwnerOperation() operation {
	return define(Write, memberPrice, huma.Operation{
		OperationID: "put-owner", Method: http.MethodPut, Path: "/rooms/{room}/owner",
		Summary: "Hand a room over",
		Description: "For owners. In one step, a member becomes an owner and the caller a moderator. A room may have " +
			"several owners: to appoint another one and stay an owner, change the person's role. A service that owns " +
			"the room gives it away. A service that acts for an owner may name itself: then it owns the room, " +
			"without being a member.",
		Tags:   []string{"members"},
		Errors: []int{http.StatusNotFound, http.StatusConflict},
	}, putOwner)
}

func putOwner(ctx context.Context, s *server, caller chat.UserID, in *putOwnerInput) (*getMemberOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	user, err := chat.ParseUserID(in.Body.User)
	if err != nil {
		return nil, chat.InField("user", err)
	}
	m, err := s.service.Members.HandOver(ctx, caller, chat.MemberOf{Room: room, User: user})
	if err != nil {
		return nil, err
	}
	return &getMemberOutput{Body: memberOf(m)}, nil
}

type listBansInput struct {
	RoomPath
	PageQuery
	PeopleQuery
}

type listBansOutput struct {
	Body struct {
		Items  []memberBody        `json:"items"`
		People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
		Next   string              `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	}
}

func listBansOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-bans", Method: http.MethodGet, Path: "/rooms/{room}/bans",
		Summary:     "List the people who are banned from a room",
		Description: "By name, for moderators and owners. Bans that have ended are left out.",
		Tags:        []string{"members"},
		Errors:      []int{http.StatusNotFound},
	}, listBans)
}

func listBans(ctx context.Context, s *server, caller chat.UserID, in *listBansInput) (*listBansOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	page, err := s.service.Members.Bans(ctx, caller, room, in.page())
	if err != nil {
		return nil, err
	}
	out := &listBansOutput{}
	if out.Body.People, err = in.people(ctx, s, usersOfMembers(page.Items)); err != nil {
		return nil, err
	}
	out.Body.Items, out.Body.Next = each(page.Items, memberOf), page.Next
	return out, nil
}

type getOnlineOutput struct {
	Body onlineBody `nameHint:"Online"`
}

// onlineBody lists who is online in a room.
type onlineBody struct {
	Count int      `json:"count" doc:"How many people; 1,000 means that many or more"`
	Users []string `json:"users" doc:"The user ids of at most 50 of them, in order" example:"[\"amsg\"]"`
}

func getOnlineOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-online", Method: http.MethodGet, Path: "/rooms/{room}/online",
		Summary: "Read who is online in a room",
		Description: "The people with a live connection that is subscribed to the room, each once, in any role, " +
			"except people who have blocked the caller. A connection that was lost without being closed may count " +
			"for some minutes. In a small room, live connections are notified when people come and go.",
		Tags:   []string{"members"},
		Errors: []int{http.StatusNotFound},
	}, getOnline)
}

func getOnline(ctx context.Context, s *server, caller chat.UserID, in *RoomPath) (*getOnlineOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	online, err := s.service.Live.Online(ctx, caller, room)
	if err != nil {
		return nil, err
	}
	users := each(online.Users, func(user chat.UserID) string { return string(user) })
	return &getOnlineOutput{Body: onlineBody{Count: online.Count, Users: users}}, nil
}
