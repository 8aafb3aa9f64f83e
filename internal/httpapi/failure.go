package httpapi

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/problem"
)

// failure is a status of responses to failed requests, as the document describes it.
type failure struct {
	status  int
	name    string // of the response among the document's components
	meaning string
	scope   scope
	origin  origin
	headers []string
}

// scope says which operations respond with a failure.
type scope int

const (
	declared   scope = iota // operations that list its status in their Errors
	everywhere              // all operations
	withToken               // operations that need a token
	withBody                // operations with a body
)

// origin says who responds with a failure: a function with a problem, or API Gateway itself.
type origin int

const (
	function origin = 1 << iota
	apiGateway
)

const (
	retryAfter   = "Retry-After"
	rateLimit    = "RateLimit"
	authenticate = "WWW-Authenticate"
	allow        = "Allow"
)

// failures lists all failures. docs/problems.md lists the same statuses.
var failures = []failure{
	{
		http.StatusBadRequest, "Malformed",
		"The body is not valid JSON, the query cannot be decoded, or the cursor is invalid", everywhere,
		function | apiGateway, nil,
	},
	{
		http.StatusUnauthorized, "Unauthorized", "There is no valid token", withToken, function | apiGateway,
		[]string{authenticate},
	},
	{
		http.StatusForbidden, "Forbidden", "The caller may not do this, or may not act for others", withToken, function,
		nil,
	},
	{
		http.StatusNotFound, "NotFound",
		"It does not exist, or the caller may not know that it does; or the decoded path is another", everywhere,
		function, nil,
	},
	{
		http.StatusMethodNotAllowed, "MethodNotAllowed", "The decoded path is another, which does not have the method",
		everywhere, function, []string{allow},
	},
	{
		http.StatusConflict, "Conflict", "The current state does not allow this, or the client's clock is off",
		declared, function, nil,
	},
	{http.StatusPreconditionFailed, "Stale", "It has changed since the version in If-Match", declared, function, nil},
	{
		http.StatusRequestEntityTooLarge, "TooLarge", "The body is larger than any valid one", withBody,
		function | apiGateway, nil,
	},
	{http.StatusUnsupportedMediaType, "UnsupportedMediaType", "The body is not JSON in UTF-8", withBody, function, nil},
	{
		http.StatusUnprocessableEntity, "Invalid", "A field or a parameter breaks a rule; errors names each",
		everywhere, function, nil,
	},
	{
		http.StatusPreconditionRequired, "PreconditionRequired",
		"It exists, so If-Match must name the version that the change is based on", declared, function, nil,
	},
	{
		http.StatusTooManyRequests, "RateLimited", "Too many requests; API Gateway leaves Retry-After out", everywhere,
		function | apiGateway, []string{retryAfter, rateLimit},
	},
	{
		http.StatusRequestHeaderFieldsTooLarge, "HeadersTooLarge",
		"The request line and the headers are over 10,240 bytes together", everywhere, apiGateway, nil,
	},
	{http.StatusInternalServerError, "Internal", "The server failed", everywhere, function | apiGateway, nil},
	{
		http.StatusServiceUnavailable, "Unavailable",
		"The service cannot answer at present; API Gateway leaves Retry-After out", everywhere, function | apiGateway,
		[]string{retryAfter},
	},
}

// failureHeaders describes the headers of failures.
var failureHeaders = map[string]*huma.Schema{
	retryAfter: {Type: huma.TypeInteger, Description: "The seconds after which the request may succeed"},
	rateLimit: {
		Type:        huma.TypeString,
		Description: "The limit that is used up, and the seconds after which it admits a request: \"messages\";r=0;t=2",
	},
	allow: {Type: huma.TypeString, Description: "The methods of the path"},
	authenticate: {
		Type: huma.TypeString, Description: "Bearer, and an error_description where API Gateway refuses the token",
	},
}

// refusalName is the schema of the answers to failed requests that have one of two forms.
const refusalName = "Refusal"

const responsePrefix = "#/components/responses/"

// withFailures returns the responses of an operation, including the failures that it declares and
// the ones that every operation of its kind can have.
func withFailures(o huma.Operation, hasBody bool) map[string]*huma.Response {
	all := map[string]*huma.Response{}
	for status, r := range o.Responses {
		all[status] = &huma.Response{Description: r.Description}
	}
	for _, f := range failures {
		has := f.scope == everywhere || f.scope == withToken && len(o.Security[0]) > 0 || f.scope == withBody && hasBody
		if has || slices.Contains(o.Errors, f.status) {
			all[strconv.Itoa(f.status)] = &huma.Response{Ref: responsePrefix + f.name}
		}
	}
	return all
}

// describeFailures adds the failures to the components of a document.
func describeFailures(document *huma.OpenAPI) {
	schemas := document.Components.Schemas
	ours := schemas.Schema(reflect.TypeFor[problem.Problem](), true, "")
	theirs := schemas.Schema(reflect.TypeFor[GatewayMessage](), true, "")
	schemas.Map()[refusalName] = &huma.Schema{
		Description: "A problem of this API, or what API Gateway answers itself, which has no type",
		OneOf:       []*huma.Schema{ours, theirs},
	}
	either := &huma.Schema{Ref: schemaPrefix + refusalName}
	document.Components.Responses = map[string]*huma.Response{}
	for _, f := range failures {
		r := &huma.Response{Description: f.meaning, Content: map[string]*huma.MediaType{}}
		switch f.origin {
		case function:
			r.Content[problem.MediaType] = &huma.MediaType{Schema: ours}
		case apiGateway:
			r.Content[jsonType] = &huma.MediaType{Schema: theirs}
		default: // generated clients read one of the media types for both
			r.Content[problem.MediaType] = &huma.MediaType{Schema: either}
			r.Content[jsonType] = &huma.MediaType{Schema: either}
		}
		for _, name := range f.headers {
			if r.Headers == nil {
				r.Headers = map[string]*huma.Param{}
			}
			r.Headers[name] = &huma.Param{Schema: failureHeaders[name]}
		}
		document.Components.Responses[f.name] = r
	}
}
