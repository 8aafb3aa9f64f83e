package dynamo_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

var documentTime = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// calls holds the consumption of the store's calls.
type calls struct {
	mu  sync.Mutex
	all []dynamo.Usage
}

func (c *calls) observe(_ context.Context, u dynamo.Usage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, u)
}

// take returns the usages since its last call.
func (c *calls) take() []dynamo.Usage {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.all
	c.all = nil
	return all
}

// documentStore returns a store whose calls are counted, with a document of parts a to e in 12
// versions each.
func documentStore(t *testing.T, options ...func(*dynamodb.Options)) (*dynamo.Store, *calls) {
	t.Helper()
	client := tabletest.Start(t, "chat", options...)
	c := &calls{}
	s := dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now, Observe: c.observe})
	doc := document.Document{Room: "seattle", ID: "charter", Title: "Charter", CreatedBy: "amsg", CreatedAt: documentTime}
	if created, err := s.CreateDocument(t.Context(), doc); err != nil || !created {
		t.Fatal(created, err)
	}
	for _, id := range []document.PartID{"a", "b", "c", "d", "e"} {
		for v := 1; v <= 12; v++ {
			if _, saved, err := s.SavePart(t.Context(), versionOf(id, v)); err != nil || !saved {
				t.Fatal(saved, err)
			}
		}
	}
	c.take()
	return s, c
}

func versionOf(id document.PartID, v int) document.Part {
	return document.Part{Room: "seattle", Document: "charter", ID: id, Version: v, Text: fmt.Sprintf("%s %d", id, v), SavedBy: "amsg", SavedAt: documentTime}
}

func TestDocuments_ReadsOnlyTheItemsReturned(t *testing.T) {
	t.Parallel()
	s, c := documentStore(t)
	doc := document.Document{Room: "seattle", ID: "charter"}
	for name, tt := range map[string]struct {
		ask   func() error
		items int
		units float64 // of reads of less than 4 KB each; 0 is not checked
		calls int
	}{
		"a document": {func() error { _, err := s.Document(t.Context(), "seattle", "charter"); return err }, 2, 2, 1},
		"all parts": {func() error {
			parts, _, err := s.Parts(t.Context(), doc, chat.ListPosition{}, 50)
			return counted(len(parts), 5, err)
		}, 5, 1, 1},
		"two parts, and the one that tells of more": {func() error {
			parts, _, err := s.Parts(t.Context(), doc, chat.ListPosition{}, 2)
			return counted(len(parts), 2, err)
		}, 3, 1, 1},
		"the newest of a part": {func() error { _, err := s.Part(t.Context(), versionOf("a", 0)); return err }, 1, 1, 1},
		"one version":          {func() error { _, err := s.Part(t.Context(), versionOf("a", 7)); return err }, 1, 1, 1},
		"all versions of a part": {func() error {
			versions, err := s.PartVersions(t.Context(), versionOf("a", 12), 50)
			return counted(len(versions), 12, err)
		}, 12, 12, 1},
		"three versions of a part": {func() error {
			versions, err := s.PartVersions(t.Context(), versionOf("a", 9), 3)
			return counted(len(versions), 3, err)
		}, 3, 3, 1},
		"a room's documents": {func() error {
			docs, _, err := s.Documents(t.Context(), "seattle", chat.ListPosition{}, 50)
			return counted(len(docs), 1, err)
		}, 1, 0.5, 1},
	} {
		if err := tt.ask(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		items, units, used := 0, 0.0, c.take()
		for _, u := range used {
			items += u.Items
			units += u.Units
		}
		if items != tt.items || units != tt.units || len(used) != tt.calls {
			t.Errorf("%s: %d items, %v units, %d calls, want %d, %v, %d", name, items, units, len(used), tt.items, tt.units, tt.calls)
		}
	}
}

func counted(got, want int, err error) error {
	if err == nil && got != want {
		err = fmt.Errorf("%d found, want %d", got, want)
	}
	return err
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
	s, _ := documentStore(t, leaveOut(5))
	got, err := s.PartVersions(t.Context(), versionOf("a", 12), 50)
	if err != nil || len(got) != 12 {
		t.Fatalf("%d versions, %v", len(got), err)
	}
	if !slices.IsSortedFunc(got, func(a, b document.Part) int { return b.Version - a.Version }) {
		t.Errorf("out of order: %+v", got)
	}
}

func TestBatchGet_KeysThatStayUnprocessedAreAnError(t *testing.T) {
	t.Parallel()
	s, _ := documentStore(t, leaveOut(0))
	if _, err := s.Document(t.Context(), "seattle", "charter"); chat.KindOf(err) != chat.Unavailable {
		t.Errorf("a document: %v", err)
	}
	if _, err := s.PartVersions(t.Context(), versionOf("a", 12), 50); chat.KindOf(err) != chat.Unavailable {
		t.Errorf("versions: %v", err)
	}
}

// conflict cancels a transaction as if another one were in progress. It first calls before, which
// does the work of the other one.
func conflict(before func(context.Context)) func(*dynamodb.Options) {
	return dynamodb.WithAPIOptions(func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Conflict",
			func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
				if _, ok := in.Parameters.(*dynamodb.TransactWriteItemsInput); !ok {
					return next.HandleInitialize(ctx, in)
				}
				before(ctx)
				return middleware.InitializeOutput{}, middleware.Metadata{}, &types.TransactionCanceledException{
					CancellationReasons: []types.CancellationReason{{Code: aws.String("None")}, {Code: aws.String("TransactionConflict")}},
				}
			}), middleware.Before)
	})
}

func TestSavePart_ConcurrentSaveIsStaleOrMayBeRetried(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	plain := dynamo.LocalClient(endpoint)
	tabletest.Create(t, plain, "chat")
	options := dynamo.Options{Table: "chat", Clock: time.Now}
	other := dynamo.New(plain, options)
	theirs := versionOf("a", 1)
	theirs.Text = "theirs"

	losing := dynamo.New(dynamo.LocalClient(endpoint, conflict(func(context.Context) {})), options)
	if _, _, err := losing.SavePart(t.Context(), versionOf("a", 1)); chat.KindOf(err) != chat.Unavailable || !strings.Contains(err.Error(), "save part") {
		t.Errorf("a conflict that changed nothing: %v", err)
	}
	stale := dynamo.New(dynamo.LocalClient(endpoint, conflict(func(ctx context.Context) {
		if _, saved, err := other.SavePart(ctx, theirs); err != nil || !saved {
			t.Errorf("theirs: saved %v, %v", saved, err)
		}
	})), options)
	if newest, saved, err := stale.SavePart(t.Context(), versionOf("a", 1)); saved || err != nil || newest != theirs {
		t.Errorf("a conflict with a save of the same version: saved %v, newest %+v, %v", saved, newest, err)
	}
}
