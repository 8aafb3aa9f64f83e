package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	smithytime "github.com/aws/smithy-go/time"

	"example.com/parley/internal/table"
)

const (
	// functionTimeout is the timeout of the deployed function.
	functionTimeout = time.Minute
	// maxPayload is the largest event that Lambda sends to a function. Larger batches are split.
	maxPayload = 6 << 20
)

// Filter selects the records that reach the function, as the mapping's filters do.
type Filter struct {
	Attribute string   // the attribute that holds the type
	Present   []string // the types of current items that pass
	Removed   []string // the types of removed items that pass
	// Bypass are attributes. A current item that has one of them as a string passes with any type.
	Bypass []string
}

func (f Filter) passes(r types.Record) bool {
	if r.Dynamodb == nil {
		return false
	}
	for _, name := range f.Bypass {
		if _, bypass := r.Dynamodb.NewImage[name].(*types.AttributeValueMemberS); bypass {
			return true
		}
	}
	image, wanted := r.Dynamodb.NewImage, f.Present
	if r.EventName == types.OperationTypeRemove {
		image, wanted = r.Dynamodb.OldImage, f.Removed
	}
	kind, ok := image[f.Attribute].(*types.AttributeValueMemberS)
	return ok && slices.Contains(wanted, kind.Value)
}

// deliver hands records of a shard to the function until all are processed, and stores its
// position. It never skips a record: it fails only if ctx has ended or the position cannot be
// stored.
func (p *Poller) deliver(ctx context.Context, shard string, records []types.Record) error {
	if len(records) == 0 {
		return nil
	}
	last := sequenceOf(records[len(records)-1])
	wanted := slices.DeleteFunc(slices.Clone(records), func(r types.Record) bool { return !p.cfg.Filter.passes(r) })
	size, failures := len(wanted), 0
	for len(wanted) > 0 {
		part, done, err := p.offer(ctx, wanted[:min(size, len(wanted))])
		if done > 0 {
			if err := p.done(shard, sequenceOf(wanted[done-1])); err != nil {
				return err
			}
			wanted, failures = wanted[done:], 0
		}
		if err == nil && done == part {
			size = 2 * part
			continue
		}
		p.cfg.Log.WarnContext(
			ctx, "a batch is repeated", "shard", shard, "sequence", sequenceOf(wanted[0]), "records", part-done,
			"error", cmp.Or(err, ctx.Err()),
		)
		if err != nil && part > 1 && ctx.Err() == nil {
			size = part / 2 // immediately: the good half must not wait for the other
			continue
		}
		failures++
		if err := smithytime.SleepWithContext(ctx, backoff(failures)); err != nil {
			return fmt.Errorf("deliver the records from %s: %w", sequenceOf(wanted[0]), err)
		}
	}
	return p.done(shard, last)
}

// done stores the position after a record of a shard.
func (p *Poller) done(shard, sequence string) error {
	if p.position.Done[shard] == sequence {
		return nil
	}
	p.position.Done[shard] = sequence
	return p.position.write(p.cfg.File)
}

// offer calls the function once with as many records as fit. It returns their number, and the
// number of records from the first that are processed.
func (p *Poller) offer(ctx context.Context, records []types.Record) (part, done int, err error) {
	part = len(records)
	payload, err := Event(p.cfg.ARN, records)
	for err == nil && len(payload) > maxPayload && part > 1 {
		part /= 2
		payload, err = Event(p.cfg.ARN, records[:part])
	}
	if err != nil {
		return part, 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, functionTimeout)
	defer cancel()
	answer, err := p.invoke(ctx, payload)
	if err != nil {
		return part, 0, err
	}
	done, err = doneOf(answer, records[:part])
	return part, done, err
}

// invoke turns a panic into an error. As in the service, a panic ends one invocation and not the
// server.
func (p *Poller) invoke(ctx context.Context, payload []byte) (answer []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("function panicked: %v\n%s", r, debug.Stack())
		}
	}()
	return p.cfg.Function.Invoke(ctx, payload)
}

// doneOf reads a function's response as Lambda does: the batch continues from the first record that
// the response names. A response that names other records or cannot be read fails the whole batch.
func doneOf(answer []byte, records []types.Record) (int, error) {
	var resp events.DynamoDBEventResponse
	if err := json.Unmarshal(answer, &resp); err != nil {
		return 0, fmt.Errorf("read the function's response: %w", err)
	}
	done := len(records)
	for _, f := range resp.BatchItemFailures {
		i := slices.IndexFunc(records, func(r types.Record) bool { return sequenceOf(r) == f.ItemIdentifier })
		if i < 0 {
			return 0, fmt.Errorf("the function's response names record %q, which is not in the batch", f.ItemIdentifier)
		}
		done = min(done, i)
	}
	return done, nil
}

// TableFilter returns the filter of the feed function's mapping to the table's stream.
func TableFilter() Filter {
	return Filter{
		Attribute: table.AttrType, Present: append(table.StreamTypes(), string(table.RoleKind)),
		Removed: table.StreamRemovedTypes(),
		Bypass:  []string{table.AttrFeed, table.AttrSuspended},
	}
}

// OutboxFilter returns the filter of the outbox function's mapping to the table's stream. Of the
// rooms, only the deleted ones are news.
func OutboxFilter() Filter {
	return Filter{Attribute: table.AttrType, Present: table.OutboxTypes()}
}
