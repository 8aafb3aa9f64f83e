package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/problem"
	"example.com/parley/internal/wire"
)

const (
	// anyETag matches every revision.
	anyETag = "*"

	ifMatchHeader     = "If-Match"
	ifNoneMatchHeader = "If-None-Match"

	// hashBytes is how much of a hash an ETag has. Nobody gains from two answers with one ETag, so
	// only chance has to be excluded.
	hashBytes = 12
)

// etag returns a version or a revision as an ETag.
func etag(number int) string { return strconv.Quote(strconv.Itoa(number)) }

// parseETag returns the number in an ETag, or 0 for an absent header.
func parseETag(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		digits := s[1 : len(s)-1]
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n < chat.MaxVersion && strconv.Itoa(n) == digits {
			return n, nil
		}
	}
	return 0, &chat.Error{Kind: chat.Invalid, Field: ifMatchHeader, Detail: `must be one ETag, such as "3"`}
}

// settingsETag returns the ETag of an answer about a room or a profile. Its revision is the
// revision of the settings or the profile, which If-Match compares. Its hash changes with any
// part of the answer.
func settingsETag(revision int, body any) (string, error) {
	h := sha256.New()
	err := wire.Marshal(h, body)
	return `"` + strconv.Itoa(revision) + "-" + base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:hashBytes]) + `"`, err
}

// settingsETags matches what settingsETag returns.
var settingsETags = regexp.MustCompile(`^"(0|[1-9][0-9]{0,8})-[A-Za-z0-9_-]{16}"$`)

// GuardedChange is the part of a change that may require the state that its sender has seen. It is
// exported for huma, like RoomPath.
type GuardedChange struct {
	IfMatch string `header:"If-Match" format:"settings-etag-or-any" doc:"Makes the change only if the number before the - of this ETag equals the current ETag's: 412 otherwise, unless the change would change nothing. With *, to change only what exists. Without it, the last change wins" example:"\"3-47DEQpj8HBSa-_TI\""`
}

// precondition returns the precondition of the change, nil if there is none.
func (g GuardedChange) precondition() (*chat.Precondition, error) {
	switch g.IfMatch {
	case "":
		return nil, nil
	case anyETag:
		return &chat.Precondition{Any: true}, nil
	}
	parts := settingsETags.FindStringSubmatch(g.IfMatch)
	if parts == nil {
		return nil, &chat.Error{
			Kind: chat.Invalid, Field: ifMatchHeader,
			Detail: `must be one ETag as an answer has it, such as "3-47DEQpj8HBSa-_TI", or *`,
		}
	}
	revision, err := strconv.Atoi(parts[1])
	return &chat.Precondition{Revision: revision}, err
}

// checkConditions returns the problem of a precondition that would count as absent because it has
// no value, or of which all values but one would be ignored. A change would replace content that
// its sender has not seen. Reads answer such an If-None-Match in full.
func checkConditions(r *http.Request) *problem.Problem {
	headers := []string{ifMatchHeader}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		headers = append(headers, ifNoneMatchHeader)
	}
	for _, name := range headers {
		switch values := r.Header.Values(name); {
		case slices.Contains(values, ""):
			return problem.OfField(http.StatusUnprocessableEntity, name, "must have a value")
		case len(values) > 1:
			return problem.OfField(http.StatusUnprocessableEntity, name, "must be given once")
		}
	}
	return nil
}

// Conditional is the part of a request that asks for an answer only if the client does not hold it.
// It is exported for huma, like RoomPath.
type Conditional struct {
	IfNoneMatch string `header:"If-None-Match" format:"etags" doc:"ETags of answers that the client holds: 304 without a body if one of them is still the answer" example:"\"3\""`
}

// status returns 304 if the client holds the answer with an ETag, and 200 otherwise.
func (c Conditional) status(etag string) int {
	for held := range strings.SplitSeq(c.IfNoneMatch, ",") {
		if held = strings.TrimSpace(held); held == anyETag || strings.TrimPrefix(held, "W/") == etag {
			return http.StatusNotModified
		}
	}
	return http.StatusOK
}

// unchanged describes the answer 304 of an operation that takes Conditional.
var unchanged = map[string]*huma.Response{"304": {Description: "The client holds the current answer"}}

// OnlyCreate is the part of a request that may ask not to replace anything. It is exported for
// huma, like RoomPath.
type OnlyCreate struct {
	IfNoneMatch string `header:"If-None-Match" enum:"*" doc:"*: only create, and answer 412 instead of replacing"`
}

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
