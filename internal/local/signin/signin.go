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
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"example.com/parley/internal/problem"
)

// maxBody bounds the body. The longest name has 100 bytes.
const maxBody = 1 << 10

// Person is a person who signs in.
type Person struct {
	User string // the user id
	Name string // as typed; empty if they gave their user id
	// Messages is the number of messages that an import brought; 0 if it is not known.
	Messages int
}

// Config configures a Handler. All fields are required.
type Config struct {
	// Rule returns the rule that a user id breaks: "must not be empty". It is empty for a valid id.
	Rule func(user string) string
	// Named returns the new person with a name, or the rule that the name breaks.
	Named func(name string) (p Person, rule string)
	// Find returns people whose names, or words of them, begin with a text.
	Find func(ctx context.Context, text string) ([]Person, error)
	// Offered returns the people whom imports brought, sorted by messages written, most first.
	Offered func() []Person
	// Sign returns an access token for a person, and its expiry.
	Sign func(p Person) (token string, expires time.Time, err error)
	// Welcome prepares the server for a person, before the answer.
	Welcome func(ctx context.Context, p Person, token string) error
	Log     *slog.Logger
}

// Handler answers a POST of {"name"}, or of {"user"} with a user id, with {"user", "token",
// "expires"}. The name of one person's profile signs in as this person. Its server must listen only
// on a loopback address.
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
	body, p := h.read(w, r)
	if p != nil {
		WriteProblem(w, p)
		return
	}
	who, p, err := h.person(r.Context(), body)
	if p != nil {
		WriteProblem(w, p)
		return
	}
	var a answer
	if err == nil {
		a, err = h.signIn(r.Context(), who)
	}
	if err != nil {
		h.fail(r.Context(), w, err)
		return
	}
	Write(w, http.StatusOK, "application/json", a)
}

// maxFound bounds the people that ServePeople returns.
const maxFound = 8

// found is the body of an answer of ServePeople.
type found struct {
	Items []foundPerson `json:"items"`
}

type foundPerson struct {
	User     string `json:"user"`
	Name     string `json:"name"`
	Messages int    `json:"messages,omitzero"` // that an import brought
}

// ServePeople answers a POST of {"name"} with people who can sign in, whose names begin with it.
// For an empty name these are the people whom imports brought, with the counts of their messages.
func (h *Handler) ServePeople(w http.ResponseWriter, r *http.Request) {
	body, p := h.read(w, r)
	if p != nil {
		WriteProblem(w, p)
		return
	}
	list := found{Items: []foundPerson{}}
	if body.name() == "" {
		all := h.cfg.Offered()
		for _, p := range all[:min(len(all), maxFound)] {
			list.Items = append(list.Items, foundPerson(p))
		}
	} else if who, rule := h.cfg.Named(body.name()); rule == "" {
		all, err := h.cfg.Find(r.Context(), who.Name)
		if err != nil {
			h.fail(r.Context(), w, err)
			return
		}
		for _, p := range all[:min(len(all), maxFound)] {
			list.Items = append(list.Items, foundPerson(p))
		}
	}
	Write(w, http.StatusOK, "application/json", list)
}

func (h *Handler) fail(ctx context.Context, w http.ResponseWriter, err error) {
	h.cfg.Log.ErrorContext(ctx, "sign-in by name failed", "error", err)
	WriteProblem(
		w, problem.OfStatus(http.StatusServiceUnavailable, "the server cannot sign you in now; its log has the reason"),
	)
}

// signIn signs a token and prepares the server for its person.
func (h *Handler) signIn(ctx context.Context, p Person) (answer, error) {
	token, expires, err := h.cfg.Sign(p)
	if err != nil {
		return answer{}, err
	}
	return answer{User: p.User, Token: token, Expires: expires.UTC()}, h.cfg.Welcome(ctx, p, token)
}

// body is the body of a request.
type body struct {
	User string
	Name *string
}

func (b body) name() string {
	if b.Name == nil {
		return ""
	}
	return *b.Name
}

// read returns the body of a request, or its problem. It refuses requests that are not the page's.
func (h *Handler) read(w http.ResponseWriter, r *http.Request) (b body, p *problem.Problem) {
	p = Read(w, r, h.cfg.Log, &b)
	return b, p
}

// Read decodes the JSON body of a request of the page into a value, or returns the request's
// problem. It refuses requests that are not of a page of this server on the same machine.
func Read(w http.ResponseWriter, r *http.Request, log *slog.Logger, into any) *problem.Problem {
	w.Header().Set("Cache-Control", "no-store")
	if reason := refusal(r); reason != "" {
		log.WarnContext(r.Context(), "a request to the local server refused", "path", r.URL.Path, "reason", reason)
		return problem.OfStatus(http.StatusForbidden, reason)
	}
	// A page of another origin can send this type only after a preflight, which is never allowed.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return problem.OfStatus(http.StatusUnsupportedMediaType, "the body must be application/json")
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return problem.OfStatus(http.StatusRequestEntityTooLarge, "the body must have at most 1 KB")
	case err != nil:
		return problem.OfStatus(http.StatusBadRequest, "the body cannot be read")
	}
	if err := json.Unmarshal(text, into); err != nil {
		return problem.OfStatus(http.StatusBadRequest, "the body must be a JSON object with values of the right types")
	}
	return nil
}

// person returns the person in a body, or the body's problem.
func (h *Handler) person(ctx context.Context, b body) (Person, *problem.Problem, error) {
	if b.Name == nil {
		return Person{User: b.User}, fault("user", h.cfg.Rule(b.User)), nil
	}
	who, rule := h.cfg.Named(*b.Name)
	if rule != "" {
		return who, fault("name", rule), nil
	}
	all, err := h.cfg.Find(ctx, who.Name)
	same := slices.DeleteFunc(all, func(p Person) bool { return !strings.EqualFold(p.Name, who.Name) })
	own := slices.IndexFunc(same, func(p Person) bool { return p.User == who.User })
	switch {
	case err != nil || len(same) == 0:
		return who, nil, err
	case own < 0 && len(same) > 1:
		return who, problem.OfStatus(http.StatusConflict, "several people have this name: sign in as "+either(same)),
			nil
	}
	return Person{User: same[max(own, 0)].User}, nil, nil // the profile has the name
}

// either returns the user ids of people as a choice.
func either(people []Person) string {
	ids := make([]string, len(people))
	for i, p := range people {
		ids[i] = p.User
	}
	return strings.Join(ids, " or ")
}

// fault returns the problem with a field that breaks a rule, or nil if rule is empty.
func fault(field, rule string) *problem.Problem {
	if rule == "" {
		return nil
	}
	return problem.OfField(http.StatusUnprocessableEntity, field, rule)
}

// WriteProblem answers with a problem.
func WriteProblem(w http.ResponseWriter, p *problem.Problem) {
	Write(w, p.Status, problem.MediaType, p)
}

// Write answers with a body in JSON.
func Write(w http.ResponseWriter, status int, contentType string, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(text) // the client may have disconnected
}

// forwarded are headers by which proxies name the client for which they act. That client may be
// anywhere, although the proxy is on this machine.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip"}

// refusal returns the reason to refuse a request, or "". Each check stops what the others let
// through:
//   - the peer, a client on another machine;
//   - the headers of proxies, a tunnel from elsewhere to this machine;
//   - Host, a foreign name that resolves to this machine (DNS rebinding), whose pages are of the
//     same origin as this server;
//   - Origin and Sec-Fetch-Site, a page of another site or of another port that posts to this one.
//
// Browsers send Origin with every POST. A request without it is not the page's.
func refusal(r *http.Request) string {
	const here = "; open the page on the machine that runs the server, at the address that it prints"
	switch {
	case !isLoopback(r.RemoteAddr):
		return "sign-in by name is for people on the same machine" + here
	case isForwarded(r.Header):
		return "sign-in by name takes no requests through a proxy" + here
	case !isLocalName(r.Host):
		return "sign-in by name takes no requests to another host name" + here
	case r.Header.Get("Origin") != "http://"+r.Host:
		return "sign-in by name takes no requests from other pages or programs; a program takes the token of chat token"
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return "sign-in by name takes no requests from other sites"
	}
	return ""
}

// isLoopback reports whether an address with a port is of this machine.
func isLoopback(addr string) bool {
	peer, err := netip.ParseAddrPort(addr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

func isForwarded(h http.Header) bool {
	for _, name := range forwarded {
		if h.Values(name) != nil {
			return true
		}
	}
	return false
}

// isLocalName reports whether a Host header names this machine in a way that no resolver can
// change: localhost, which browsers resolve themselves, or a loopback address.
func isLocalName(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}
