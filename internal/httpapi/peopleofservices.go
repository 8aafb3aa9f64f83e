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
