package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/wire"
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

// suspensionBody is a suspension as the API shows it.
type suspensionBody struct {
	User   string `json:"user" example:"bob"`
	At     string `json:"at" format:"date-time" doc:"When it began"`
	By     string `json:"by" doc:"The service that suspended the person, or chat suspend for the command" example:"help-desk"`
	Reason string `json:"reason,omitempty" example:"spam"`
}

type suspensionOutput struct{ Body suspensionBody }

func suspensionOf(user chat.UserID, s account.Suspension) *suspensionOutput {
	return &suspensionOutput{suspensionBody{
		User: string(user), At: wire.TimeText(s.At), By: string(s.By), Reason: s.Reason,
	}}
}

type putSuspensionInput struct {
	PersonPath
	Body struct {
		Reason string `json:"reason,omitempty" maxLength:"500" doc:"At most 500 bytes of UTF-8 on one line, for services and the audit" example:"spam"`
	}
}

func putSuspensionOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-suspension", Method: http.MethodPut, Path: "/people/{user}/suspension",
		Security: onlyServices,
		Summary:  "Suspend a person",
		Description: "For services. Within five seconds nothing is accepted from the person, nor from a service that " +
			"acts for them: every request is answered with 403 (suspended), and their connections are closed. What " +
			"they have written stays. A person who is suspended already stays so, with the first reason. A user id " +
			"that nobody has yet can be suspended, too.",
		Tags: []string{"people"},
	}, putSuspension)
}

func putSuspension(
	ctx context.Context, s *server, caller chat.UserID, in *putSuspensionInput,
) (*suspensionOutput, error) {
	user, err := in.forService(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := s.service.Accounts.Suspend(ctx, caller, user, in.Body.Reason)
	if err != nil {
		return nil, err
	}
	return suspensionOf(user, stored), nil
}

func getSuspensionOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-suspension", Method: http.MethodGet, Path: "/people/{user}/suspension",
		Security:    onlyServices,
		Summary:     "Read whether a person is suspended",
		Description: "For services. 404 if the person is not suspended. A change of the last second may be missing.",
		Tags:        []string{"people"},
		Errors:      []int{http.StatusNotFound},
	}, getSuspension)
}

func getSuspension(ctx context.Context, s *server, _ chat.UserID, in *PersonPath) (*suspensionOutput, error) {
	user, err := in.forService(ctx)
	if err != nil {
		return nil, err
	}
	current, err := s.service.Accounts.Suspension(ctx, user)
	if err != nil {
		return nil, err
	}
	return suspensionOf(user, current), nil
}

func deleteSuspensionOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-suspension", Method: http.MethodDelete, Path: "/people/{user}/suspension",
		Security: onlyServices,
		Summary:  "End a suspension",
		Description: "For services. The person may write immediately, and read within five seconds. It also succeeds " +
			"for a person who is not suspended. 409 while the person is being deleted.",
		Tags:          []string{"people"},
		Errors:        []int{http.StatusConflict},
		DefaultStatus: http.StatusNoContent,
	}, deleteSuspension)
}

func deleteSuspension(ctx context.Context, s *server, caller chat.UserID, in *PersonPath) (*struct{}, error) {
	user, err := in.forService(ctx)
	if err != nil {
		return nil, err
	}
	_, err = s.service.Accounts.EndSuspension(ctx, caller, user)
	return nil, err
}

type listPersonAuditInput struct {
	PersonPath
	LogQuery
}

func listPersonAuditOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-person-audit", Method: http.MethodGet, Path: "/people/{user}/audit",
		Security: onlyServices,
		Summary:  "List the audit of a person",
		Description: "For services, newest first: when the person was suspended, by which service and for which " +
			"reason, and when that ended; and when their deletion was asked for. Entries expire after 30 days, " +
			"unless the deployment sets another time.",
		Tags: []string{"activity"},
	}, listPersonAudit)
}

func listPersonAudit(
	ctx context.Context, s *server, _ chat.UserID, in *listPersonAuditInput,
) (*listAuditOutput, error) {
	user, err := in.forService(ctx)
	if err != nil {
		return nil, err
	}
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	page, err := s.service.Activity.PersonAudit(ctx, user, q)
	if err != nil {
		return nil, err
	}
	return auditOf(page), nil
}
