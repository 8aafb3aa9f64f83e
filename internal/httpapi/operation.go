package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
)

// Function is the role of a binary: each has rights of its own.
type Function string

// The functions that serve HTTP.
const (
	Write Function = "write" // puts and updates items
	Read  Function = "read"  // reads only; also serves the documents
)

// Route is one route of the API: what API Gateway sends where.
type Route struct {
	Method   string
	Path     string // "/rooms/{room}"
	Function Function
	Public   bool // needs no token
}

// Routes lists every route of the API. The code serves these and the stack
// is made from them; there is no other list.
func Routes() []Route {
	var routes []Route
	for _, o := range operations() {
		routes = append(routes, Route{Method: o.Method, Path: o.Path, Function: o.function})
	}
	for _, d := range documents() {
		routes = append(routes, Route{Method: http.MethodGet, Path: d.path, Function: Read, Public: true})
	}
	return routes
}

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
	service *chat.Service
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
	at := locations{}
	at.add(reflect.TypeFor[I]())
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
				return nil, problemOf(ctx, err, at)
			}
			return out, nil
		})
	}}
}

// withProblem documents the problem that every operation may answer with.
func withProblem(api huma.API, responses map[string]*huma.Response) map[string]*huma.Response {
	all := map[string]*huma.Response{"default": {
		Description: "A problem (RFC 9457)",
		Content:     map[string]*huma.MediaType{problemType: {Schema: problemSchema(api)}},
	}}
	for status, r := range responses {
		all[status] = r
	}
	return all
}

// locations tells where an operation's parameters stand, by name.
type locations map[string]string

// add notes the parameters of an input and of what it embeds.
func (l locations) add(input reflect.Type) {
	for i := range input.NumField() {
		f := input.Field(i)
		if f.Anonymous {
			l.add(f.Type)
		}
		for _, where := range []string{"path", "query", "header"} {
			if name := f.Tag.Get(where); name != "" {
				l[name] = where + "." + name
			}
		}
	}
}

// of is where a field stands: what is no parameter is in the body.
func (l locations) of(field string) string {
	if where, ok := l[field]; ok {
		return where
	}
	return "body." + field
}
