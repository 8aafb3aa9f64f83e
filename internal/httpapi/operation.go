package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
	"parley/internal/problem"
)

// Function is the role of a binary: each has rights of its own.
type Function string

// The functions that serve HTTP.
const (
	Write Function = "write" // puts and updates items
	Read  Function = "read"  // reads only; also serves the documents
)

// operation is one entry of the API's table: what OpenAPI says of it, which function
// serves it, and how it is registered.
type operation struct {
	huma.Operation
	function Function
	register func(api huma.API, s *server)
}

// operations is the table of the API.
func operations() []operation {
	return []operation{
		putRoomOperation(),
		postRoomOperation(),
		getRoomOperation(),
		listRoomsOperation(),
		putMemberOperation(),
		deleteMemberOperation(),
		listMembersOperation(),
		listRoomsOfOperation(),
		postMessageOperation(),
		listMessagesOperation(),
		getMessageOperation(),
		patchMessageOperation(),
		deleteMessageOperation(),
		listMessageVersionsOperation(),
		listChangesOperation(),
		putReadOperation(),
		putPersonOperation(),
		getPersonOperation(),
		listPeopleOperation(),
		putDocumentOperation(),
		listDocumentsOperation(),
		getDocumentOperation(),
		putPartOperation(),
		getPartOperation(),
		listVersionsOperation(),
		getVersionOperation(),
		postEventsOperation(),
		listEventsOperation(),
		listAuditOperation(),
	}
}

// server is what the operations share.
type server struct {
	service *chat.Services
}

// handler does one operation for a caller. Input is decoded and checked
// against its schema; errors are the domain's.
type handler[I, O any] func(ctx context.Context, s *server, caller chat.UserID, in *I) (*O, error)

// define makes a table entry of an operation and its handler. This is
// the one place where a caller enters and a domain error becomes a problem.
func define[I, O any](function Function, o huma.Operation, handle handler[I, O]) operation {
	o.MaxBodyBytes = maxBody
	o.RejectUnknownQueryParameters = true
	o.Security = []map[string][]string{{tokenScheme: {}}}
	return operation{Operation: o, function: function, register: func(api huma.API, s *server) {
		o := o
		o.Responses = withProblem(api, o.Responses)
		huma.Register(api, o, func(ctx context.Context, in *I) (*O, error) {
			caller, err := callerOf(ctx)
			if err != nil {
				return nil, err
			}
			out, err := handle(ctx, s, caller, in)
			if err != nil {
				return nil, problemOf(ctx, err)
			}
			return out, nil
		})
	}}
}

// withProblem documents the errors that every operation may answer with: a problem, or a message of
// API Gateway's.
func withProblem(api huma.API, responses map[string]*huma.Response) map[string]*huma.Response {
	all := map[string]*huma.Response{"default": {
		Description: "A problem (RFC 9457), or a message where API Gateway answers by itself",
		Content: map[string]*huma.MediaType{
			problem.MediaType: {Schema: errorSchema[problem.Problem](api, "Problem")},
			jsonType:          {Schema: errorSchema[GatewayMessage](api, "GatewayMessage")},
		},
	}}
	for status, r := range responses {
		all[status] = r
	}
	return all
}
