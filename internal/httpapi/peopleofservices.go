package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
)

// PersonPath is the part of a path that names a person to a service. It is exported for huma, like
// RoomPath.
type PersonPath struct {
	User string `path:"user" format:"user-id" maxLength:"64" doc:"The person's user id: A-Z a-z 0-9 . _ @ | : + = -" example:"bob"`
}

// forService returns the person of a path. The error is Forbidden unless a service makes the
// request on its own behalf.
func (p PersonPath) forService(ctx context.Context) (chat.UserID, error) {
	if !isService(ctx) {
		return "", errForServices()
	}
	user, err := chat.ParseUserID(p.User)
	return user, chat.InField("user", err)
}

func errForServices() error {
	return &chat.Error{
		Kind:   chat.Forbidden,
		Detail: "only services may do this; use a token with the scope for it, and leave out the header " + actAsHeader,
	}
}

type putPersonByIDInput struct {
	PersonPath
	GuardedChange
	Body PersonSettings
}

func putPersonByIDOperation() operation {
	return define(Write, personPrice, huma.Operation{
		OperationID: "put-person-by-id", Method: http.MethodPut, Path: "/people/{user}",
		Security: onlyServices,
		Summary:  "Set a person's profile",
		Description: "For services, which may set anybody's profile, even for people who have never signed in. The " +
			"fields and the answers are as for the caller's own profile: 201 the first time, then 200.",
		Tags:          []string{"people"},
		Errors:        []int{http.StatusPreconditionFailed},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The profile in its current state"}},
	}, putPersonByID)
}

func putPersonByID(ctx context.Context, s *server, _ chat.UserID, in *putPersonByIDInput) (*personOutput, error) {
	user, err := in.forService(ctx)
	if err != nil {
		return nil, err
	}
	return putPerson(ctx, s, user, &putPersonInput{in.GuardedChange, in.Body})
}

func deletePersonOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-person", Method: http.MethodDelete, Path: "/people/{user}",
		Security: onlyServices,
		Summary:  "Delete a person",
		Description: "For services. 202: the person is suspended, with the reason deleted unless they were suspended " +
			"already, and all of their data is removed soon afterwards: memberships, including bans and mutes, the " +
			"profile with its facts, read markers, preferences about rooms, blocks, saved messages, followed threads " +
			"and mentions. Rooms get member.changed, as when a person leaves. If they are a room's only owner, the " +
			"calling service becomes its owner. What they have written and given in rooms stays under their id: " +
			"messages, reactions, votes and documents, which moderators delete. When the work is done, get-person " +
			"answers 404. The id stays suspended until a service ends the suspension; then the person starts over. A " +
			"repeated request also returns 202. It removes data added in the meantime, and resumes a removal that " +
			"has stopped.",
		Tags:          []string{"people"},
		DefaultStatus: http.StatusAccepted,
	}, deletePerson)
}

func deletePerson(ctx context.Context, s *server, caller chat.UserID, in *PersonPath) (*struct{}, error) {
	user, err := in.forService(ctx)
	if err != nil {
		return nil, err
	}
	return nil, s.service.Accounts.Erase(ctx, caller, user)
}
