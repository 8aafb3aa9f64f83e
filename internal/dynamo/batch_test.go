package dynamo_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/tabletest"
)

// revisedAt is the time at which the tests revise.
var revisedAt = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// numberedItems returns a table whose calls are counted, with 12 items, and their keys.
func numberedItems(t *testing.T, options ...func(*dynamodb.Options)) (*dynamo.Table, []table.Item) {
	t.Helper()
	plain := tabletest.Start(t, "chat")
	var keys []table.Item
	for n := range 12 {
		key := table.Key("p#seattle", fmt.Sprintf("n%02d", n))
		if ok, err := dynamo.NewTable(plain, "chat", nil).PutItem(t.Context(), "put", key, table.Update{}); !ok || err != nil {
			t.Fatal(ok, err)
		}
		keys = append(keys, key)
	}
	return dynamo.NewTable(dynamodb.New(plain.Options(), options...), "chat", nil), keys
}

// leaveOut makes BatchGetItem process at most n of the requested keys, like a busy service.
func leaveOut(n int) func(*dynamodb.Options) {
	return dynamodb.WithAPIOptions(func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("LeaveOut",
			func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
				batch, ok := in.Parameters.(*dynamodb.BatchGetItemInput)
				if !ok {
					return next.HandleInitialize(ctx, in)
				}
				asked := batch.RequestItems["chat"]
				taken, left := asked, asked
				taken.Keys, left.Keys = asked.Keys[:min(n, len(asked.Keys))], asked.Keys[min(n, len(asked.Keys)):]
				if n == 0 {
					return middleware.InitializeOutput{Result: &dynamodb.BatchGetItemOutput{
						UnprocessedKeys: map[string]types.KeysAndAttributes{"chat": left},
					}}, middleware.Metadata{}, nil
				}
				in.Parameters = &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{"chat": taken}}
				out, metadata, err := next.HandleInitialize(ctx, in)
				if answer, ok := out.Result.(*dynamodb.BatchGetItemOutput); ok && len(left.Keys) > 0 {
					answer.UnprocessedKeys = map[string]types.KeysAndAttributes{"chat": left}
				}
				return out, metadata, err
			}), middleware.Before)
	})
}

func TestBatchGet_RetriesUnprocessedKeys(t *testing.T) {
	t.Parallel()
	s, keys := numberedItems(t, leaveOut(5))
	got, err := s.BatchGet(t.Context(), "read", keys, dynamo.Strong)
	if d := cmp.Diff(keys, got, cmpopts.IgnoreUnexported(types.AttributeValueMemberS{})); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func TestBatchGet_KeysThatStayUnprocessedAreAnError(t *testing.T) {
	t.Parallel()
	s, keys := numberedItems(t, leaveOut(0))
	if _, err := s.BatchGet(t.Context(), "read", keys, dynamo.Strong); chat.KindOf(err) != chat.Unavailable {
		t.Errorf("the error is %v", err)
	}
}
