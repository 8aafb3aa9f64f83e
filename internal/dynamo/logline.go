package dynamo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// logLine is an entry of a log that a transaction adds.
type logLine struct {
	store *LogStore
	log   activity.Log
	entry activity.LogEntry
}

// LogLine implements activity.Store. The line is for a Store in the same account and Region.
func (s *LogStore) LogLine(log activity.Log, e activity.LogEntry) any { return logLine{s, log, e} }

// write returns the line's part of a transaction: 2 write units for an entry below 1 KB.
func (l logLine) write() Write { return l.store.table.PutNew(table.LogItem(l.log, l.entry)) }

// later returns the line at the first free instant from its own time on. It reads all entries
// there: a read unit for every 4 KB.
func (l logLine) later(ctx context.Context) (logLine, error) {
	taken, err := l.store.instant(ctx, l.log, l.entry.At)
	if err != nil {
		return l, err
	}
	for n := range activity.MaxPerInstant {
		at := l.entry.At.Add(time.Duration(n) * activity.LogStep)
		if _, is := taken[at.UnixMicro()]; !is {
			l.entry.At = at
			return l, nil
		}
	}
	return l, errInstantFull()
}

// transactAudited makes all writes and adds a line to a log, or changes nothing. It reports false
// if the condition of a write does not hold. A nil line adds nothing. If the instant of the line
// is taken, the whole transaction is repeated with a free one: none of its writes took effect.
func (s *Store) transactAudited(ctx context.Context, op string, writes []Write, line any) (bool, error) {
	if line == nil {
		return s.table.transactIf(ctx, op, anyConditionFailed, writes...)
	}
	l, ok := line.(logLine)
	if !ok {
		return false, fmt.Errorf("%s: a line of type %T belongs to another store", op, line)
	}
	for range activity.MaxAppendPuts {
		err := s.table.Transact(ctx, op, append(slices.Clip(writes), l.write()))
		if !onlyLastConditionFailed(err) {
			if anyConditionFailed(err) {
				return false, nil
			}
			return err == nil, translate(op, err)
		}
		if l, err = l.later(ctx); err != nil {
			return false, err
		}
	}
	return false, errInstantBusy()
}

// onlyLastConditionFailed reports whether a transaction was cancelled because the condition of its
// last write did not hold, and for no other reason.
func onlyLastConditionFailed(err error) bool {
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || !anyConditionFailed(err) {
		return false
	}
	others := cancelled.CancellationReasons[:len(cancelled.CancellationReasons)-1]
	return !slices.ContainsFunc(
		others, func(r types.CancellationReason) bool { return aws.ToString(r.Code) == ConditionFailed },
	)
}

func errInstantFull() error {
	return chat.Conflictf("the log holds too many entries at this instant; report another time")
}

func errInstantBusy() error {
	return &chat.Error{
		Kind: chat.Unavailable, RetryAfter: RetryAfter,
		Detail: "the log is too busy at this instant; " + chat.RetryHint,
	}
}
