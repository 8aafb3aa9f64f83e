package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/wire"
)

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
