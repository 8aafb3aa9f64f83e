package stream

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	smithytime "github.com/aws/smithy-go/time"
)

const (
	// idlePause is between two reads when the last one brought nothing: a change is in its feed
	// well before its sender's next glance, and twenty reads a second cost the engine nothing.
	idlePause = 50 * time.Millisecond
	// endPatience is how long the stream is delivered when the poller is to end. The rest comes at
	// the next start.
	endPatience = 2 * time.Second
	// retryBase and retryCap bound the pause after a failure. It doubles, as Lambda's does.
	retryBase = 50 * time.Millisecond
	retryCap  = 5 * time.Second
)

// Streams reads streams: *dynamodbstreams.Client.
type Streams interface {
	DescribeStream(context.Context, *dynamodbstreams.DescribeStreamInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error)
	GetShardIterator(context.Context, *dynamodbstreams.GetShardIteratorInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetShardIteratorOutput, error)
	GetRecords(context.Context, *dynamodbstreams.GetRecordsInput, ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error)
}

// Function takes batches, and answers in JSON: what lambda.NewHandler makes.
type Function interface {
	Invoke(ctx context.Context, payload []byte) ([]byte, error)
}

// Config is what a poller needs to know. All is required.
type Config struct {
	Streams  Streams
	ARN      string // of the stream
	Function Function
	Filter   Filter
	File     string // keeps how far the stream has been delivered
	Log      *slog.Logger
}

// Poller hands a stream to a function, in order, each record until it is done with. It is used by
// one goroutine.
type Poller struct {
	cfg      Config
	position position
	shards   []*shard
	relist   bool // a shard has ended: others may go on from it
}

// Open finds the stream. What was delivered before is known from the file.
func Open(ctx context.Context, cfg Config) (*Poller, error) {
	p := &Poller{cfg: cfg}
	var err error
	if p.position, err = readPosition(cfg.File, cfg.ARN); err != nil {
		cfg.Log.WarnContext(ctx, "the stream is delivered from its beginning", "error", err)
	}
	if err := p.list(ctx); err != nil {
		return nil, fmt.Errorf("open the stream %s: %w", cfg.ARN, err)
	}
	return p, nil
}

// Run delivers until ctx ends, and then for a moment the records of the stream up to that time.
func (p *Poller) Run(ctx context.Context) {
	work, cancel := outlasting(ctx, endPatience)
	defer cancel()
	for failures := 0; ; {
		// Asked before the round: what comes while it runs is for one more.
		ending := ctx.Err() != nil
		read, err := p.round(work)
		switch {
		case err != nil:
			if ending {
				p.cfg.Log.WarnContext(ctx, "the rest of the stream is delivered at the next start", "error", err)
				return
			}
			failures++
			p.cfg.Log.WarnContext(ctx, "the stream cannot be read", "error", err)
			_ = smithytime.SleepWithContext(ctx, backoff(failures)) // at its end there is one more round
		case read > 0:
			failures = 0
		case ending:
			return
		default:
			failures = 0
			_ = smithytime.SleepWithContext(ctx, idlePause)
		}
	}
}

// round reads every shard once, and returns how many records there were.
func (p *Poller) round(ctx context.Context) (read int, err error) {
	if p.relist {
		if err := p.list(ctx); err != nil {
			return 0, err
		}
	}
	for _, s := range p.shards {
		if s.ended || p.goesOn(s.parent) {
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

// outlasting returns a context that ends some time after another one.
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

// backoff returns the pause after so many failures in a row, from 1.
func backoff(failures int) time.Duration {
	if failures > 7 { // 50 ms << 7 is over the cap
		return retryCap
	}
	return min(retryCap, retryBase<<(failures-1))
}
