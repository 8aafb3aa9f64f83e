package dynamo_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/test/tabletest"
)

// leaveOutWrites makes BatchWriteItem process at most n items of a request, like a busy service.
func leaveOutWrites(n int) func(*dynamodb.Options) {
	return dynamodb.WithAPIOptions(func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("LeaveOutWrites",
			func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
				batch, ok := in.Parameters.(*dynamodb.BatchWriteItemInput)
				if !ok {
					return next.HandleInitialize(ctx, in)
				}
				all := batch.RequestItems["chat"]
				taken, left := all[:min(n, len(all))], map[string][]types.WriteRequest{}
				if len(taken) < len(all) {
					left["chat"] = all[len(taken):]
				}
				if n == 0 {
					return middleware.InitializeOutput{Result: &dynamodb.BatchWriteItemOutput{UnprocessedItems: left}}, middleware.Metadata{}, nil
				}
				in.Parameters = &dynamodb.BatchWriteItemInput{
					RequestItems: map[string][]types.WriteRequest{"chat": taken}, ReturnConsumedCapacity: batch.ReturnConsumedCapacity,
				}
				out, metadata, err := next.HandleInitialize(ctx, in)
				if answer, ok := out.Result.(*dynamodb.BatchWriteItemOutput); ok {
					answer.UnprocessedItems = left
				}
				return out, metadata, err
			}), middleware.Before)
	})
}

// reactionStore returns a store, and a function that returns the write units since the start.
func reactionStore(t *testing.T, options ...func(*dynamodb.Options)) (s reaction.Store, written func() float64) {
	t.Helper()
	client := tabletest.Start(t, "chat")
	units := 0.0
	observe := func(_ context.Context, u dynamo.Usage) {
		if u.Write {
			units += u.Units
		}
	}
	client = dynamodb.New(client.Options(), options...)
	return reaction.NewStore(dynamo.NewTable(client, "chat", observe)), func() float64 { return units }
}

// someReactions returns reactions of n people to one message.
func someReactions(n int) []reaction.Reaction {
	at := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	all := make([]reaction.Reaction, n)
	for i := range all {
		all[i] = reaction.Reaction{
			Room: "seattle", Message: chat.MessageID{UUID: chat.NewUUID(at, [10]byte{1}), User: "amsg"},
			Emoji: "👍", User: chat.UserID(fmt.Sprintf("u%03d", i)), ReceivedAt: at,
		}
	}
	return all
}

func TestPutItems_StoresAllOnce(t *testing.T) {
	t.Parallel()
	const n = 60 // three batches
	for name, options := range map[string][]func(*dynamodb.Options){"at once": nil, "some are left out": {leaveOutWrites(7)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, written := reactionStore(t, options...)
			want := someReactions(n)
			if err := s.PutAll(t.Context(), want); err != nil {
				t.Fatal(err)
			}
			if units := written(); units != 2*n {
				t.Errorf("%d reactions cost %v write units, want 2 each", n, units)
			}
			for range 2 {
				got, err := s.To(t.Context(), "seattle", want[0].Message)
				if err != nil || len(got) != n || got[0] != want[0] || got[n-1] != want[n-1] {
					t.Errorf("%d reactions, %v", len(got), err)
				}
				if err := s.PutAll(t.Context(), want); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestPutItems_ItemsThatStayUnprocessedAreAnError(t *testing.T) {
	t.Parallel()
	s, _ := reactionStore(t, leaveOutWrites(0))
	if err := s.PutAll(t.Context(), someReactions(3)); chat.KindOf(err) != chat.Unavailable {
		t.Errorf("%v", err)
	}
	if err := s.PutAll(t.Context(), nil); err != nil {
		t.Errorf("no reactions: %v", err)
	}
}
