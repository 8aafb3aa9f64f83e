package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/table"
)

// LogStore is chat.LogStore on the second table.
type LogStore struct {
	db      *dynamodb.Client
	table   string
	observe func(context.Context, Usage)
}

var _ chat.LogStore = (*LogStore)(nil)

// NewLog makes a log store on a table that exists. It uses no clock.
func NewLog(db *dynamodb.Client, o Options) *LogStore {
	s := &LogStore{db: db, table: o.Table, observe: o.Observe}
	if s.observe == nil {
		s.observe = func(context.Context, Usage) {}
	}
	return s
}

// CreateLogTable makes the activity log's table on a local engine, as the stack makes it
// in an account. A table that exists is left alone.
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
	_, err = db.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: &name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String(table.LogTTL), Enabled: aws.Bool(true),
		},
	})
	if err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	return nil
}

// AppendLog is one conditional put, 1 write unit for an entry below 1 KB. Where the instant is
// taken, it looks once at all that stands there, a read unit for every 4 KB, and puts at the first place that is
// free: one more put, and another for each entry that comes there at the same moment.
//
// Whoever puts at a place has seen other entries at every place before it, and none is ever removed while a
// retry may come: so a retry ends at the entry itself.
func (s *LogStore) AppendLog(ctx context.Context, log chat.Log, e chat.LogEntry) (chat.LogEntry, bool, error) {
	kept, created, err := s.putLog(ctx, log, e)
	if err != nil || created || kept.ID == e.ID {
		return kept, created, err
	}
	taken, err := s.instant(ctx, log, e.At)
	if err != nil {
		return chat.LogEntry{}, false, err
	}
	puts := 1
	for n := range chat.MaxPerInstant {
		at := e
		at.At = e.At.Add(time.Duration(n) * chat.LogStep)
		kept, is := taken[at.At.UnixMicro()]
		if !is && puts == chat.MaxAppendPuts {
			return chat.LogEntry{}, false, &chat.Error{Kind: chat.Unavailable, RetryAfter: retryAfter, Detail: "too much happens at this instant"}
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
	return chat.LogEntry{}, false, &chat.Error{Kind: chat.Conflict, Detail: "there are too many entries at this instant"}
}

// putLog puts an entry where there is none, or returns the one that is there.
func (s *LogStore) putLog(ctx context.Context, log chat.Log, e chat.LogEntry) (chat.LogEntry, bool, error) {
	out, err := s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: table.LogItem(log, e),
		ConditionExpression:                 aws.String("attribute_not_exists(#device)"),
		ExpressionAttributeNames:            map[string]string{"#device": table.LogPK},
		ReturnConsumedCapacity:              types.ReturnConsumedCapacityTotal,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	old, taken := refused(err)
	switch {
	case taken:
		kept, err := table.ParseLogItem(log, old)
		return kept, false, translate("append to log", err)
	case err != nil:
		return chat.LogEntry{}, false, translate("append to log", err)
	}
	s.used(ctx, Usage{Operation: "append to log", Write: true}, out.ConsumedCapacity)
	return e, true, nil
}

// instant is what stands at an instant, by its microsecond. What it does not show, the put finds.
func (s *LogStore) instant(ctx context.Context, log chat.Log, at time.Time) (map[int64]chat.LogEntry, error) {
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: aws.Bool(true),
		KeyConditionExpression:   aws.String("#device = :device AND #at BETWEEN :first AND :last"),
		ExpressionAttributeNames: map[string]string{"#device": table.LogPK, "#at": table.LogSK},
		ExpressionAttributeValues: table.Item{
			":device": &types.AttributeValueMemberS{Value: table.LogKeyOf(log)},
			":first":  table.LogTime(at),
			":last":   table.LogTime(at.Add((chat.MaxPerInstant - 1) * chat.LogStep)),
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		return nil, translate("look at an instant", err)
	}
	s.used(ctx, Usage{Operation: "look at an instant", Items: len(out.Items)}, out.ConsumedCapacity)
	taken := map[int64]chat.LogEntry{}
	for _, item := range out.Items {
		e, err := table.ParseLogItem(log, item)
		if err != nil {
			return nil, translate("look at an instant", err)
		}
		taken[e.At.UnixMicro()] = e
	}
	return taken, nil
}

// ReadLog asks for half a read unit for every 4 KB, and reads one entry more than
// it returns, to know whether there are more. Entries that have expired are behind the span's After and
// are not read. Some may stand before it: they were kept for a shorter life, or moved on from
// an instant that was taken. A filter passes over them, the only one there is.
func (s *LogStore) ReadLog(ctx context.Context, span chat.LogSpan) ([]chat.LogEntry, bool, error) {
	in, ok := s.logQuery(span)
	if !ok {
		return nil, false, nil
	}
	var entries []chat.LogEntry
	in.Limit = aws.Int32(int32(span.Limit + 1))
	for {
		out, err := s.db.Query(ctx, in)
		if err != nil {
			return nil, false, translate("read log", err)
		}
		s.used(ctx, Usage{Operation: "read log", Items: len(out.Items)}, out.ConsumedCapacity)
		for _, item := range out.Items {
			e, err := table.ParseLogItem(span.Log, item)
			if err != nil {
				return nil, false, translate("read log", err)
			}
			entries = append(entries, e)
		}
		if len(entries) > span.Limit {
			return entries[:span.Limit], true, nil
		}
		if len(out.LastEvaluatedKey) == 0 {
			return entries, false, nil
		}
		in.ExclusiveStartKey = out.LastEvaluatedKey
		// What was asked for had expired in part: many more may have.
		in.Limit = aws.Int32(int32(max(logBatch, span.Limit+1-len(entries))))
	}
}

// logBatch is how many entries are asked for at least where expired ones stand in the
// way, so that passing over thousands of them takes few calls.
const logBatch = 200

// logQuery puts a span into words: <, > or BETWEEN on the number. Both of
// BETWEEN's bounds belong to it, so they are a step further in; where nothing is left
// between them there is nothing to ask.
func (s *LogStore) logQuery(span chat.LogSpan) (*dynamodb.QueryInput, bool) {
	condition, values := "#device = :device", table.Item{
		":device": &types.AttributeValueMemberS{Value: table.LogKeyOf(span.Log)},
		":now":    &types.AttributeValueMemberN{Value: fmt.Sprint(span.Now.Unix())},
	}
	names := map[string]string{"#device": table.LogPK, "#expires": table.LogTTL}
	after, before := floor(span.After), ceil(span.Before)
	switch {
	case !after.IsZero() && !before.IsZero():
		first, last := after.Add(chat.LogStep), before.Add(-chat.LogStep)
		if last.Before(first) {
			return nil, false
		}
		condition += " AND #at BETWEEN :first AND :last"
		values[":first"], values[":last"] = table.LogTime(first), table.LogTime(last)
	case !after.IsZero():
		condition += " AND #at > :after"
		values[":after"] = table.LogTime(after)
	case !before.IsZero():
		condition += " AND #at < :before"
		values[":before"] = table.LogTime(before)
	}
	if len(values) > 2 {
		names["#at"] = table.LogSK
	}
	return &dynamodb.QueryInput{
		TableName: &s.table, ScanIndexForward: aws.Bool(false),
		KeyConditionExpression:    aws.String(condition),
		FilterExpression:          aws.String("#expires > :now"),
		ExpressionAttributeNames:  names,
		ExpressionAttributeValues: values,
		ReturnConsumedCapacity:    types.ReturnConsumedCapacityTotal,
	}, true
}

// floor and ceil bring a bound of any precision to the log's, so that the same entries
// lie strictly behind or before it.
func floor(t time.Time) time.Time { return t.Truncate(chat.LogStep) }

func ceil(t time.Time) time.Time {
	if f := floor(t); !f.Equal(t) {
		return f.Add(chat.LogStep)
	}
	return t
}

func (s *LogStore) used(ctx context.Context, u Usage, c *types.ConsumedCapacity) {
	if c != nil && c.CapacityUnits != nil {
		u.Units = *c.CapacityUnits
	}
	s.observe(ctx, u)
}
