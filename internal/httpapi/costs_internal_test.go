package httpapi

import (
	"testing"

	"example.com/parley/internal/ratelimit"
)

// TestDefine_PricesWhatTheFunctionDoes checks that an operation of the write function is not priced as
// a read, nor the reverse.
func TestDefine_PricesWhatTheFunctionDoes(t *testing.T) {
	t.Parallel()
	for _, o := range operations() {
		if o.public {
			if o.price != (price{}) {
				t.Errorf("%s has no caller and the price %+v", o.OperationID, o.price)
			}
			continue
		}
		if o.price.units < 1 || (o.price.limit == ratelimit.Reads) != (o.function != Write) {
			t.Errorf("%s, of the function %s, has the price %+v", o.OperationID, o.function, o.price)
		}
	}
}
