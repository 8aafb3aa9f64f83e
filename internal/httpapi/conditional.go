package httpapi

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

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
