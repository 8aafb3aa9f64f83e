package httpapi

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/people"
)

// The values of include: the people in a response, and the number of a room's members.
const (
	includePeople = "people"
	includeCount  = "count"
	includeHeads  = "heads"
)

// PeopleQuery is the part of a query that asks for the people in a response. It is exported for
// huma, like RoomPath.
type PeopleQuery struct {
	Include []string `query:"include" enum:"people" maxItems:"1" doc:"people: the answer also has the name, avatar and status of everyone in it" example:"people"`
}

// people returns the cards of users if the query asks for them, and otherwise nil.
func (q PeopleQuery) people(ctx context.Context, s *server, users []chat.UserID) (map[string]cardBody, error) {
	if !q.includesPeople() {
		return nil, nil
	}
	return s.people(ctx, users)
}

func (q PeopleQuery) includesPeople() bool { return slices.Contains(q.Include, includePeople) }

// cardBody is how a response shows a person who occurs in it.
type cardBody struct {
	Name     string `json:"name" doc:"The id of a person without a profile" example:"Rhianna Cohen"`
	Skeleton string `json:"skeleton" doc:"What the name looks like: names that look alike have the same. Compare it, and never show or store it" example:"rhlanna cohen"`
	Avatar   string `json:"avatar,omitempty" format:"uri" doc:"The https URL of a picture; absent without one" example:"https://example.com/rhianna.png"`
	Picture  string `json:"picture,omitempty" doc:"The SHA-256 of an uploaded picture, whose address list-people gives with ids; absent without one" example:"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="`
	Kind     string `json:"kind,omitempty" enum:"bot" doc:"bot for the account of a program; absent for a person"`

	Status *statusBody `json:"status,omitempty" doc:"Absent without one, and after its end"`
}

func cardOf(c people.Card) cardBody {
	return cardBody{
		Name: c.Name, Skeleton: c.Skeleton, Avatar: c.Avatar, Picture: c.Picture, Kind: kindOfBot(c.Bot),
		Status: statusOf(c.Status),
	}
}

// kindOfBot returns the kind of a bot, and "" for a person. Lists of people omit the usual kind.
func kindOfBot(bot bool) string {
	if bot {
		return kindBot
	}
	return ""
}

// people returns the cards of users by their ids. Users may repeat, and the empty id is skipped,
// so that callers need not check optional fields.
func (s *server) people(ctx context.Context, users []chat.UserID) (map[string]cardBody, error) {
	users = slices.DeleteFunc(slices.Clone(users), func(user chat.UserID) bool { return user == "" })
	cards, err := s.service.People.Cards(ctx, users)
	if err != nil {
		return nil, err
	}
	bodies := make(map[string]cardBody, len(cards))
	for user, card := range cards {
		bodies[string(user)] = cardOf(card)
	}
	return bodies, nil
}

// usersOfMessages returns the people that messages show.
func usersOfMessages(messages []chat.Message) []chat.UserID {
	var users []chat.UserID
	for _, m := range messages {
		users = append(users, m.ID.User, m.DeletedBy)
	}
	return users
}

// usersOfChanges returns the people that changes show.
func usersOfChanges(entries []feed.Entry) []chat.UserID {
	var users []chat.UserID
	for _, e := range entries {
		users = append(users, e.Change.User, e.Change.Message.User)
		if e.Message != nil {
			users = append(users, usersOfMessages([]chat.Message{*e.Message})...)
		}
	}
	return users
}

func usersOfMembers(memberships []chat.Membership) []chat.UserID {
	return each(memberships, func(m chat.Membership) chat.UserID { return m.User })
}

// usersOfRooms returns the people that rooms show.
func usersOfRooms(rooms []chat.Room) []chat.UserID {
	return each(rooms, func(r chat.Room) chat.UserID { return r.CreatedBy })
}
