package httpapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/problem"
)

// request carries what the edge knows about a request to its operation.
type request struct {
	subject string
	name    string  // that the token claims, if any
	refused string  // the check that the token failed, if there is no subject
	service bool    // the token belongs to a service
	actAs   *string // the header of this name, if the request has it
	header  http.Header
	bytes   int64         // of the body
	bill    *bill         // of the response
	reads   *atomic.Int64 // half read units that the request has consumed
	log     *slog.Logger
}

type requestKey struct{}

func requestOf(o Options, r *http.Request, log *slog.Logger) request {
	of := request{
		subject: o.Subject(r), service: o.IsService != nil && o.IsService(r), log: log, header: r.Header,
		bytes: r.ContentLength, bill: &bill{}, reads: &atomic.Int64{},
	}
	if o.Name != nil {
		of.name = o.Name(r)
	}
	if of.subject == "" && o.Refused != nil {
		of.refused = o.Refused(r)
	}
	if values, ok := r.Header[actAsHeader]; ok {
		joined := strings.Join(values, ",") // as API Gateway joins them; no user id contains a comma
		of.actAs = &joined
	}
	return of
}

// actAsHeader names the person for whom a service acts. CORS never allows it, so that no page can
// send it.
const actAsHeader = "Parley-Act-As"

// acting returns the caller of a request, and a context that names the service making it. The
// caller is the token's subject, or the person whom a service names in the header. The error is
// Forbidden if the header comes without a service's token, and Invalid if its value is not a user
// id.
func acting(ctx context.Context) (chat.UserID, context.Context, error) {
	caller, err := callerOf(ctx)
	if err != nil {
		return "", ctx, err
	}
	r, _ := ctx.Value(requestKey{}).(request)
	if r.actAs != nil && !r.service {
		return "", ctx, &chat.Error{Kind: chat.Forbidden, Field: actAsHeader,
			Detail: "only services may send the header " + actAsHeader + "; use a token with the scope for it, or " +
				"leave it out"}
	}
	if !r.service {
		return caller, ctx, nil
	}
	ctx = chat.WithService(ctx, caller)
	if r.actAs != nil {
		if caller, err = chat.ParseUserID(*r.actAs); err != nil {
			return "", ctx, chat.InField(actAsHeader, err)
		}
	}
	return caller, ctx, nil
}

// callerOf returns the authenticated user of a request. If the token failed a check, callerOf logs
// which.
func callerOf(ctx context.Context) (chat.UserID, error) {
	r, _ := ctx.Value(requestKey{}).(request)
	if r.subject == "" {
		logOf(ctx).InfoContext(ctx, "unauthorized", "check", cmp.Or(r.refused, "there is no subject"))
		return "", problem.OfStatus(http.StatusUnauthorized, "send a valid access token in the Authorization header")
	}
	user, err := chat.ParseUserID(r.subject)
	if err != nil {
		logOf(ctx).InfoContext(ctx, "unauthorized", "check", "the subject is not a user id")
		return "", problem.OfStatus(http.StatusUnauthorized,
			"the token's subject must be a user id: 1 to 64 of A-Z a-z 0-9 . _ @ | : + = -, and not me, . or ..")
	}
	return user, nil
}

// claimedName returns the name that the caller's token claims, if any. The token of a service that
// acts for the caller claims no name.
func claimedName(ctx context.Context) string {
	r, _ := ctx.Value(requestKey{}).(request)
	if r.actAs != nil {
		return ""
	}
	return r.name
}

// byService reports whether a service makes a request, on its own behalf or on a user's.
func byService(ctx context.Context) bool {
	r, _ := ctx.Value(requestKey{}).(request)
	return r.service
}

// onlyServices is the security of operations that only services may use.
var onlyServices = []map[string][]string{{serviceScheme: {}}}

// isService reports whether the caller of a request is a service that acts for nobody else.
func isService(ctx context.Context) bool {
	r, _ := ctx.Value(requestKey{}).(request)
	return r.service && r.actAs == nil
}

func logOf(ctx context.Context) *slog.Logger {
	if r, ok := ctx.Value(requestKey{}).(request); ok {
		return r.log
	}
	return slog.New(slog.DiscardHandler)
}
