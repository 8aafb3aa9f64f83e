package stack_test

import (
	stdcmp "cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/infra/config"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/test/rights"
)

// needs are the code's requirements of the stack. They are read from the code, so that no check
// compares the stack with a copy of itself.
type needs struct {
	routes    []httpapi.Route
	variables map[string][]string // by function
	endpoints map[string][]string // by function: names of variables for endpoints, which only dev has
	grants    map[string][]string // by function: "dynamodb:Query index"
	calls     rights.Calls        // by function, as recorded by suites
}

// functions are the folders below functions/ that the stack deploys, with the first word of their
// logical ids.
var functions = map[string]string{"write": "Write", "read": "Read", "search": "Search", "incoming": "Incoming", "feed": "Feed", "socket": "Socket", "authorizer": "Authorizer"}

// optional are the folders of functions that only some deployments have.
var optional = map[string]string{"canary": "Canary", "page": "Page", "outbox": "Outbox", "deliver": "Deliver"}

// functions returns the functions of a deployment.
func (i *inspection) functions() map[string]string {
	all := maps.Clone(functions)
	for name, exists := range map[string]bool{"outbox": i.config.API.Hooks != config.Off, "deliver": i.config.API.Hooks != config.Off, "canary": i.config.Alarms.Canary, "page": i.config.Page.Served() || i.config.Tokens.OwnKeys()} {
		if exists {
			all[name] = optional[name]
		}
	}
	return all
}

// everyFunction returns the functions of all deployments.
func everyFunction() map[string]string {
	all := maps.Clone(functions)
	maps.Copy(all, optional)
	return all
}

// behindAPI reports whether operations are defined for a function. The others are all reached from
// their main.
func behindAPI(function string) bool {
	return slices.Contains([]string{"write", "read", "search", "incoming"}, function)
}

func readNeeds() (needs, error) {
	c, err := load("functions/write", "functions/read", "functions/search", "functions/incoming", "functions/feed", "functions/canary", "functions/socket", "functions/authorizer", "functions/page", "functions/outbox", "functions/deliver", "internal/outboxfn", "internal/deliverfn", "internal/hook", "internal/hookqueue", "internal/timer", "internal/outgoing", "internal/pagefn", "internal/httpapi", "internal/dynamo", "internal/feedfn", "internal/stream", "internal/activity",
		"internal/document", "internal/feed", "internal/people", "internal/chat", "internal/inbox", "internal/membership", "internal/block", "internal/report", "internal/invite", "internal/incoming", "internal/slacktext", "internal/reaction", "internal/tally", "internal/app",
		"internal/erase", "internal/ratelimit", "internal/socketapi", "internal/socketauth", "internal/socketfn", "internal/live", "internal/apigw", "internal/attachment", "internal/bucket", "internal/picture", "internal/quote", "internal/apifn", "internal/search", "internal/config")
	if err != nil {
		return needs{}, err
	}
	calls, err := readCalls()
	if err != nil {
		return needs{}, err
	}
	n := needs{
		routes: httpapi.GatewayRoutes(), variables: map[string][]string{}, endpoints: map[string][]string{}, grants: map[string][]string{}, calls: calls,
	}
	for f := range everyFunction() {
		main := c.find("functions/"+f, "main")
		if main == nil {
			return needs{}, fmt.Errorf("functions/%s has no main", f)
		}
		handlers := c.handlers(f)
		if len(handlers) == 0 && behindAPI(f) {
			return needs{}, fmt.Errorf("no operation is defined for function %s", f)
		}
		if behindAPI(f) { // the edge around the operations, which charges for each
			handlers = append(handlers, c.find("internal/httpapi", "bill.settle"))
		}
		if f == "search" { // which Lambda calls by an interface
			handlers = append(handlers, c.find("internal/apifn", "SearchFunction.Invoke"))
		}
		if f == "feed" { // which Lambda calls by an interface
			handlers = append(handlers, c.find("internal/feedfn", "Function.Invoke"), c.find("internal/attachment", "Projection.Project"))
		}
		bodies := c.reach(append(handlers, main), route{c.implementation, onStore, c.defines})
		n.variables[f] = c.variables(bodies, "PARLEY_")
		n.endpoints[f] = c.variables(bodies, "AWS_ENDPOINT_URL_")
		n.grants[f] = c.grantsOf(bodies)
	}
	return n, nil
}

// defines reports whether a function creates table entries. It names the handlers of every
// function, but does not call them.
func (c *code) defines(body *ast.FuncDecl) bool { return len(definitions(body)) > 0 }

// definitions returns the calls define(Function, price, operation, handler) and
// definePublic(Function, operation, handler) in a body.
func definitions(body *ast.FuncDecl) []*ast.CallExpr {
	var calls []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			id, ok := call.Fun.(*ast.Ident)
			if ok && (id.Name == "define" && len(call.Args) == 4 || id.Name == "definePublic" && len(call.Args) == 3) {
				calls = append(calls, call)
			}
		}
		return true
	})
	return calls
}

// handlers returns the handlers that the operations of a function call.
func (c *code) handlers(function string) []*types.Func {
	var handlers []*types.Func
	for _, body := range c.bodies {
		for _, call := range definitions(body) {
			role, _ := call.Args[0].(*ast.Ident)
			handler, _ := call.Args[len(call.Args)-1].(*ast.Ident)
			if role == nil || handler == nil || !strings.EqualFold(role.Name, function) {
				continue
			}
			if f, ok := c.info.Uses[handler].(*types.Func); ok {
				handlers = append(handlers, f)
			}
		}
	}
	return handlers
}

// implementation resolves a method of a store's interface to the store on DynamoDB, and a method of
// the feed's failures to the queue.
func (c *code) implementation(f *types.Func) *types.Func {
	recv := f.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) || f.Pkg() == nil {
		return nil
	}
	contract := strings.TrimPrefix(f.Pkg().Path(), module) + "." + typeName(f.Signature())
	to, ok := contracts[contract]
	if !ok && strings.HasPrefix(contract, "internal/chat.") && strings.HasSuffix(contract, "Store") {
		to, ok = onTable, true // a part of chat.Store
	}
	if !ok {
		return nil
	}
	return c.find(to.pkg, to.typ+"."+f.Name())
}

// contracts are the interfaces between packages, with the types that implement them in a function.
var (
	onTable   = namedType{"internal/dynamo", "Store"}
	onLive    = namedType{"internal/live", "Table"}
	poster    = namedType{"internal/apigw", "Client"}
	inLive    = namedType{"internal/live", "Service"}
	inChat    = namedType{"internal/chat", "Service"}
	contracts = map[string]namedType{
		"internal/people.Pictures":    {"internal/picture", "Service"},
		"internal/feed.Store":         onTable,
		"internal/hook.Tails":         onTable,
		"internal/hook.Queue":         {"internal/hookqueue", "Queue"},
		"internal/deliverfn.Queue":    {"internal/hookqueue", "Queue"},
		"internal/inbox.Source":       onTable,
		"internal/search.Source":      onTable,
		"internal/incoming.Messages":  onTable,
		"internal/search.Rooms":       {"internal/inbox", "Service"},
		"internal/tally.Store":        onTable,
		"internal/thread.Messages":    onTable,
		"internal/report.Rooms":       inChat,
		"internal/membership.Store":   onTable,
		"internal/stream.Store":       onTable,
		"internal/ratelimit.Store":    {"internal/dynamo", "Budgets"},
		"internal/chat.SlowModeStore": onTable,
		"internal/live.Store":         onLive,
		"internal/live.Lookup":        onLive,
		"internal/live.Heads":         onTable,
		"internal/live.Memberships":   onTable,

		"internal/socketapi.Subscriptions": inLive,
		"internal/socketapi.Listeners":     inLive,
		"internal/socketapi.Inbox":         {"internal/inbox", "Service"},

		"internal/live.Rows":           onLive,
		"internal/live.ConnectionRows": onLive,
		"internal/live.MissedRows":     onLive,
		"internal/live.Poster":         poster,
		"internal/stream.Projection":   {"internal/tally", "Counter"},
		"internal/stream.Consumer":     {"internal/live", "Delivery"},
		"internal/stream.Eraser":       {"internal/erase", "Eraser"},
		"internal/erase.Members":       {"internal/membership", "Service"},
		"internal/stream.Failures":     {"internal/feedfn", "FailureQueue"},
		"internal/chat.Uploads":        {"internal/attachment", "Service"},
		"internal/chat.MessageSource":  onTable,
		"internal/chat.Auditor":        {"internal/activity", "Recorder"},
		"internal/chat.Names":          {"internal/people", "Service"},
		"internal/chat.FeedPositions":  {"internal/feed", "Positions"},
		"internal/chat.Authorizer":     inChat,
		"internal/activity.Rooms":      inChat,
		"internal/inbox.Memberships":   {"internal/membership", "Service"},

		"internal/membership.Subscriptions": inLive,
	}
)

// namedType names a type of one of our packages.
type namedType struct{ pkg, typ string }

// onStore returns the store for which a function runs. A method of a store runs for that store, and
// so do the functions that it calls in its package.
func onStore(f *types.Func, caller string) string {
	if f.Pkg() == nil {
		return ""
	}
	const dynamo = module + "internal/dynamo"
	if f.Pkg().Path() == module+onLive.pkg && typeName(f.Signature()) == onLive.typ {
		return "live"
	}
	if f.Pkg().Path() == module+"internal/activity" {
		return "activity"
	}
	if f.Pkg().Path() != dynamo {
		if slices.ContainsFunc(f.Pkg().Imports(), func(p *types.Package) bool { return p.Path() == dynamo }) {
			return "table" // it may make its own calls
		}
		return ""
	}
	switch typeName(f.Signature()) {
	case "ConnectionBudgets":
		return "live"
	case "Store", "Budgets":
		return "table"
	}
	return caller
}

// typeName returns the name of a method's type, or "" for a function.
func typeName(s *types.Signature) string {
	if s.Recv() == nil {
		return ""
	}
	t := s.Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// variables returns the variables with a prefix that a function reads.
func (c *code) variables(bodies []body, prefix string) []string {
	names := map[string]bool{}
	for _, b := range bodies {
		for _, value := range c.constants(b.FuncDecl) {
			if strings.HasPrefix(value, prefix) {
				names[value] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// grantsOf returns the rights that a function's calls to DynamoDB and SQS need. The input
// identifies a call, such as dynamodb.QueryInput. A transaction needs the rights of its actions;
// a Query of the store with an Index also needs the index.
func (c *code) grantsOf(bodies []body) []string {
	grants := map[string]bool{}
	for _, b := range bodies {
		if slices.Contains(c.constants(b.FuncDecl), "execute-api") { // it signs requests to connections
			grants["execute-api:ManageConnections connections"] = true
		}
		for _, action := range c.fileActions(b.FuncDecl) {
			grants[action+" files"] = true
		}
		ast.Inspect(b.FuncDecl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if op := operation(n); op != "" {
					grants[op+askedOf(op, b.on, c.info.Defs[b.Name].Pkg().Path())] = true
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Index" && b.on == "table" {
					grants["dynamodb:Query index"] = true
				}
			}
			return true
		})
	}
	return slices.Sorted(maps.Keys(grants))
}

// fileActions are the actions that the methods of a client of the files' bucket need. Links need
// their actions when somebody follows them. S3 says only to those who may list that a file does not exist.
var fileActions = map[string][]string{
	"Put": {"s3:PutObject"}, "Write": {"s3:PutObject"}, "Remove": {"s3:PutObject"}, "Delete": {"s3:DeleteObject"}, "List": {"s3:ListBucket"},
	"Get": {"s3:GetObject", "s3:ListBucket"}, "Head": {"s3:GetObject", "s3:ListBucket"}, "Read": {"s3:GetObject", "s3:ListBucket"},
}

// fileActions returns the actions that a function needs on the files' bucket, if it is a method of
// its client.
func (c *code) fileActions(body *ast.FuncDecl) []string {
	f := c.info.Defs[body.Name].(*types.Func)
	if f.Pkg().Path() != module+"internal/bucket" || typeName(f.Signature()) != "Client" {
		return nil
	}
	return fileActions[f.Name()]
}

// askedOf returns the resource of an action for a store, as a grant names it. The queues are the
// queue of failures, and in its own package the queue of hooks.
func askedOf(action, store, pkg string) string {
	service, _, _ := strings.Cut(action, ":")
	if service == "sqs" && pkg == module+"internal/hookqueue" {
		return " wakes"
	}
	if on, ok := notDynamoDB[service]; ok {
		return on
	}
	return " " + store
}

// notDynamoDB are the other services that functions call, with the one resource that each call
// uses.
var notDynamoDB = map[string]string{"sqs": " failures", "ssm": " password", "cognito-idp": " pool", "s3": " page"}

// services are the SDK's packages whose inputs are found, with the prefix of their actions.
var services = map[string]string{"dynamodb": "dynamodb:", "sqs": "sqs:", "ssm": "ssm:", "cognitoidentityprovider": "cognito-idp:", "s3": "s3:"}

// authorizedAs maps operations to the actions that IAM authorizes, where the names differ.
var authorizedAs = map[string]string{
	"s3:ListObjectsV2": "s3:ListBucket", "sqs:SendMessageBatch": "sqs:SendMessage", "sqs:DeleteMessageBatch": "sqs:DeleteMessage",
	"sqs:ChangeMessageVisibilityBatch": "sqs:ChangeMessageVisibility",
}

// operation returns the action that a composite literal of the SDK requests, if any.
func operation(lit *ast.CompositeLit) string {
	sel, ok := lit.Type.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	inTransaction := map[string]string{
		"Put": "dynamodb:PutItem", "Update": "dynamodb:UpdateItem", "Delete": "dynamodb:DeleteItem",
		"ConditionCheck": "dynamodb:ConditionCheckItem", "Get": "dynamodb:GetItem",
	}
	switch pkg, _ := sel.X.(*ast.Ident); {
	case pkg == nil:
		return ""
	case pkg.Name == "types":
		return inTransaction[sel.Sel.Name]
	case services[pkg.Name] != "" && !strings.HasPrefix(sel.Sel.Name, "Transact"):
		op, isInput := strings.CutSuffix(sel.Sel.Name, "Input")
		if isInput {
			return stdcmp.Or(authorizedAs[services[pkg.Name]+op], services[pkg.Name]+op)
		}
	}
	return ""
}

// TestVariables_AreReadFromTheCode states the expected variables, so that an incomplete reading is
// noticed. Grants are compared with the recorded calls.
func TestVariables_AreReadFromTheCode(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	ofFeed := []string{"PARLEY_FAILURE_QUEUE", "PARLEY_FEED_DAYS", "PARLEY_FILES_BUCKET", "PARLEY_LIVE_TABLE", "PARLEY_LOG_LEVEL", "PARLEY_POST_RATE", "PARLEY_SOCKET_ENDPOINT", "PARLEY_TABLE"}
	ofCanary := []string{"PARLEY_CANARY_PARAMETER", "PARLEY_LOG_LEVEL", "PARLEY_URL", "PARLEY_USER_POOL", "PARLEY_USER_POOL_CLIENT"}
	ofSocket := []string{"PARLEY_AUDIENCE", "PARLEY_ISSUER", "PARLEY_LIVE_TABLE", "PARLEY_LOG_LEVEL", "PARLEY_POST_RATE", "PARLEY_SEND_RATE", "PARLEY_SOCKET_ENDPOINT", "PARLEY_TABLE", "PARLEY_TOKEN_LIFE", "PARLEY_USER_CLAIM"}
	ofAuthorizer := []string{"PARLEY_AUDIENCE", "PARLEY_ISSUER", "PARLEY_LOG_LEVEL", "PARLEY_ORIGINS", "PARLEY_TOKEN_LIFE", "PARLEY_USER_CLAIM"}
	ofHooks := []string{"PARLEY_HOOKS", "PARLEY_HOOK_QUEUE", "PARLEY_LOG_LEVEL", "PARLEY_TABLE"}
	ofPage := []string{"PARLEY_LOG_LEVEL", "PARLEY_PAGE_BUCKET"}
	const files = "AWS_ENDPOINT_URL_S3"
	database := []string{"AWS_ENDPOINT_URL_DYNAMODB"}
	queued := []string{"AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_SQS"}
	variables := []string{"PARLEY_DIRECTORY", "PARLEY_FILES_BUCKET", "PARLEY_FILE_DAY_COUNT", "PARLEY_FILE_DAY_MB", "PARLEY_FILE_MB", "PARLEY_FILE_TYPES", "PARLEY_HOOKS", "PARLEY_LIVE_TABLE", "PARLEY_LOG_DAYS", "PARLEY_LOG_LEVEL", "PARLEY_LOG_TABLE", "PARLEY_NAME_CLAIM", "PARLEY_PROFILES", "PARLEY_ROOM_MAKERS", "PARLEY_SEND_RATE", "PARLEY_TABLE", "PARLEY_TOKEN_LIFE", "PARLEY_USER_CLAIM"}
	want := needs{
		routes:    n.routes,
		variables: map[string][]string{"read": variables, "search": variables, "incoming": variables, "write": variables, "feed": ofFeed, "canary": ofCanary, "socket": ofSocket, "authorizer": ofAuthorizer, "page": ofPage, "outbox": ofHooks, "deliver": ofHooks},
		endpoints: map[string][]string{
			"read": append(database, files), "search": append(database, files), "incoming": append(database, files), "write": append(database, files), "socket": database, "authorizer": nil, "feed": append(database, files, "AWS_ENDPOINT_URL_SQS"),
			"page":   {files},
			"outbox": queued, "deliver": queued,
			"canary": {"AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER", "AWS_ENDPOINT_URL_SSM"},
		},
		grants: n.grants,
		calls:  n.calls,
	}
	if diff := cmp.Diff(want, n, cmp.AllowUnexported(needs{})); diff != "" {
		t.Error(diff)
	}
	if len(n.routes) < 7 {
		t.Errorf("Routes lists only %d routes", len(n.routes))
	}
}
