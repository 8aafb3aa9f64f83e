package httpapi

import (
	"context"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

// personEntry is a profile of a bulk request.
type personEntry struct {
	User string `json:"user" format:"user-id" maxLength:"64" doc:"The person's user id" example:"e129"`
	PersonSettings
}

func (e personEntry) ids() BulkIDs { return BulkIDs{User: e.User} }

func (personEntry) price() price { return personPrice }

type postPeopleInput struct {
	Body struct {
		Items []entry[personEntry] `json:"items" minItems:"1" maxItems:"1000" doc:"Profiles, each of another person"`
	}
}

func postPeopleOperation() operation {
	return defineBulk(huma.Operation{
		OperationID: "post-people", Path: "/bulk/people", Tags: []string{"people"},
		Summary:     "Set the profiles of many people",
		Description: "For services. Each entry is what PUT /people/{user} accepts, with the user.",
	}, postPeople)
}

func postPeople(ctx context.Context, s *server, caller chat.UserID, in *postPeopleInput) (*bulkOutput, error) {
	return runBulk(ctx, s, caller, parseEntries(in.Body.Items), func(ctx context.Context, e personEntry) (bool, error) {
		user, err := chat.ParseUserID(e.User)
		if err != nil {
			return false, chat.InField("user", err)
		}
		_, created, err := s.putProfile(ctx, user, e.PersonSettings, nil)
		return created, err
	}), nil
}

// roomEntry is a room of a bulk request.
type roomEntry struct {
	ID string `json:"id" format:"slug" maxLength:"64" doc:"The room's id: a-z, 0-9 and inner -" example:"seattle"`
	RoomSettings
}

func (e roomEntry) ids() BulkIDs { return BulkIDs{ID: e.ID} }

func (roomEntry) price() price { return roomPrice }

type postRoomsInput struct {
	Body struct {
		Items []entry[roomEntry] `json:"items" minItems:"1" maxItems:"1000" doc:"Rooms, each with another id"`
	}
}

func postRoomsOperation() operation {
	return defineBulk(huma.Operation{
		OperationID: "post-rooms", Path: "/bulk/rooms", Tags: []string{"rooms"},
		Summary:     "Create many rooms, or replace their settings",
		Description: "For services. Each entry is what PUT /rooms/{room} accepts, with the id.",
	}, postRooms)
}

func postRooms(ctx context.Context, s *server, caller chat.UserID, in *postRoomsInput) (*bulkOutput, error) {
	return runBulk(ctx, s, caller, parseEntries(in.Body.Items), func(ctx context.Context, e roomEntry) (bool, error) {
		id, err := chat.ParseRoomID(e.ID)
		if err != nil {
			return false, chat.InField("id", err)
		}
		if err := e.checkVisibility(ctx, id); err != nil {
			return false, err
		}
		_, created, err := s.service.PutRoom(ctx, caller, id, e.draft())
		return created, err
	}), nil
}

// membershipEntry is a membership of a bulk request.
type membershipEntry struct {
	Room string `json:"room" format:"slug" maxLength:"64" doc:"The room's id: a-z, 0-9 and inner -" example:"seattle"`
	User string `json:"user" format:"user-id" maxLength:"64" doc:"The person's user id" example:"e129"`
	Role string `json:"role" enum:"owner,moderator,member"`
}

func (e membershipEntry) ids() BulkIDs { return BulkIDs{Room: e.Room, User: e.User} }

func (membershipEntry) price() price { return memberPrice }

// targetCosts returns what the entry costs as a request of its own.
func (e membershipEntry) targetCosts(caller chat.UserID) []targetCost {
	return MemberPath{RoomPath{e.Room}, e.User}.targetCosts(caller)
}

type postMembershipsInput struct {
	Body struct {
		Items  []entry[membershipEntry] `json:"items" minItems:"1" maxItems:"1000" doc:"Memberships, each of another person or room"`
		Strict bool                     `json:"strict,omitempty" doc:"Refuse the entries of user ids without a profile, so that a typo adds nobody"`
	}
}

func postMembershipsOperation() operation {
	return defineBulk(huma.Operation{
		OperationID: "post-memberships", Path: "/bulk/memberships", Tags: []string{"members"},
		Summary: "Give many people roles in rooms",
		Description: "For services. Each entry is like a PUT /rooms/{room}/members/{user}. " +
			"Somebody who becomes a moderator or an owner without being in the room joins as a member first.",
	}, postMemberships)
}

func postMemberships(
	ctx context.Context, s *server, caller chat.UserID, in *postMembershipsInput,
) (*bulkOutput, error) {
	entries := parseEntries(in.Body.Items)
	var known map[chat.UserID]bool
	if in.Body.Strict {
		var err error
		if known, err = s.known(ctx, entries); err != nil {
			return nil, err
		}
	}
	return runBulk(ctx, s, caller, entries, func(ctx context.Context, e membershipEntry) (bool, error) {
		of, err := e.member()
		if err == nil && in.Body.Strict && !known[of.User] {
			err = s.service.People.MustExist(ctx, of.User) // the profile may be a moment old
		}
		if err != nil {
			return false, err
		}
		return s.putMembership(ctx, caller, of, e.Role)
	}), nil
}

// putMembership gives a person a role, and reports whether they were not in the room before.
// Somebody who becomes a moderator or an owner joins as a member first.
func (s *server) putMembership(
	ctx context.Context, caller chat.UserID, of chat.MemberOf, name string,
) (added bool, err error) {
	role, _ := policy.ParseRole(name) // the schema admits only valid names
	_, added, err = s.service.Members.SetMember(ctx, caller, of, role)
	if role == policy.Member || chat.KindOf(err) != chat.Conflict {
		return added, err
	}
	if _, added, err = s.service.Members.SetMember(ctx, caller, of, policy.Member); err != nil {
		return false, err
	}
	_, _, err = s.service.Members.SetMember(ctx, caller, of, role)
	return added, err
}

// known returns the users of entries who have a profile, except perhaps one of the last second.
func (s *server) known(ctx context.Context, entries []parsed[membershipEntry]) (map[chat.UserID]bool, error) {
	var users []chat.UserID
	for _, e := range entries {
		if e.refused == nil {
			users = append(users, chat.UserID(e.given.User))
		}
	}
	slices.Sort(users)
	return s.service.People.WithProfiles(ctx, slices.Compact(users))
}

// member returns the room and the user of an entry.
func (e membershipEntry) member() (of chat.MemberOf, err error) {
	if of.Room, err = chat.ParseRoomID(e.Room); err != nil {
		return of, chat.InField("room", err)
	}
	of.User, err = chat.ParseUserID(e.User)
	return of, chat.InField("user", err)
}
