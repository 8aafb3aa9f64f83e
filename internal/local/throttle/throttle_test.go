package throttle_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/local/throttle"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/tabletest"
)

const name = "chat"

// limited is a client of an engine with limits, on a clock that only the test advances. It retries
// nothing.
type limited struct {
	*dynamodb.Client
	t      *testing.T
	limits *throttle.Limits
	now    time.Time
}

func newLimited(t *testing.T, writes int) *limited {
	t.Helper()
	l := &limited{t: t, now: time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)}
	var err error
	if l.limits, err = throttle.New(writes, func() time.Time { return l.now }); err != nil {
		t.Fatal(err)
	}
	free := tabletest.Start(t, name)
	l.Client = dynamodb.New(free.Options(), l.limits.Options, func(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} })
	return l
}

// passes reports whether a call passes. Any other error than a refusal fails the test.
func (l *limited) passes(err error) bool {
	l.t.Helper()
	var refused *types.ProvisionedThroughputExceededException
	var cancelled *types.TransactionCanceledException
	if err != nil && !errors.As(err, &refused) && !errors.As(err, &cancelled) {
		l.t.Fatal(err)
	}
	return err == nil
}

func (l *limited) put(partition string, bytes int) bool {
	l.t.Helper()
	in := table.Key(partition, "s")
	in["text"] = &types.AttributeValueMemberB{Value: make([]byte, bytes)}
	_, err := l.PutItem(l.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(name), Item: in, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
	return l.passes(err)
}

func (l *limited) get(partition string) bool {
	l.t.Helper()
	_, err := l.GetItem(l.t.Context(), &dynamodb.GetItemInput{
		TableName: aws.String(name), Key: table.Key(partition, "s"), ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	return l.passes(err)
}

// passed returns how often do passes until it is refused.
func (l *limited) passed(do func() bool) (n int) {
	l.t.Helper()
	for n < 10_000 && do() {
		n++
	}
	return n
}

func TestLimits_AreTheTables(t *testing.T) {
	t.Parallel()
	l := newLimited(t, 10)
	i := 0
	write := func() bool { i++; return l.put(fmt.Sprint("p", i), 1) }
	if n := l.passed(write); n != 10 {
		t.Errorf("%d writes pass in a burst, want 10", n)
	}
	l.now = l.now.Add(500 * time.Millisecond)
	if n := l.passed(write); n != 5 {
		t.Errorf("%d writes pass after half a second, want 5", n)
	}
	l.now = l.now.Add(time.Hour)
	if n := l.passed(write); n != 10 {
		t.Errorf("%d writes pass after an hour, want 10", n)
	}
	if n := l.passed(func() bool { return l.get("p1") }); n != 30 {
		t.Errorf("%d reads pass in a burst, want 30", n)
	}
	if refused := l.limits.Refused(); refused != 4 {
		t.Errorf("%d refusals, want 4", refused)
	}
}

func TestLimits_CountTheUnitsOfTheAnswer(t *testing.T) {
	t.Parallel()
	l := newLimited(t, 10)
	if n := l.passed(func() bool { return l.put("p", 3000) }); n != 4 {
		t.Errorf("%d writes of 3 units pass, want 4, the last on credit", n)
	}
	l.now = l.now.Add(200 * time.Millisecond)
	if l.put("p", 1) {
		t.Error("a write passes while the partition owes its units")
	}
}

// TestLimits_ArePartitions exhausts one of four partitions.
func TestLimits_ArePartitions(t *testing.T) {
	t.Parallel()
	l := newLimited(t, throttle.NewTable)
	if n := l.passed(func() bool { return l.put("busy", 1) }); n != throttle.PartitionWrites {
		t.Errorf("%d writes of one key pass, want %d", n, throttle.PartitionWrites)
	}
	others := 0
	for i := range 400 {
		if l.put(fmt.Sprint("p", i), 1) {
			others++
		}
	}
	if others < 250 || others > 350 {
		t.Errorf("%d of 400 other keys are written, want some three quarters", others)
	}
}

func TestLimits_RefuseAWholeCall(t *testing.T) {
	t.Parallel()
	l := newLimited(t, 3)
	transact := func() bool {
		var items []types.TransactWriteItem
		for _, partition := range []string{"a", "b"} {
			items = append(items, types.TransactWriteItem{Put: &types.Put{TableName: aws.String(name), Item: table.Key(partition, "s")}})
		}
		_, err := l.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: items})
		return l.passes(err)
	}
	if transact() {
		t.Error("a transaction of 4 units passes a table of 3")
	}
	if n := l.passed(func() bool { return l.put("a", 1) }); n != 3 {
		t.Errorf("%d writes pass after a refused transaction, want 3", n)
	}
	batch := func() bool {
		_, err := l.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			name: {Keys: []map[string]types.AttributeValue{table.Key("a", "s"), table.Key("b", "s")}},
		}})
		return l.passes(err)
	}
	query := func() bool {
		_, err := l.Query(t.Context(), &dynamodb.QueryInput{
			TableName: aws.String(name), KeyConditionExpression: aws.String("PK = :pk"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":pk": &types.AttributeValueMemberS{Value: "a"}},
		})
		return l.passes(err)
	}
	if n := l.passed(batch) + l.passed(query); n != 9 {
		t.Errorf("%d batches of 1 unit pass, want 9, and no query then", n)
	}
}

func TestNew_RefusesNoCapacity(t *testing.T) {
	t.Parallel()
	if _, err := throttle.New(0, time.Now); err == nil {
		t.Error("a table without write units is accepted")
	}
}
