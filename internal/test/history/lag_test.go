package history_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/table"
	"parley/internal/test/tabletest"
)

// replicas are the tables that eventually consistent queries are answered from.
var replicas = []string{"replica0", "replica1"}

// batchWrites is the most items of one BatchWriteItem.
const batchWrites = 25

// lagging stands where the SDK sends its requests. It has every query that does not ask to be consistent
// answered by a replica: the same table some time ago, kept by the engine itself, so that
// ranges, limits and pages mean what they mean. Each change reaches each replica after a lag of its own,
// in order for one item and in any order for different ones, as an index is kept. Each query
// goes to any replica, so what was shown once may be gone the next time.
type lagging struct {
	next    dynamodb.HTTPClient
	client  *dynamodb.Client // writes the replicas
	clock   *clock
	longest time.Duration // lags are shorter

	mu      sync.Mutex
	r       *rand.Rand
	pending map[string][]change // by replica, in the order of the stream
	due     map[string]time.Time
	queries int // that were answered by a replica
	behind  int // of those, by one that lacked something
}

// change is a change of an item on its way to a replica.
type change struct {
	item string // which one
	at   time.Time
	put  table.Item // nil when it is to be removed
	keys table.Item
}

func newLagging(client *dynamodb.Client, c *clock, r *rand.Rand) *lagging {
	return &lagging{client: client, clock: c, r: r, pending: map[string][]change{}, due: map[string]time.Time{}}
}

// Options puts it into a client.
func (l *lagging) Options(o *dynamodb.Options) {
	l.next = o.HTTPClient
	o.HTTPClient = l
}

// changed takes what was just changed in the table.
func (l *lagging) changed(t testing.TB, records []events.DynamoDBEventRecord) {
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
			c.at = l.clock.now().Add(l.lag())
			if before := l.due[c.item]; before.After(c.at) {
				c.at = before
			}
			l.due[c.item] = c.at
			l.pending[replica] = append(l.pending[replica], c)
		}
	}
}

// lag draws one: often none, often nearly the longest.
func (l *lagging) lag() time.Duration {
	switch l.r.IntN(4) {
	case 0:
		return 0
	case 1:
		return l.longest - time.Duration(1+l.r.IntN(100))*time.Millisecond
	}
	return time.Duration(l.r.Int64N(int64(l.longest)))
}

// catchUp applies what has reached a replica by now.
func (l *lagging) catchUp(r *http.Request, replica string) error {
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
		n := min(len(batch), batchWrites)
		in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{replica: batch[:n]}}
		if _, err := l.client.BatchWriteItem(r.Context(), in); err != nil {
			return err
		}
		batch = batch[n:]
	}
	return nil
}

// Do is one attempt of one call.
func (l *lagging) Do(r *http.Request) (*http.Response, error) {
	if target := r.Header.Get("X-Amz-Target"); !strings.HasSuffix(target, ".Query") && !strings.HasSuffix(target, ".GetItem") {
		return l.next.Do(r)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	query := map[string]any{}
	if err := json.Unmarshal(text, &query); err != nil {
		return nil, err
	}
	if query["ConsistentRead"] == true {
		return l.send(r, text)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	replica := replicas[l.r.IntN(len(replicas))]
	if err := l.catchUp(r, replica); err != nil {
		return nil, err
	}
	l.queries++
	if len(l.pending[replica]) > 0 {
		l.behind++
	}
	query["TableName"] = replica
	if text, err = json.Marshal(query); err != nil {
		return nil, err
	}
	res, err := l.send(r, text)
	if l.r.IntN(4) == 0 {
		l.clock.advance(time.Duration(l.r.IntN(2000)) * time.Millisecond) // the answer was slow
	}
	return res, err
}

// send sends a request with another body. Its signature is of the first one, which no local engine minds.
func (l *lagging) send(r *http.Request, text []byte) (*http.Response, error) {
	other := r.Clone(r.Context())
	other.Body, other.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return l.next.Do(other)
}

// itemOf turns an image of an event into one of the SDK.
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
		t.Fatalf("no item of ours has a value of type %v", v.DataType())
	}
	return nil
}

func makeReplicas(t testing.TB, client *dynamodb.Client) {
	t.Helper()
	for _, replica := range replicas {
		tabletest.Create(t, client, replica)
	}
}
