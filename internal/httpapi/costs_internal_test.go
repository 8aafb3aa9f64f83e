package httpapi

import (
	"testing"

	"parley/internal/ratelimit"
)

// TestPriceOf_EveryWriteHasAPrice checks that each operation that writes has a price of its own, and
// that no price is that of an unknown operation.
func TestPriceOf_EveryWriteHasAPrice(t *testing.T) {
	t.Parallel()
	unknown := prices()
	for _, o := range operations() {
		delete(unknown, o.OperationID)
		p := priceOf(o.OperationID)
		if p.units < 1 || (p.limit == ratelimit.Reads) != (o.function == Read) {
			t.Errorf("%s has the price %+v", o.OperationID, p)
		}
	}
	for id := range unknown {
		t.Errorf("%s has a price and is no operation", id)
	}
}
