package doctor

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// refusal is an error response of a service.
type refusal struct {
	right         string
	status        int
	code, message string
}

func (r *refusal) Error() string {
	if r.code == "" {
		return fmt.Sprintf("%s was answered with %d", r.right, r.status)
	}
	return fmt.Sprintf("%s: %s: %s", r.right, r.code, r.message)
}

// deniedCodes are the services' codes for calls that the caller's policies do not allow.
var deniedCodes = []string{"AccessDenied", "AccessDeniedException", "UnauthorizedOperation"}

// codeOf returns the code of a refusal in an error, or "".
func codeOf(err error) string {
	var r *refusal
	if errors.As(err, &r) {
		return r.code
	}
	return ""
}

// missingRight returns the permission that the credentials lack, if a call failed for that reason.
func missingRight(err error) (right string, ok bool) {
	var r *refusal
	if errors.As(err, &r) && slices.Contains(deniedCodes, r.code) {
		return r.right, true
	}
	return "", false
}

// refusalOf reads the code and the message of an error in the formats of all protocols.
func refusalOf(in request, res *http.Response, text []byte) *refusal {
	var answer struct {
		Type    string `json:"__type"`
		Code    string `json:"code"`
		Message string `json:"message"`
		Capital string `json:"Message"`
	}
	var tagged struct {
		Error struct{ Code, Message string }
	}
	r := &refusal{right: in.right, status: res.StatusCode, code: res.Header.Get("X-Amzn-Errortype")}
	switch {
	case json.Unmarshal(text, &answer) == nil:
		for _, code := range []string{answer.Type, answer.Code} {
			if r.code == "" {
				r.code = code
			}
		}
		if r.message = answer.Message; r.message == "" {
			r.message = answer.Capital
		}
	case xml.Unmarshal(text, &tagged) == nil:
		r.code, r.message = tagged.Error.Code, tagged.Error.Message
	}
	// A code may follow a namespace and precede a URL: "com.amazon#Code:http://…".
	r.code, _, _ = strings.Cut(r.code[strings.LastIndexByte(r.code, '#')+1:], ":")
	return r
}
