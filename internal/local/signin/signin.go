// Package signin signs people in by only their names, for the web app of a server on the
// developer's own machine. A name is not a secret. The only proof is the request's origin: a page
// that the server itself sent, in a browser on the same machine.
package signin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"time"

	"example.com/parley/internal/problem"
)

// maxBody bounds the body. The longest name has 100 bytes.
const maxBody = 1 << 10

// Person is a person who signs in.
type Person struct {
	User string // the user id
	Name string // as typed; empty if they gave their user id
}

// Config configures a Handler. All fields are required.
type Config struct {
	// Rule returns the rule that a user id breaks: "must not be empty". It is empty for a valid id.
	Rule func(user string) string
	// Named returns the person with a name, or the rule that the name breaks.
	Named func(name string) (p Person, rule string)
	// Sign returns an access token for a person, and its expiry.
	Sign func(p Person) (token string, expires time.Time, err error)
	// Welcome prepares the server for a person, before the answer.
	Welcome func(ctx context.Context, p Person, token string) error
	Log     *slog.Logger
}

// Handler answers a POST of {"name"}, or of {"user"} with a user id, with {"user", "token",
// "expires"}. Its server must listen only on a loopback address.
type Handler struct{ cfg Config }

// New returns a handler.
func New(cfg Config) *Handler { return &Handler{cfg} }

// answer is the body of a successful answer.
type answer struct {
	User    string    `json:"user"`
	Token   string    `json:"token"`
	Expires time.Time `json:"expires"`
}

// ServeHTTP signs a person in.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if reason := refusal(r); reason != "" {
		h.cfg.Log.WarnContext(r.Context(), "sign-in by name refused", "reason", reason)
		writeProblem(w, problem.OfStatus(http.StatusForbidden, reason))
		return
	}
	who, p := h.person(w, r)
	if p != nil {
		writeProblem(w, p)
		return
	}
	a, err := h.signIn(r.Context(), who)
	if err != nil {
		h.cfg.Log.ErrorContext(r.Context(), "sign-in by name failed", "error", err)
		writeProblem(w, problem.OfStatus(http.StatusServiceUnavailable, "the server cannot sign you in now; its log has the reason"))
		return
	}
	write(w, http.StatusOK, "application/json", a)
}

// signIn signs a token and prepares the server for its person.
func (h *Handler) signIn(ctx context.Context, p Person) (answer, error) {
	token, expires, err := h.cfg.Sign(p)
	if err != nil {
		return answer{}, err
	}
	return answer{User: p.User, Token: token, Expires: expires.UTC()}, h.cfg.Welcome(ctx, p, token)
}

// person returns the person named in a body, or the body's problem.
func (h *Handler) person(w http.ResponseWriter, r *http.Request) (Person, *problem.Problem) {
	// A page of another origin can send this type only after a preflight, which is never allowed.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return Person{}, problem.OfStatus(http.StatusUnsupportedMediaType, "the body must be application/json")
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return Person{}, problem.OfStatus(http.StatusRequestEntityTooLarge, "the body must have at most 1 KB")
	case err != nil:
		return Person{}, problem.OfStatus(http.StatusBadRequest, "the body cannot be read")
	}
	var body struct {
		User string
		Name *string
	}
	if err := json.Unmarshal(text, &body); err != nil {
		return Person{}, problem.OfStatus(http.StatusBadRequest, `the body must be a JSON object such as {"name": "Bob"}`)
	}
	if body.Name == nil {
		return Person{User: body.User}, fault("user", h.cfg.Rule(body.User))
	}
	who, rule := h.cfg.Named(*body.Name)
	return who, fault("name", rule)
}

// fault returns the problem with a field that breaks a rule, or nil if rule is empty.
func fault(field, rule string) *problem.Problem {
	if rule == "" {
		return nil
	}
	return problem.OfField(http.StatusUnprocessableEntity, field, rule)
}

func writeProblem(w http.ResponseWriter, p *problem.Problem) {
	write(w, p.Status, problem.MediaType, p)
}

func write(w http.ResponseWriter, status int, contentType string, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may have disconnected
}
