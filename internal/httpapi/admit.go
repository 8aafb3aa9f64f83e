package httpapi

import (
	"context"

	"parley/internal/chat"
	"parley/internal/gate"
	"parley/internal/ratelimit"
)

// admit starts to check the accounts of the caller and of the service that acts for them, while the
// operation reads. Writes of the operation wait for the outcome. An operation that writes has the
// caller's account read; one that reads may use what the process has read up to account.CacheAge
// ago. A service's own account may always be as old, as it calls all the time.
//
// The check also takes the price of the operation from the caller's budgets, and leaves in the bill
// of the request what the answer costs.
func (s *server) admit(ctx context.Context, caller chat.UserID, p price, in any) (gated context.Context, admitted func() error) {
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
