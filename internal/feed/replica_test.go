package feed_test

import (
	"context"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

	"example.com/parley/internal/app"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/tabletest"
)

// replicaTable is an older state of the table, which answers all eventual reads.
const replicaTable = "replica"

// replica is the client's side of a replica that is behind. It also counts the reads of messages.
type replica struct {
	t      *testing.T
	client *dynamodb.Client // without the replica

	mu      sync.Mutex
	indexed int // queries of the index
	soon    int // messages that were read by their keys, eventually
	current int // messages that were read by their keys, consistently
	lagging int // eventual queries that are answered before the replica catches up, if positive
}

// newReplica returns services whose eventual reads are answered by a replica. It is empty until
// catchUp.
func newReplica(w *fixture) (*app.Services, *replica) {
	w.t.Helper()
	r := &replica{t: w.t, client: dynamo.LocalClient(w.endpoint)}
	tabletest.Create(w.t, r.client, replicaTable)
	store := dynamo.New(dynamo.LocalClient(w.endpoint, r.options), dynamo.Options{Table: chattest.Table, Clock: w.clock.Now})
	return app.New(app.Options{Store: store, Clock: w.clock.Now}), r
}

// catchUp copies the table as it is now.
func (r *replica) catchUp() {
	r.t.Helper()
	pages := dynamodb.NewScanPaginator(r.client, &dynamodb.ScanInput{TableName: aws.String(chattest.Table)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(r.t.Context())
		if err != nil {
			r.t.Fatal(err)
		}
		for _, item := range page.Items {
			if _, err := r.client.PutItem(r.t.Context(), &dynamodb.PutItemInput{TableName: aws.String(replicaTable), Item: item}); err != nil {
				r.t.Fatal(err)
			}
		}
	}
}

// reads returns the reads of messages since its previous call.
func (r *replica) reads() (indexed, soon, current int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	indexed, soon, current = r.indexed, r.soon, r.current
	r.indexed, r.soon, r.current = 0, 0, 0
	return indexed, soon, current
}

func (r *replica) options(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("replica", r.handle), middleware.After)
	})
}

func (r *replica) handle(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	switch call := in.Parameters.(type) {
	case *dynamodb.QueryInput:
		if !aws.ToBool(call.ConsistentRead) {
			call.TableName = aws.String(replicaTable)
			defer r.answered()
		}
		if call.IndexName != nil {
			r.count(&r.indexed, 1)
		}
	case *dynamodb.GetItemInput:
		if !aws.ToBool(call.ConsistentRead) {
			call.TableName = aws.String(replicaTable)
		}
	case *dynamodb.BatchGetItemInput:
		keys := call.RequestItems[chattest.Table]
		if aws.ToBool(keys.ConsistentRead) {
			r.count(&r.current, len(keys.Keys))
			break
		}
		r.count(&r.soon, len(keys.Keys))
		call.RequestItems = map[string]types.KeysAndAttributes{replicaTable: keys}
		res, metadata, err := next.HandleInitialize(ctx, in)
		if out, ok := res.Result.(*dynamodb.BatchGetItemOutput); ok {
			out.Responses[chattest.Table] = out.Responses[replicaTable]
		}
		return res, metadata, err
	}
	return next.HandleInitialize(ctx, in)
}

// answered lets the replica catch up after the last query that it must answer with old state.
func (r *replica) answered() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lagging--; r.lagging == 0 {
		r.catchUp()
	}
}

func (r *replica) count(of *int, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*of += n
}
