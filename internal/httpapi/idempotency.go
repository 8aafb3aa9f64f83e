package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/problem"
)

// keyHeader is the header of draft-ietf-httpapi-idempotency-key-header. It does what the id in the
// body does, for clients that send it with every POST.
const keyHeader = "Idempotency-Key"

// KeyHeader is the part of a POST that a retry repeats. It is exported for huma, like RoomPath.
type KeyHeader struct {
	IdempotencyKey string `header:"Idempotency-Key" format:"uuidv7-or-quoted" doc:"A UUIDv7 in place of the one in the body, with or without quotes" example:"\"01890a5d-ac96-774b-bcce-b302099a8057\""`
}

// key returns the UUID of the header, or inBody without a header. The error is Invalid if the
// header is no UUIDv7, or not the one in the body.
func (h KeyHeader) key(inBody uuid.UUID) (uuid.UUID, error) {
	if h.IdempotencyKey == "" {
		return inBody, nil
	}
	id, err := chat.ParseUUID(strings.Trim(h.IdempotencyKey, `"`))
	if err == nil && inBody != (uuid.UUID{}) && inBody != id {
		err = chat.Invalidf(keyHeader, "must be the id in the body")
	}
	return id, chat.InField(keyHeader, err)
}

// unhonored returns the headers that an operation with a type of input would ignore, although their
// sender relies on them: preconditions of a change, and the key of a POST.
func unhonored(method string, input reflect.Type) []string {
	var all []string
	for _, header := range []struct {
		name, field string
		applies     bool
	}{
		{keyHeader, "IdempotencyKey", method == http.MethodPost},
		{ifMatchHeader, "IfMatch", method != http.MethodGet},
		{ifNoneMatchHeader, "IfNoneMatch", method != http.MethodGet},
	} {
		if _, taken := input.FieldByName(header.field); header.applies && !taken {
			all = append(all, header.name)
		}
	}
	return all
}

// refuseHeaders returns the problem of a request that has one of some headers.
func refuseHeaders(ctx context.Context, names []string) error {
	r, _ := ctx.Value(requestKey{}).(request)
	for _, name := range names {
		if r.header.Get(name) != "" {
			return problem.OfField(http.StatusBadRequest, name, "is not honored by this operation; leave it out")
		}
	}
	return nil
}
