package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"example.com/parley/internal/explain"
	"example.com/parley/internal/problem"
)

// problemTransformer turns huma's own errors into problems. It leaves out the values that huma
// quotes, because they may be message text.
func problemTransformer(ctx huma.Context, _ string, v any) (any, error) {
	m, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	p := problem.OfStatus(m.Status, refusalDetail(m, ctx.Operation().MaxBodyBytes))
	for _, e := range m.Errors {
		p.AddFault(faultOf(e))
	}
	return p, nil
}

// invalid returns the problem of huma's errors about an entry of a bulk request.
func invalid(errs []error) *problem.Problem {
	p := problem.OfStatus(http.StatusUnprocessableEntity, "")
	for _, err := range errs {
		if e, ok := errors.AsType[*huma.ErrorDetail](err); ok {
			p.AddFault(faultOf(e))
		}
	}
	return p
}

// refusalDetail returns the detail of a refusal that names no field.
func refusalDetail(m *huma.ErrorModel, maxBody int64) string {
	switch m.Status {
	case http.StatusBadRequest:
		return "send a JSON body"
	case http.StatusRequestEntityTooLarge:
		return fmt.Sprintf("send a body of at most %d bytes", maxBody)
	}
	return m.Detail
}

// faultOf returns the location and the rule of a huma error. It removes the part of the request
// from the location: no operation has a parameter and a field of the same name.
func faultOf(e *huma.ErrorDetail) (location, rule string) {
	location = e.Location
	if _, path, found := strings.Cut(location, "."); found {
		location = path
	}
	if path, found := strings.CutPrefix(e.Message, unknownField); found {
		return path, ruleOf(validation.MsgUnexpectedProperty)
	}
	if name, ok := argument(e.Message, validation.MsgExpectedRequiredProperty); ok {
		if location == problem.Body {
			return name, required
		}
		return location + "." + name, required
	}
	return location, ruleOf(e.Message)
}

// required is the rule of a required field.
const required = "is required"

// ruleOf returns the rule in a huma error, in the API's words.
func ruleOf(message string) string {
	for _, r := range rules {
		if value, ok := argument(message, r.huma); ok {
			return strings.ReplaceAll(r.rule, "{}", value)
		}
	}
	if strings.HasPrefix(message, "must ") {
		return message // from clientJSONError
	}
	return "is invalid: " + message
}

// rules are the API's words for huma's errors, each with at most one argument. Errors of schemas
// that the API does not use are left out.
var rules = []struct{ huma, rule string }{
	{validation.MsgUnexpectedProperty, "is not a known field; remove it"},
	{"unknown query parameter", "is not a known parameter; remove it"},
	{"required %s parameter is missing", required},
	{validation.MsgExpectedString, "must be a string"},
	{validation.MsgExpectedBoolean, "must be true or false"},
	{validation.MsgExpectedNumber, "must be a number"},
	{validation.MsgExpectedInteger, "must be a whole number"},
	{"invalid integer", "must be a whole number"},
	{validation.MsgExpectedArrayItemsUnique, "must not repeat an element"},
	{validation.MsgExpectedArray, "must be an array"},
	{validation.MsgExpectedObject, "must be an object"},
	{`expected value to be one of "private"`, "must be private"}, // the only enum with one value
	{validation.MsgExpectedOneOf, "must be one of {}"},
	{validation.MsgExpectedMinimumNumber, "must be at least {}"},
	{validation.MsgExpectedMaximumNumber, "must be at most {}"},
	{"expected length >= 1", "must not be empty"},
	{validation.MsgExpectedMinLength, "must have at least {} characters"},
	{validation.MsgExpectedMaxLength, "must have at most {} characters"},
	{"expected array length >= 1", "must not be empty"},
	{validation.MsgExpectedMinItems, "must have at least {} elements"},
	{validation.MsgExpectedMaxItems, "must have at most {} elements"},
	{validation.MsgExpectedMatchPattern, "must match the pattern {}"},
	{validation.MsgExpectedRFC3339DateTime, "must be a time, such as 2018-08-29T12:00:00Z"},
	{validation.MsgExpectedRFC3339Date, "must be a day, such as 1995-07-01"},
	{validation.MsgExpectedRFC4122UUID, "must be a UUIDv7, such as 01890a5d-ac96-774b-bcce-b302099a8057"},
}

// argument returns the argument of a message, without quotes, and reports whether a format with at
// most one verb produced the message.
func argument(message, format string) (string, bool) {
	before, after, found := strings.Cut(format, "%")
	if !found {
		return "", message == format
	}
	rest, ok := strings.CutPrefix(message, before)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, after[1:]) // after the verb's letter
}

// problemOf returns the problem of an error. Any other error than the domain's is a server fault:
// the client gets a fixed text, and the cause is logged.
func problemOf(ctx context.Context, err error) *problem.Problem {
	p := explain.Error(err)
	if p == nil {
		logOf(ctx).ErrorContext(ctx, "internal error", "cause", err.Error())
		return explain.Internal()
	}
	if kind, cause, ok := explain.Cause(err); ok {
		logOf(ctx).WarnContext(ctx, "request failed", "kind", kind.String(), "cause", cause.Error())
	}
	return p
}

// writeProblem responds with a problem outside of an operation.
func writeProblem(w http.ResponseWriter, p *problem.Problem) {
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", problem.MediaType)
	w.WriteHeader(p.Status)
	// The status has been sent, so a failed write cannot be reported to the client.
	_ = marshal(w, p)
}

// GatewayMessage is the body of the errors that API Gateway returns without calling a function.
// docs/problems.md lists them. An HTTP API cannot change them.
type GatewayMessage struct {
	Message string `json:"message" doc:"The status in words" example:"Unauthorized"`
}
