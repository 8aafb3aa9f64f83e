package httpapi

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/gate"
	"example.com/parley/internal/ratelimit"
)

// admit starts to check the accounts of the caller and of a service that acts for them, while the
// operation reads. Writes of the operation wait for the outcome. An operation that writes reads
// the caller's account. An operation that only reads may use an account cached for up to
// account.CacheAge. A service's own account may always come from the cache, because services call
// all the time.
//
// The check also charges the operation's price to the caller's budgets, and prepares the request's
// bill for the cost of the response.
func (s *server) admit(
	ctx context.Context, caller chat.UserID, p price, in any,
) (gated context.Context, admitted func() error) {
	r, _ := ctx.Value(requestKey{}).(request)
	accounts := s.service.Accounts
	return gate.Start(ctx, func(ctx context.Context) error {
		check := accounts.CheckRecent
		if p.limit != ratelimit.Reads {
			check = accounts.Check
		}
		a, err := check(ctx, caller)
		if err != nil {
			return err
		}
		if r.actAs != nil {
			if _, err := accounts.CheckRecent(ctx, chat.UserID(r.subject)); err != nil {
				return err
			}
		}
		return s.charge(ctx, caller, p, in, a.Budgets)
	})
}
