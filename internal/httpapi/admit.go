package httpapi

import (
	"context"

	"parley/internal/chat"
	"parley/internal/gate"
)

// admit starts to check the accounts of the caller and of the service that acts for them, while the
// operation reads. Writes of the operation wait for the outcome. An operation that writes has the
// caller's account read; one that reads may use what the process has read up to account.CacheAge
// ago. A service's own account may always be as old, as it calls all the time.
func (s *server) admit(ctx context.Context, caller chat.UserID, f Function) (gated context.Context, admitted func() error) {
	r, _ := ctx.Value(requestKey{}).(request)
	accounts := s.service.Accounts
	return gate.Start(ctx, func(ctx context.Context) error {
		check := accounts.CheckRecent
		if f == Write {
			check = accounts.Check
		}
		if err := check(ctx, caller); err != nil || r.actAs == nil {
			return err
		}
		return accounts.CheckRecent(ctx, chat.UserID(r.subject))
	})
}
