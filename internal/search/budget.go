package search

import (
	"context"
	"sync/atomic"
)

// A step is the work of a plain scan of a byte of text, about a nanosecond. The costs are what
// `go test ./internal/search -run XXX -bench .` measured, on one core of an EPYC server.
const (
	// MaxSteps bounds the work of one request: a plain scan of 150 MB in 150 ms. A request that
	// reaches it ends its page with next. It is a scan of the indexes of two million short messages
	// in memory, or of half a million that are read from the bucket.
	MaxSteps = 150_000_000
	// PaySteps is the work that the price of a request includes. Before each further part of this
	// size, a request pays for it.
	PaySteps = MaxSteps / 10
	// maxCalls bounds the calls for indexes, blocks and messages of one request. Each takes a few
	// milliseconds.
	maxCalls = 600

	// filterBytes is the number of bytes in which one step looks for the head of a term.
	filterBytes = 4
	// docCost is the steps of a document that is compared, in addition to the steps of its text.
	docCost = 64
	// decodeCost is the steps of a byte of a block that is read.
	decodeCost = 4
	// foldCost is the steps of a byte of folded text.
	foldCost = 8
	// messageCost is the steps of a byte of a message that is read from the table.
	messageCost = 16
)

// budget counts the work of a request. It is safe for concurrent use.
type budget struct {
	calls, steps atomic.Int64
	limit        int64                                      // of steps; 0 means none
	pay          func(ctx context.Context, steps int) error // nil means that nobody pays
	part         int64                                      // that is paid for in one step
	paid         int64
}

// call counts a call.
func (b *budget) call() { b.calls.Add(1) }

// spend counts steps.
func (b *budget) spend(steps int) { b.steps.Add(int64(steps)) }

// empty reports whether the request must end.
func (b *budget) empty() bool {
	return b.limit > 0 && (b.calls.Load() >= maxCalls || b.steps.Load() >= b.limit)
}

// freshEnds reports whether the newest messages have taken their part of the steps.
func (b *budget) freshEnds() bool { return b.limit > 0 && b.steps.Load() >= b.limit/freshPart }

// settle pays for what was spent. It also returns the error of a context that has ended. It is not
// safe for concurrent use.
func (b *budget) settle(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for b.pay != nil && b.paid < b.steps.Load() {
		if err := b.pay(ctx, int(b.part)); err != nil {
			return err
		}
		b.paid += b.part
	}
	return nil
}
