package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
)

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
