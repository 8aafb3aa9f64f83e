package httpapi_test

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/test/requests"
)

// row is a line of the matrix: a request for an operation. An operation has several if different
// rules apply to them.
type row struct {
	route string // the operation's
	what  string // distinguishes the rows of one route
	query string // with its ?
	body  string // the request's body
	user  string // {user} in the path: "me", or one of the people below
	own   bool   // {id} is the caller's message instead of the owner's
	doc   string // {doc} in the path; default: rules, which has the room's permissions
}

// People in the matrix who make no requests.
const (
	guest = "guest" // is not in the room, and has published facts about themselves
	crew  = "crew"  // is a member
	boss  = "boss"  // is a moderator
	exile = "exile" // is banned
)

// operationRequests contains the test requests for an operation that needs a token.
type operationRequests struct {
	route string
	// roles are requests made by each role in each kind of room. The things that they name exist,
	// so that 404 means hidden. The exception is leaving a room without being in it.
	roles []row
	// faults has at least one sample for each path through the code.
	faults []faultSample
	// unaudited says why a change adds no line to the audit of a room.
	unaudited string
}

// operations has a row for every operation.
var operations = slices.Concat(roomOperations, memberOperations, messageOperations, fileOperations, threadOperations, documentOperations, personOperations, hookOperations, bulkOperations, searchOperations)

// TestOperations_HaveRequests fails with each operation that has no request in a table of tests.
func TestOperations_HaveRequests(t *testing.T) {
	t.Parallel()
	ofRoom := strings.NewReplacer("{room}", "", "{id}", "", "{user}", "", "{report}", "", "{invite}", "", "{token}", "", "{incoming}", "", "{secret}", "", "{type}", "") // filled in by the matrix
	for _, route := range httpapi.Routes() {
		of := func(o operationRequests) bool { return o.route == route.Key() && len(o.roles) > 0 && len(o.faults) > 0 }
		if route.Operation != "" && !slices.ContainsFunc(operations, of) {
			t.Errorf("operations has no row with roles and faults for %s: add one to the operationRequests of its part of the API", route.Key())
		}
		if path := ofRoom.Replace(named.Replace(route.Path)); strings.Contains(path, "{") {
			t.Errorf("a parameter of %s has no value: add it to named", route.Path)
		}
		if route.Method == http.MethodHead {
			continue // TestHead_IsGetWithoutABody covers them
		}
		reaches := func(r requests.Request) bool { return r.Route == route.Key() && r.Status < 300 }
		if !slices.ContainsFunc(requests.All(string(route.Function)), reaches) {
			t.Errorf("internal/test/requests has no request for %s that succeeds: add one to the %s function's", route.Key(), route.Function)
		}
	}
}

// rows returns the requests of the matrix.
func rows() []row {
	var all []row
	for _, o := range operations {
		for _, r := range o.roles {
			r.route, r.body = o.route, clientIDs.Replace(r.body)
			all = append(all, r)
		}
	}
	return all
}

// faultSamples returns the samples of all operations. {private} is the private room, and {direct} a
// direct one.
func faultSamples() []faultSample {
	names := strings.NewReplacer("{room}", "seattle", "{id}", "{sent}~owner")
	var all []faultSample
	for _, o := range operations {
		_, path, _ := strings.Cut(o.route, " ")
		for _, s := range o.faults {
			s.route, s.path, s.again = o.route, cmp.Or(s.path, names.Replace(named.Replace(path))), cmp.Or(s.again, s.first)
			s.path, s.body, s.look = clientIDs.Replace(s.path), clientIDs.Replace(s.body), clientIDs.Replace(s.look)
			all = append(all, s)
		}
	}
	return all
}

// changesRoom reports whether the request may change a room, or its contents.
func (r row) changesRoom() bool {
	ofRoom := strings.Contains(r.route, "{room}") || strings.Contains(r.route, "{token}") || strings.Contains(r.route, "{secret}")
	return ofRoom && !strings.HasPrefix(r.route, "GET ") && r.route != "POST /rooms/{room}/attachments/links"
}

func (r row) String() string {
	if r.what == "" {
		return r.route
	}
	return r.route + ", " + r.what
}
