package history_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/table"
	"example.com/parley/internal/test/tabletest"
)

// laggedTable is the table that has replicas.
const laggedTable = "chat"

// replicas are the tables that answer eventually consistent reads.
var replicas = []string{"replica0", "replica1"}

// maxBatchWrites is the limit of items in one BatchWriteItem.
const maxBatchWrites = 25

// laggingClient is an HTTP client for the SDK. It sends every read that is not consistent to a
// replica, which is an older state of the table. The engine itself stores the replicas, so
// ranges, limits and pages behave as usual. Each change reaches each replica after its own lag.
// Changes of one item stay in order, as in an index, but changes of different items do not. Each
// read goes to a random replica, so the next read may lack items that this one returned.
type laggingClient struct {
	next   dynamodb.HTTPClient
	client *dynamodb.Client // writes to the replicas
	clock  *clock
	maxLag time.Duration // an upper bound of the lags

	mu           sync.Mutex
	r            *rand.Rand
	pending      map[string][]change // by replica, in the order of the stream
	due          map[string]time.Time
	queries      int // reads that a replica answered
	staleQueries int // of those, reads that an incomplete replica answered
}

// change is a change of an item on its way to a replica.
type change struct {
	item string // the replica and the key
	at   time.Time
	put  table.Item // nil for a removal
	keys table.Item
}

func newLaggingClient(client *dynamodb.Client, c *clock, r *rand.Rand) *laggingClient {
	return &laggingClient{client: client, clock: c, r: r, pending: map[string][]change{}, due: map[string]time.Time{}}
}

// Options installs l in a client.
func (l *laggingClient) Options(o *dynamodb.Options) {
	l.next = o.HTTPClient
	o.HTTPClient = l
}

// replicate queues changes of the table for the replicas.
func (l *laggingClient) replicate(t testing.TB, records []events.DynamoDBEventRecord) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, rec := range records {
		c := change{keys: itemOf(t, rec.Change.Keys)}
		if len(rec.Change.NewImage) > 0 {
			c.put = itemOf(t, rec.Change.NewImage)
		}
		for _, replica := range replicas {
			c.item = replica + rec.Change.Keys[table.PK].String() + "\x00" + rec.Change.Keys[table.SK].String()
			c.at = l.clock.now().Add(l.randomLag())
			if before := l.due[c.item]; before.After(c.at) {
				c.at = before
			}
			l.due[c.item] = c.at
			l.pending[replica] = append(l.pending[replica], c)
		}
	}
}

// randomLag returns a lag. It is often zero and often close to maxLag.
func (l *laggingClient) randomLag() time.Duration {
	switch l.r.IntN(4) {
	case 0:
		return 0
	case 1:
		return l.maxLag - time.Duration(1+l.r.IntN(100))*time.Millisecond
	}
	return time.Duration(l.r.Int64N(int64(l.maxLag)))
}

// applyDue applies the changes that have reached a replica by now.
func (l *laggingClient) applyDue(r *http.Request, replica string) error {
	now := l.clock.now()
	var later []change
	arrived := map[string]types.WriteRequest{} // the last one of each item
	for _, c := range l.pending[replica] {
		switch {
		case c.at.After(now):
			later = append(later, c)
		case c.put != nil:
			arrived[c.item] = types.WriteRequest{PutRequest: &types.PutRequest{Item: c.put}}
		default:
			arrived[c.item] = types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: c.keys}}
		}
	}
	l.pending[replica] = later
	var batch []types.WriteRequest
	for _, w := range arrived {
		batch = append(batch, w)
	}
	for len(batch) > 0 {
		n := min(len(batch), maxBatchWrites)
		in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{replica: batch[:n]}}
		if _, err := l.client.BatchWriteItem(r.Context(), in); err != nil {
			return err
		}
		batch = batch[n:]
	}
	return nil
}

// eventual are the calls that a replica answers, unless they are consistent.
var eventual = []string{"Query", "GetItem", "BatchGetItem"}

// Do performs one attempt of a call.
func (l *laggingClient) Do(r *http.Request) (*http.Response, error) {
	_, name, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	if !slices.Contains(eventual, name) {
		return l.next.Do(r)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	call := map[string]any{}
	if err := json.Unmarshal(text, &call); err != nil {
		return nil, err
	}
	read := call
	batch, isBatch := call["RequestItems"].(map[string]any)
	if isBatch {
		read, _ = batch[laggedTable].(map[string]any)
	}
	if read == nil || read["ConsistentRead"] == true {
		return l.forward(r, text)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	replica := replicas[l.r.IntN(len(replicas))]
	if err := l.applyDue(r, replica); err != nil {
		return nil, err
	}
	l.queries++
	if len(l.pending[replica]) > 0 {
		l.staleQueries++
	}
	if call["TableName"] = replica; isBatch {
		delete(call, "TableName")
		call["RequestItems"] = map[string]any{replica: read}
	}
	if text, err = json.Marshal(call); err != nil {
		return nil, err
	}
	res, err := l.forward(r, text)
	if err == nil && isBatch {
		err = renameTables(res, replica)
	}
	if l.r.IntN(4) == 0 {
		l.clock.advance(time.Duration(l.r.IntN(2000)) * time.Millisecond) // a slow response
	}
	return res, err
}

// renameTables gives the items of a batch, and the keys that it left out, the name of the table that
// the caller asked for.
func renameTables(res *http.Response, replica string) error {
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	answer := map[string]any{}
	if err := json.Unmarshal(text, &answer); err != nil {
		return err
	}
	for _, of := range []string{"Responses", "UnprocessedKeys"} {
		if tables, ok := answer[of].(map[string]any); ok && tables[replica] != nil {
			answer[of] = map[string]any{laggedTable: tables[replica]}
		}
	}
	if text, err = json.Marshal(answer); err != nil {
		return err
	}
	res.Header.Del("X-Amz-Crc32") // of the former text
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return nil
}

// forward sends a request with another body. The signature no longer matches, but the local engine
// does not verify it.
func (l *laggingClient) forward(r *http.Request, text []byte) (*http.Response, error) {
	other := r.Clone(r.Context())
	other.Body, other.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return l.next.Do(other)
}

// itemOf converts an image of an event to an item of the SDK.
func itemOf(t testing.TB, image map[string]events.DynamoDBAttributeValue) table.Item {
	t.Helper()
	item := table.Item{}
	for name, v := range image {
		item[name] = valueOf(t, v)
	}
	return item
}

func valueOf(t testing.TB, v events.DynamoDBAttributeValue) types.AttributeValue {
	t.Helper()
	switch v.DataType() {
	case events.DataTypeString:
		return &types.AttributeValueMemberS{Value: v.String()}
	case events.DataTypeNumber:
		return &types.AttributeValueMemberN{Value: v.Number()}
	case events.DataTypeBinary:
		return &types.AttributeValueMemberB{Value: v.Binary()}
	case events.DataTypeBoolean:
		return &types.AttributeValueMemberBOOL{Value: v.Boolean()}
	case events.DataTypeMap:
		return &types.AttributeValueMemberM{Value: itemOf(t, v.Map())}
	case events.DataTypeList:
		list := &types.AttributeValueMemberL{}
		for _, element := range v.List() {
			list.Value = append(list.Value, valueOf(t, element))
		}
		return list
	default:
		t.Fatalf("unexpected attribute value of type %v", v.DataType())
	}
	return nil
}

func createReplicas(t testing.TB, client *dynamodb.Client) {
	t.Helper()
	for _, replica := range replicas {
		tabletest.Create(t, client, replica)
	}
}
