package stream

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go/middleware"
	smithytime "github.com/aws/smithy-go/time"
)

const (
	// idlePause is the longest pause after a read without records. It finds the writes of other
	// processes, which ring no bell. Four reads a second let a laptop sleep.
	idlePause = 250 * time.Millisecond
	// endTimeout is how long a poller may still deliver records when it ends. The rest is delivered
	// at the next start.
	endTimeout = 2 * time.Second
	// retryBase and retryCap bound the pause after a failure. The pause doubles, as in Lambda.
	retryBase = 50 * time.Millisecond
	retryCap  = 5 * time.Second
)

// Function handles batches and returns JSON. It is implemented by the result of lambda.NewHandler.
type Function interface {
	Invoke(ctx context.Context, payload []byte) ([]byte, error)
}

// Config configures a Poller. All fields but Bell and Trim are required.
type Config struct {
	Streams  *dynamodbstreams.Client
	ARN      string // of the stream
	Function Function
	Filter   Filter
	File     string // stores the position
	Log      *slog.Logger
	Clock    func() time.Time
	Bell     Bell // ends a pause
	// Trim, if not nil, reports to the engine that all records up to a sequence number are
	// delivered. It is called at most once in each trimPause, and at the end.
	Trim func(ctx context.Context, sequence string) error
}

// Poller delivers a stream to a function in order. It repeats each record until it is processed. A
// Poller must be used by one goroutine.
type Poller struct {
	cfg       Config
	position  position
	shards    []*shard
	relist    bool      // a shard has ended and may have children
	trimmed   string    // the sequence number of the last trim
	trimmedAt time.Time // when it was
	// endTimeout and idlePause are the package's, except in tests.
	endTimeout, idlePause time.Duration
}

// Open finds the stream and reads the stored position.
func Open(ctx context.Context, cfg Config) (*Poller, error) {
	p := &Poller{cfg: cfg, endTimeout: endTimeout, idlePause: idlePause}
	var err error
	if p.position, err = readPosition(cfg.File, cfg.ARN); err != nil {
		cfg.Log.WarnContext(ctx, "the stream is delivered from its beginning", "error", err)
	}
	if err := p.list(ctx); err != nil {
		return nil, fmt.Errorf("open the stream %s: %w", cfg.ARN, err)
	}
	return p, nil
}

// Run delivers records until ctx ends. It then delivers the records that the stream holds at that
// time, within endTimeout.
func (p *Poller) Run(ctx context.Context) {
	work, cancel := outlasting(ctx, p.endTimeout)
	defer cancel()
	for failures := 0; ; {
		// This check precedes the round, so that records that arrive during it get another round.
		ending := ctx.Err() != nil
		read, err := p.round(work)
		p.trim(work, ending && read == 0)
		switch {
		case err != nil:
			if ending {
				p.cfg.Log.WarnContext(ctx, "the rest of the stream is delivered at the next start", "error", err)
				return
			}
			failures++
			p.cfg.Log.WarnContext(ctx, "the stream cannot be read", "error", err)
			_ = smithytime.SleepWithContext(ctx, backoff(failures)) // if ctx ends, one more round follows
		case read > 0:
			failures = 0
		case ending:
			return
		default:
			failures = 0
			p.rest(ctx)
		}
	}
}

// rest waits for the bell, at most idlePause.
func (p *Poller) rest(ctx context.Context) {
	pause := time.NewTimer(p.idlePause)
	defer pause.Stop()
	select {
	case <-p.cfg.Bell:
	case <-pause.C:
	case <-ctx.Done():
	}
}

// round reads every shard once and returns the number of records.
func (p *Poller) round(ctx context.Context) (read int, err error) {
	if p.relist {
		if err := p.list(ctx); err != nil {
			return 0, err
		}
	}
	for _, s := range p.shards {
		if s.ended || p.unfinished(s.parent) {
			continue
		}
		n, err := p.read(ctx, s)
		read += n
		if err != nil {
			return read, err
		}
	}
	return read, nil
}

// outlasting returns a context that ends after ctx, by the given duration.
func outlasting(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		select {
		case <-ctx.Done():
			_ = smithytime.SleepWithContext(longer, by)
			cancel()
		case <-longer.Done():
		}
	}()
	return longer, cancel
}

// backoff returns the pause after a number of consecutive failures, from 1.
func backoff(failures int) time.Duration {
	if failures > 7 { // 50 ms << 7 is over the cap
		return retryCap
	}
	return min(retryCap, retryBase<<(failures-1))
}

// Bell wakes a poller: it rings after each write of the clients that have its Options.
type Bell chan struct{}

// NewBell returns a bell that has not rung.
func NewBell() Bell { return make(Bell, 1) }

// writes are the operations that write items.
var writes = []string{"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}

// Options makes a client ring after each write that succeeded, to any table.
func (b Bell) Options(o *dynamodb.Options) {
	o.APIOptions = append(slices.Clip(o.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("RingAfterWrites", b.after), middleware.Before)
	})
}

func (b Bell) after(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (
	out middleware.InitializeOutput, metadata middleware.Metadata, err error,
) {
	out, metadata, err = next.HandleInitialize(ctx, in)
	if err == nil && slices.Contains(writes, awsmiddleware.GetOperationName(ctx)) {
		select {
		case b <- struct{}{}:
		default: // it has rung already
		}
	}
	return out, metadata, err
}

// trimPause is the shortest time from one trim to the next. A trim costs the engine a few
// milliseconds for each thousand records, and one transaction.
const trimPause = time.Second

// trim lets the engine delete the records that were delivered, if the last trim is trimPause ago or
// the poller ends. A failure is logged: the next trim includes these records.
func (p *Poller) trim(ctx context.Context, ending bool) {
	if p.cfg.Trim == nil || len(p.shards) != 1 || !ending && p.cfg.Clock().Sub(p.trimmedAt) < trimPause {
		return
	}
	done := p.position.Done[p.shards[0].id]
	if done == "" || done == p.trimmed {
		return
	}
	p.trimmedAt = p.cfg.Clock()
	if err := p.cfg.Trim(ctx, done); err != nil {
		p.cfg.Log.WarnContext(ctx, "the stream cannot be trimmed", "error", err)
		return
	}
	p.trimmed = done
}
