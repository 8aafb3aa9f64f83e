package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxQuoted bounds the part of a response that an error quotes if it is not a problem document.
const maxQuoted = 200

// Refusal is a response with an unexpected status.
type Refusal struct {
	Status     int
	Type       string        // of the problem document; empty for API Gateway's own responses
	Detail     string        // a sentence for people; API Gateway's message for its own responses
	RetryAfter time.Duration // zero without the header
	ServerTime time.Time     // if the time of a message's id is refused

	text string
}

func (r *Refusal) Error() string { return r.text }

// StatusCode returns the status.
func (r *Refusal) StatusCode() int { return r.Status }

// Wait returns how long the API asks to wait before the next try.
func (r *Refusal) Wait() time.Duration { return r.RetryAfter }

// Passing reports whether the same request may succeed later: the caller sends too many requests,
// or the service has a fault.
func (r *Refusal) Passing() bool {
	return r.Status == http.StatusTooManyRequests || r.Status == http.StatusRequestTimeout ||
		r.Status >= http.StatusInternalServerError
}

// refusal describes an unexpected response: by its problem document, by API Gateway's own message,
// or by the beginning of its body.
func refusal(res *http.Response, text []byte) *Refusal {
	var body struct {
		Type, Detail, Message string
		ServerTime            time.Time
	}
	_ = json.Unmarshal(text, &body) // a body that is not JSON is quoted
	parts := []string{fmt.Sprint(res.StatusCode)}
	for _, part := range []string{body.Type, body.Detail, body.Message} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 1 && len(text) > 0 {
		parts = append(parts, fmt.Sprintf("%q", text[:min(len(text), maxQuoted)]))
	}
	r := &Refusal{
		Status: res.StatusCode, Type: body.Type, Detail: cmp.Or(body.Detail, body.Message), ServerTime: body.ServerTime,
		text: strings.Join(parts, ": "),
	}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		r.RetryAfter = time.Duration(seconds) * time.Second
	}
	return r
}
