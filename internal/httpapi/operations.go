package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
)

// Operations are the operations and documents of one function. A binary contains only the code of
// the operations that it names.
type Operations struct {
	function  Function
	list      func() []operation
	documents func() []publicDocument
}

// Writes returns the operations of the write function.
func Writes() Operations {
	return Operations{function: Write, list: writes, documents: func() []publicDocument { return nil }}
}

// Reads returns the operations and the documents of the read function.
func Reads() Operations {
	return Operations{function: Read, list: reads, documents: documents}
}

// Searches returns the operations of the search function.
func Searches() Operations {
	return Operations{function: Search, list: searches, documents: func() []publicDocument { return nil }}
}

// Incomings returns the operation of the incoming function.
func Incomings() Operations {
	return Operations{function: Incoming, list: incomings, documents: func() []publicDocument { return nil }}
}

// All returns the operations of all functions, for programs that run them together.
func All() []Operations {
	return []Operations{Writes(), Reads(), Searches(), Incomings()}
}

// Function returns the function that serves the operations.
func (o Operations) Function() Function { return o.function }

// Function names one of the binaries that serve the API. Each has its own permissions.
type Function string

// The functions that serve HTTP.
const (
	Write  Function = "write"  // puts and updates items
	Read   Function = "read"   // reads only; also serves the documents
	Search Function = "search" // searches messages; also sweeps the index of searches
	// Incoming posts messages of programs that have no token.
	Incoming Function = "incoming"
)

// operation is one entry of the API's table: its OpenAPI description, the function that serves it,
// what it costs the caller, and its registration.
type operation struct {
	huma.Operation
	function Function
	public   bool // needs no token, and its route has a throttle of its own (infra/stack)
	// anyMedia means that the body may have any type, and that the handler reads it.
	anyMedia bool
	price    price
	register func(api huma.API, s *server)
}

// server holds the services that operations use.
type server struct {
	service *app.Services
}

// handler performs an operation for a caller. Its input has passed the schema, and its errors are
// the domain's.
type handler[I, O any] func(ctx context.Context, s *server, caller chat.UserID, in *I) (*O, error)

// define returns the table's entry for an operation. It is the only place where the caller is
// determined and admitted, and where a domain error becomes a problem.
func define[I, O any](function Function, p price, o huma.Operation, handle handler[I, O]) operation {
	if o.Security == nil {
		o.Security = []map[string][]string{{tokenScheme: {}}, {serviceScheme: {}}}
	}
	defined := operationOf(function, o, func(ctx context.Context, s *server, in *I) (*O, error) {
		caller, ctx, err := acting(ctx)
		if err != nil {
			return nil, err
		}
		if err := s.allow(ctx, caller, p); err != nil {
			return nil, err
		}
		gated, admitted := s.admit(ctx, caller, p, in)
		out, err := handle(gated, s, caller, in)
		if denied := admitted(); denied != nil {
			err = denied // regardless of the operation's result
		}
		return out, err
	})
	defined.price = p
	return defined
}

// definePublic returns the table's entry for an operation that has no caller, so that nobody's
// budget pays for it. A token that comes with a request is ignored.
func definePublic[I, O any](
	function Function, o huma.Operation, handle func(ctx context.Context, s *server, in *I) (*O, error),
) operation {
	o.Security = anonymous
	defined := operationOf(function, o, handle)
	defined.public = true
	return defined
}

// createdStatus returns 201 for a request that created something, and 200 for others.
func createdStatus(created bool) int {
	if created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// anonymous is the security of operations that need no token.
var anonymous = []map[string][]string{{}}

// operationOf returns the table's entry for an operation that perform performs.
func operationOf[I, O any](
	function Function, o huma.Operation, perform func(ctx context.Context, s *server, in *I) (*O, error),
) operation {
	o.MaxBodyBytes = cmp.Or(o.MaxBodyBytes, maxBody)
	o.RejectUnknownQueryParameters = true
	return operation{Operation: o, function: function, register: func(api huma.API, s *server) {
		o := o
		_, hasBody := reflect.TypeFor[I]().FieldByName("Body")
		refused := unhonored(o.Method, reflect.TypeFor[I]())
		o.Responses, o.Errors = withFailures(o, hasBody), nil
		huma.Register(api, o, func(ctx context.Context, in *I) (*O, error) {
			if err := refuseHeaders(ctx, refused); err != nil {
				return nil, problemOf(ctx, err)
			}
			out, err := perform(ctx, s, in)
			if err != nil {
				return nil, problemOf(ctx, err)
			}
			return out, nil
		})
		describeAlike(o)
	}}
}

// describeAlike gives an operation's further successes the body and headers of its default
// success, the only one that huma describes.
func describeAlike(o huma.Operation) {
	if created, ok := o.Responses["201"], o.Responses["200"]; created != nil && ok != nil {
		ok.Content, ok.Headers = created.Content, created.Headers
	}
}

// operations returns the table of the API.
func operations() []operation { return slices.Concat(writes(), reads(), searches(), incomings()) }

// writes returns the operations of the write function, by the part of the API.
func writes() []operation {
	return []operation{
		putRoomOperation(), patchRoomOperation(), postRoomOperation(), deleteRoomOperation(),
		putMemberOperation(), deleteMemberOperation(), putOwnerOperation(), postInviteOperation(),
		deleteInviteOperation(), useInviteOperation(),
		postIncomingOperation(), postIncomingSecretOperation(), deleteIncomingOperation(),
		postUploadOperation(), postMessageOperation(), patchMessageOperation(), deleteMessageOperation(),
		putPinOperation(),
		deletePinOperation(), putReactionOperation(), deleteReactionOperation(),
		putVoteOperation(), deleteVoteOperation(), putSavedOperation(),
		deleteSavedOperation(), postReportOperation(), patchReportOperation(),
		putThreadReadOperation(), putFollowOperation(), deleteFollowOperation(),
		putReadOperation(), putPreferencesOperation(), patchNotificationsOperation(),
		putPersonOperation(), patchPersonOperation(), postPictureOperation(), putPersonByIDOperation(),
		deletePersonOperation(), putBlockOperation(), deleteBlockOperation(),
		putSuspensionOperation(), deleteSuspensionOperation(),
		postPeopleOperation(), postRoomsOperation(), postMembershipsOperation(),
		putDocumentOperation(), patchDocumentOperation(), putPartOperation(),
		postEventsOperation(),
		putHookOperation(), deleteHookOperation(), replayHookOperation(), testHookOperation(),
		replaceHookSecretOperation(),
		putRoomHookOperation(), deleteRoomHookOperation(), replayRoomHookOperation(), testRoomHookOperation(),
		replaceRoomHookSecretOperation(),
	}
}

// reads returns the operations of the read function, by the part of the API.
func reads() []operation {
	return []operation{
		getRoomOperation(), listRoomsOperation(),
		listMembersOperation(), getOnlineOperation(), getMemberOperation(), listBansOperation(),
		listInvitesOperation(), getInviteOperation(), listIncomingOperation(),
		listRoomsOfOperation(), listHeadsOperation(),
		listMentionsOperation(), getNotificationsOperation(),
		listMessagesOperation(), getMessageOperation(), listMessageVersionsOperation(),
		listPinsOperation(), postLinksOperation(), listFilesOperation(), listReactionsOperation(), listVotesOperation(),
		listSavedOperation(),
		listReportsOperation(),
		listOpenReportsOperation(),
		listRepliesOperation(), listThreadsOperation(), listOwnThreadsOperation(),
		listChangesOperation(),
		getPersonOperation(), listPeopleOperation(), listBlocksOperation(), getSuspensionOperation(),
		listDocumentsOperation(), getDocumentOperation(), getPartOperation(), listVersionsOperation(),
		getVersionOperation(),
		listEventsOperation(), listAuditOperation(), listPersonAuditOperation(),
		getHookOperation(), listHooksOperation(), listHookChangesOperation(),
		getRoomHookOperation(), listRoomHooksOperation(),
	}
}

// searches returns the operations of the search function.
func searches() []operation {
	return []operation{searchMessagesOperation(), searchRoomOperation()}
}

// incomings returns the operation of the incoming function.
func incomings() []operation { return []operation{useIncomingOperation()} }
