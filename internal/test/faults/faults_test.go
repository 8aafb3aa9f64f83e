package faults_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/tabletest"
)

type item = map[string]types.AttributeValue

func key(n int) item {
	return item{"PK": &types.AttributeValueMemberS{Value: "x"}, "SK": &types.AttributeValueMemberS{Value: fmt.Sprint(n)}}
}

// newClient returns a client with an injector, for an engine with items 0 to 4.
func newClient(t *testing.T) (*dynamodb.Client, *faults.Injector) {
	t.Helper()
	in := &faults.Injector{}
	client := dynamo.NewClient(dynamo.ClientConfig{
		Region: "us-east-1", Endpoint: enginetest.Start(t), Credentials: dynamo.StaticCredentials("local", "local", ""),
		Jitter: func() float64 { return 0 }, Options: []func(*dynamodb.Options){in.Options},
	})
	tabletest.Create(t, client, "chat")
	for n := range 5 {
		if err := put(t, client, n); err != nil {
			t.Fatal(err)
		}
	}
	in.Plan()
	return client, in
}

func put(t *testing.T, client *dynamodb.Client, n int) error {
	t.Helper()
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("chat"), Item: key(n)})
	return err
}

func transact(t *testing.T, client *dynamodb.Client, n int) error {
	t.Helper()
	_, err := client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String("chat"), Item: key(n)}},
	}})
	return err
}

func exists(t *testing.T, client *dynamodb.Client, n int) bool {
	t.Helper()
	out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("chat"), Key: key(n)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Item != nil
}

// is reports whether an error is of a type.
func is[T error](err error) bool {
	var as T
	return errors.As(err, &as)
}

func TestFault_ReturnsTheErrorOfTheService(t *testing.T) {
	t.Parallel()
	client, in := newClient(t)
	timedOut := func(err error) bool {
		var timeout interface{ Timeout() bool }
		return errors.As(err, &timeout) && timeout.Timeout()
	}
	for i, tt := range []struct {
		fault   faults.Fault
		write   func(*testing.T, *dynamodb.Client, int) error
		is      func(error) bool
		written bool
	}{
		{faults.Throttled, put, is[*types.ProvisionedThroughputExceededException], false},
		{faults.Throttling, put, is[*types.ThrottlingException], false},
		{faults.ServerError, put, is[*types.InternalServerError], false},
		{faults.LostRequest, put, timedOut, false},
		{faults.LostAnswer, put, timedOut, true},
		{faults.Conflict, put, is[*types.TransactionConflictException], false},
		{faults.Conflict, transact, is[*types.TransactionCanceledException], false},
		{faults.InProgress, transact, is[*types.TransactionInProgressException], false},
		{faults.Unreachable, put, is[*net.DNSError], false},
		{faults.CutShort, put, func(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }, true},
		{faults.Slow, put, func(err error) bool { return err == nil }, true},
	} {
		in.Plan(faults.Rule{Fault: tt.fault})
		err := tt.write(t, client, 10+i)
		if !tt.is(err) {
			t.Errorf("%s: %v", tt.fault, err)
		}
		if want := map[bool]int{true: 1, false: 4}[tt.fault == faults.Slow]; in.Struck() != want {
			t.Errorf("%s: %d attempts failed, want %d", tt.fault, in.Struck(), want)
		}
		in.Plan()
		if exists(t, client, 10+i) != tt.written {
			t.Errorf("%s: written is %t, want %t", tt.fault, !tt.written, tt.written)
		}
	}
}

func TestRule_FailsTheSelectedCalls(t *testing.T) {
	t.Parallel()
	client, in := newClient(t)
	in.Plan(
		faults.Rule{Fault: faults.Throttled, Operation: "PutItem", N: 2},
		faults.Rule{Fault: faults.ServerError, Operation: "GetItem", Attempts: 3},
	)
	var failed []int
	for n := range 3 {
		if put(t, client, n) != nil {
			failed = append(failed, n)
		}
		exists(t, client, n) // fails the test unless the fourth attempt succeeds
	}
	if !slices.Equal(failed, []int{1}) {
		t.Errorf("failed calls: %v, want 1", failed)
	}
	if got, want := fmt.Sprint(in.Calls()), "[PutItem 1 GetItem 1 PutItem 2 GetItem 2 PutItem 3 GetItem 3]"; got != want {
		t.Errorf("calls %s, want %s", got, want)
	}
	if in.Struck() != 4+3*3 {
		t.Errorf("%d attempts failed, want 13", in.Struck())
	}
	in.Plan()
	if err := put(t, client, 1); err != nil || in.Struck() != 0 || len(in.Calls()) != 1 {
		t.Errorf("call after a new plan: %v", err)
	}
}

func TestUnprocessed_LeavesTheLastKeyOfABatch(t *testing.T) {
	t.Parallel()
	client, in := newClient(t)
	in.Plan(faults.Rule{Fault: faults.Unprocessed})
	for n := 1; n <= 3; n++ {
		var keys []item
		for i := range n {
			keys = append(keys, key(i))
		}
		out, err := client.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{"chat": {Keys: keys, ConsistentRead: aws.Bool(true)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		left := out.UnprocessedKeys["chat"]
		if len(out.Responses["chat"]) != n-1 || len(left.Keys) != 1 || !aws.ToBool(left.ConsistentRead) {
			t.Errorf("batch of %d keys: %d read, %d unprocessed", n, len(out.Responses["chat"]), len(left.Keys))
		}
		if sk := left.Keys[0]["SK"].(*types.AttributeValueMemberS).Value; sk != fmt.Sprint(n-1) {
			t.Errorf("batch of %d keys: key %s is unprocessed", n, sk)
		}
	}
}
