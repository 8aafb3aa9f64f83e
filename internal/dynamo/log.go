package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/table"
)

// LogStore implements activity.Store on the second table.
type LogStore struct{ table *Table }

var _ activity.Store = (*LogStore)(nil)

// NewLog returns a LogStore on a table that exists. It does not use a clock.
func NewLog(db *dynamodb.Client, o Options) *LogStore {
	t := NewTable(db, o.Table, o.Observe)
	t.pk, t.sk = table.LogPK, table.LogSK
	return &LogStore{table: t}
}

// CreateLogTable creates the activity log's table on a local engine, as the stack does in an
// account. It does not change an existing table.
func CreateLogTable(ctx context.Context, db *dynamodb.Client, name string) error {
	_, err := db.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			text(table.LogPK),
			{AttributeName: aws.String(table.LogSK), AttributeType: types.ScalarAttributeTypeN},
		},
		KeySchema: keys(table.LogPK, table.LogSK),
	})
	var exists *types.ResourceInUseException
	if errors.As(err, &exists) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	return enableTTL(ctx, db, name, table.LogTTL)
}

// AppendLog is one conditional put: 1 write unit for an entry below 1 KB. If the instant is taken,
// it reads all entries there once, a read unit for every 4 KB, and puts at the first free instant.
// That is one more put, and another for each entry that is concurrently put there.
//
// An entry is put at an instant only if all instants before it are taken, and no entry is removed
// while a retry may come. So a retry always ends at the entry itself.
func (s *LogStore) AppendLog(
	ctx context.Context, log activity.Log, e activity.LogEntry,
) (activity.LogEntry, bool, error) {
	kept, created, err := s.putLog(ctx, log, e)
	if err != nil || created || kept.ID == e.ID {
		return kept, created, err
	}
	taken, err := s.instant(ctx, log, e.At)
	if err != nil {
		return activity.LogEntry{}, false, err
	}
	puts := 1
	for n := range activity.MaxPerInstant {
		at := e
		at.At = e.At.Add(time.Duration(n) * activity.LogStep)
		kept, is := taken[at.At.UnixMicro()]
		if !is && puts == activity.MaxAppendPuts {
			return activity.LogEntry{}, false, errInstantBusy()
		}
		if !is {
			puts++
			if kept, created, err = s.putLog(ctx, log, at); err != nil || created {
				return kept, created, err
			}
		}
		if kept.ID == e.ID {
			return kept, false, nil
		}
	}
	return activity.LogEntry{}, false, errInstantFull()
}

// putLog puts an entry, or returns the existing entry with its time.
func (s *LogStore) putLog(ctx context.Context, log activity.Log, e activity.LogEntry) (activity.LogEntry, bool, error) {
	put, err := s.table.InsertItem(ctx, "append to log", table.LogItem(log, e))
	if err != nil {
		return activity.LogEntry{}, false, err
	}
	if !put.Failed {
		return e, true, nil
	}
	existing, err := table.ParseLogItem(log, put.Existing)
	return existing, false, translate("append to log", err)
}

// instant returns the entries at an instant, by their microseconds. The put finds entries added
// later.
func (s *LogStore) instant(ctx context.Context, log activity.Log, at time.Time) (map[int64]activity.LogEntry, error) {
	const op = "read instant of log"
	items, _, err := s.table.Query(ctx, Query{
		Operation: op, Partition: table.LogKeyOf(log), Consistency: Strong,
		Keys: KeyRange{table.LogTime(at), table.LogTime(at.Add((activity.MaxPerInstant - 1) * activity.LogStep))},
	})
	if err != nil {
		return nil, err
	}
	entries, err := ParseItems(op, items, parseLogItem(log))
	if err != nil {
		return nil, err
	}
	taken := map[int64]activity.LogEntry{}
	for _, e := range entries {
		taken[e.At.UnixMicro()] = e
	}
	return taken, nil
}

func parseLogItem(log activity.Log) func(table.Item) (activity.LogEntry, error) {
	return func(item table.Item) (activity.LogEntry, error) { return table.ParseLogItem(log, item) }
}

// ReadLog costs half a read unit for every 4 KB. It reads one entry more than it returns, to learn
// whether there are more. Most expired entries are before the range's After and are not read. Some
// are after it: their retention was shorter, or they moved on from a taken instant. A filter skips
// them.
func (s *LogStore) ReadLog(ctx context.Context, span activity.LogRange) ([]activity.LogEntry, bool, error) {
	q, ok := logQuery(span)
	if !ok {
		return nil, false, nil
	}
	var entries []activity.LogEntry
	q.Limit = span.Limit + 1
	for {
		items, next, err := s.table.Query(ctx, q)
		if err != nil {
			return nil, false, err
		}
		parsed, err := ParseItems(q.Operation, items, parseLogItem(span.Log))
		if err != nil {
			return nil, false, err
		}
		entries = append(entries, parsed...)
		if len(entries) > span.Limit {
			return entries[:span.Limit], true, nil
		}
		if q.Start = next; next == nil {
			return entries, false, nil
		}
		// Some entries had expired, so many more may have.
		q.Limit = max(logBatch, span.Limit+1-len(entries))
	}
}

// logBatch is the minimum number of entries per read once expired ones were found, so that
// skipping thousands needs few calls.
const logBatch = 200

// logQuery returns the query for a range. A range excludes both bounds and a query includes them,
// so they move a step inward. It reports false if nothing is between them.
func logQuery(span activity.LogRange) (Query, bool) {
	q := Query{
		Operation: "read log", Partition: table.LogKeyOf(span.Log), Consistency: Eventual, NewestFirst: true,
		Filter: table.Filter{
			Expression: "#expires > :now",
			Names:      map[string]string{"#expires": table.LogTTL},
			Values:     table.Item{":now": &types.AttributeValueMemberN{Value: fmt.Sprint(span.Now.Unix())}},
		},
	}
	first, last := floor(span.After).Add(activity.LogStep), ceil(span.Before).Add(-activity.LogStep)
	if !span.After.IsZero() {
		q.Keys.Low = table.LogTime(first)
	}
	if !span.Before.IsZero() {
		q.Keys.High = table.LogTime(last)
	}
	empty := !span.After.IsZero() && !span.Before.IsZero() && last.Before(first)
	return q, !empty
}

// floor and ceil round a bound of any precision to the log's, so that the same entries lie strictly
// after or before it.
func floor(t time.Time) time.Time { return t.Truncate(activity.LogStep) }

func ceil(t time.Time) time.Time {
	if f := floor(t); !f.Equal(t) {
		return f.Add(activity.LogStep)
	}
	return t
}
