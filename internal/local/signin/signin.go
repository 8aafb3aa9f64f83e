// Package signin signs people in by name alone, for the web app of a server on the developer's own
// machine. A name is no secret, so the only proof is where the request comes from: a page that the
// server itself has sent, in a browser on the same machine.
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

	"parley/internal/problem"
)

// maxBody bounds the body. The longest name of a user has 64 bytes.
const maxBody = 1 << 10

// Config configures a Handler. All fields are required.
type Config struct {
	// Rule returns the rule that the name of a user breaks: "must not be empty". It is empty for a
	// valid name.
	Rule func(user string) string
	// Sign returns an access token of a user, and the end of its life.
	Sign func(user string) (token string, expires time.Time, err error)
	// Welcome prepares the server for a user, before the answer.
	Welcome func(ctx context.Context, user, token string) error
	Log     *slog.Logger
}

// Handler answers a POST of {"user"} with {"user", "token", "expires"}. Its server must listen on a
// loopback address alone.
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
	user, p := h.user(w, r)
	if p != nil {
		writeProblem(w, p)
		return
	}
	a, err := h.signIn(r.Context(), user)
	if err != nil {
		h.cfg.Log.ErrorContext(r.Context(), "sign-in by name failed", "error", err)
		writeProblem(w, problem.OfStatus(http.StatusServiceUnavailable, "the server cannot sign you in now; its log has the reason"))
		return
	}
	write(w, http.StatusOK, "application/json", a)
}

// signIn signs a token and prepares the server for its user.
func (h *Handler) signIn(ctx context.Context, user string) (answer, error) {
	token, expires, err := h.cfg.Sign(user)
	if err != nil {
		return answer{}, err
	}
	return answer{User: user, Token: token, Expires: expires.UTC()}, h.cfg.Welcome(ctx, user, token)
}

// user returns the user of a body, or the problem with it.
func (h *Handler) user(w http.ResponseWriter, r *http.Request) (string, *problem.Problem) {
	// A page of another origin can send this type only after a preflight, which nobody allows.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return "", problem.OfStatus(http.StatusUnsupportedMediaType, "the body must be application/json")
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return "", problem.OfStatus(http.StatusRequestEntityTooLarge, "the body must have at most 1 KB")
	case err != nil:
		return "", problem.OfStatus(http.StatusBadRequest, "the body cannot be read")
	}
	var body struct{ User string }
	if err := json.Unmarshal(text, &body); err != nil {
		return "", problem.OfStatus(http.StatusBadRequest, `the body must be a JSON object such as {"user": "bob"}`)
	}
	if rule := h.cfg.Rule(body.User); rule != "" {
		p := problem.OfStatus(http.StatusUnprocessableEntity, "")
		p.AddFault("user", rule)
		return "", p
	}
	return body.User, nil
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
