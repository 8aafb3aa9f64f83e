package httpapi

import (
	"context"
	"math"
	"net/http"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/gate"
	"example.com/parley/internal/ratelimit"
)

// bill is for charging a caller once the response is known.
type bill struct {
	meter  *ratelimit.Meter // nil until the operation is charged
	caller chat.UserID
	known  ratelimit.Budgets
	price  price
}

// weighted is implemented by inputs that cost as much as multiple messages.
type weighted interface{ weight() int }

// meterOf returns the meter for a caller: services that act as themselves have other limits than
// people.
func (s *server) meterOf(ctx context.Context, caller chat.UserID) *ratelimit.Meter {
	if chat.IsService(ctx, caller) {
		return s.service.ServiceMeter
	}
	return s.service.Meter
}

// allow refuses callers whose budget this process knows to be empty. It reads nothing, so that a
// flood of refused requests costs no units.
func (s *server) allow(ctx context.Context, caller chat.UserID, p price) error {
	return s.meterOf(ctx, caller).Allow(caller, ratelimit.Budgets{}, ratelimit.Cost{Limit: p.limit, Units: p.units})
}

// charge charges the price of an operation to the caller's budgets, as far as it is known before
// the operation.
func (s *server) charge(ctx context.Context, caller chat.UserID, p price, in any, known ratelimit.Budgets) error {
	r, _ := ctx.Value(requestKey{}).(request)
	kilobytes := int(max(0, r.bytes)+1023) / 1024
	if err := s.take(ctx, caller, p, known, costsOf(caller, p, in, kilobytes)); err != nil {
		return err
	}
	if r.bill != nil {
		*r.bill = bill{meter: s.meterOf(ctx, caller), caller: caller, known: known, price: p}
	}
	return nil
}

// costsOf returns the costs of an operation with a body of a size.
func costsOf(caller chat.UserID, p price, in any, kilobytes int) []ratelimit.Cost {
	main := ratelimit.Cost{Limit: p.limit, Units: p.units + p.unitsPerKB*kilobytes}
	if w, ok := in.(weighted); ok {
		main.Units *= w.weight()
	}
	costs := []ratelimit.Cost{main}
	if p.stores {
		costs = append(costs, ratelimit.Cost{Limit: ratelimit.Bytes, Units: kilobytes})
	}
	if p.limit != ratelimit.Reads {
		costs = append(costs, towardCosts(caller, in)...)
	}
	return costs
}

// take charges costs, unless the quota of what the operation may create is empty.
func (s *server) take(
	ctx context.Context, caller chat.UserID, p price, known ratelimit.Budgets, costs []ratelimit.Cost,
) error {
	meter := s.meterOf(ctx, caller)
	if p.creates != ratelimit.Messages {
		if err := meter.Allow(caller, known, ratelimit.Cost{Limit: p.creates, Units: 1}); err != nil {
			return err
		}
	}
	return meter.Take(ctx, caller, known, costs...)
}

// pay charges further read units of a request, once it is admitted. Its error is RateLimited if the
// caller's budget is empty.
func (s *server) pay(ctx context.Context, units int) error {
	if err := gate.Wait(ctx); err != nil {
		return err
	}
	r, _ := ctx.Value(requestKey{}).(request)
	if r.bill == nil || r.bill.meter == nil {
		return nil
	}
	return r.bill.meter.Take(ctx, r.bill.caller, r.bill.known, ratelimit.Cost{Limit: ratelimit.Reads, Units: units})
}

// Consumed counts units that a request has consumed, for the charge of a page. It ignores contexts
// without a request.
func Consumed(ctx context.Context, units float64, write bool) {
	if r, ok := ctx.Value(requestKey{}).(request); ok && !write {
		r.reads.Add(int64(math.Ceil(2 * units)))
	}
}

// settle charges the caller for the response of an operation: for a created object, or for the
// bytes of a page and the units beyond its price. The response is sent in any case; if a budget is
// empty, the next request is refused.
func (b *bill) settle(ctx context.Context, status, bytes, reads int) error {
	if b.meter == nil {
		return nil
	}
	var c ratelimit.Cost
	switch {
	case b.price.creates != ratelimit.Messages && status == http.StatusCreated:
		c = ratelimit.Cost{Limit: b.price.creates, Units: 1}
	case b.price.limit == ratelimit.Reads:
		c = ratelimit.Cost{
			Limit: ratelimit.Reads, Units: bytes/pageBytes + max(0, reads-max(b.price.units, b.price.covers)),
		}
	}
	return b.meter.Charge(ctx, b.caller, b.known, c)
}

// settle settles the bill of a request. A failure is logged, because the response has been sent.
func settle(r *http.Request, answer *statusWriter) {
	of, _ := r.Context().Value(requestKey{}).(request)
	if err := of.bill.settle(r.Context(), answer.status, answer.bytes, int(of.reads.Load()+1)/2); err != nil {
		of.log.WarnContext(r.Context(), "charge failed", "cause", err.Error())
	}
}

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
