package socketapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/problem"
	"example.com/parley/internal/wire"
)

// requestTypes are the types of requests, in the order of problems.
var requestTypes = []string{typeHello, typeSubscribe, typeUnsubscribe, typeTyping, typeSync, typeRenew}

// decode decodes a message. It returns the envelope as far as it can be read, so that a problem
// names the request. Decoding is strict: it refuses duplicate and unknown fields, fields in the
// wrong case, nulls, and invalid UTF-8.
func decode(body string) (request any, head envelope, p *problem.Problem) {
	if len(body) > MaxHello {
		return nil, head, tooLarge(typeHello, MaxHello)
	}
	var fields map[string]jsontext.Value
	if err := json.Unmarshal([]byte(body), &fields); err != nil || fields == nil {
		return nil, head, malformed(err)
	}
	head, p = decodeEnvelope(fields)
	if p != nil {
		return nil, head, p
	}
	if len(body) > MaxMessage && head.Type != typeHello && head.Type != typeRenew {
		return nil, head, tooLarge(head.Type, MaxMessage)
	}
	request, p = decodeRequest(head.Type, []byte(body))
	return request, head, p
}

// decodeEnvelope reads the type and the id of a message. It returns the id even if the type is
// wrong.
func decodeEnvelope(fields map[string]jsontext.Value) (envelope, *problem.Problem) {
	var head envelope
	if json.Unmarshal(fields["id"], &head.ID) != nil || head.ID == "" || len(head.ID) > MaxID {
		return envelope{}, invalid("id", fmt.Sprintf("must be a string of 1 to %d bytes", MaxID))
	}
	if json.Unmarshal(fields["type"], &head.Type) != nil || !slices.Contains(requestTypes, head.Type) {
		return envelope{ID: head.ID}, invalid("type", "must be one of "+strings.Join(requestTypes, ", "))
	}
	return head, nil
}

// decodeRequest reads a request of a known type.
func decodeRequest(kind string, body []byte) (any, *problem.Problem) {
	var request any
	switch kind {
	case typeHello, typeSubscribe:
		request = &subscribeRequest{}
	case typeUnsubscribe:
		request = &unsubscribeRequest{}
	case typeTyping:
		request = &typingRequest{}
	case typeRenew:
		request = &renewRequest{}
	default:
		request = &syncRequest{}
	}
	err := json.Unmarshal(body, request, json.RejectUnknownMembers(true), json.WithUnmarshalers(withoutNulls))
	var wrong *json.SemanticError
	if errors.As(err, &wrong) {
		return nil, invalid(wire.FieldPath(wrong.JSONPointer), ruleOf(wrong))
	}
	if err != nil {
		return nil, malformed(err)
	}
	return request, nil
}

// nullKind is the kind of a null.
const nullKind = 'n'

// errNull refuses a null, which would otherwise read as an absent field.
var errNull = errors.New("null")

// withoutNulls refuses nulls in place of strings, objects and arrays.
var withoutNulls = json.JoinUnmarshalers(
	refuseNull[string](), refuseNull[wantedRoom](), refuseNull[namedRoom](), refuseNull[knownRoom](),
	refuseNull[[]wantedRoom](), refuseNull[[]namedRoom](), refuseNull[[]knownRoom](),
)

func refuseNull[T any]() *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, _ *T) error {
		if d.PeekKind() == nullKind {
			return errNull
		}
		return json.SkipFunc
	})
}

// ruleOf returns the rule that a field breaks.
func ruleOf(err *json.SemanticError) string {
	if errors.Is(err, json.ErrUnknownName) {
		return "is not a known field; remove it"
	}
	if errors.Is(err, errNull) {
		return "must not be null; leave it out"
	}
	if err.GoType != nil {
		switch err.GoType.Kind() {
		case reflect.String:
			return "must be a string"
		case reflect.Slice:
			return "must be an array"
		}
	}
	return "must be an object"
}

// malformed returns the problem of a message that is not a JSON object.
func malformed(err error) *problem.Problem {
	p := problem.OfStatus(http.StatusBadRequest, "")
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		p.AddFault(problem.Body, "must not contain a key twice")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		p.AddFault(problem.Body, "must be whole: its JSON ends too early")
	case errors.As(err, &syntactic):
		p.AddFault(
			problem.Body, fmt.Sprintf("must be valid JSON in UTF-8; the error is at byte %d", syntactic.ByteOffset),
		)
	default:
		p.AddFault(problem.Body, "must be a JSON object")
	}
	return p
}

// invalid returns the problem of one field.
func invalid(location, rule string) *problem.Problem {
	p := problem.OfStatus(http.StatusUnprocessableEntity, "")
	p.AddFault(location, rule)
	return p
}

// tooLarge returns the problem of a message that is longer than its type allows.
func tooLarge(kind string, limit int) *problem.Problem {
	return problem.OfStatus(
		http.StatusRequestEntityTooLarge, fmt.Sprintf("a %s may have at most %d bytes", kind, limit),
	)
}
