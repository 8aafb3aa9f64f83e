package throttle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/table"
)

// client refuses calls above the limits and passes the others to the next client.
type client struct {
	limits *Limits
	next   dynamodb.HTTPClient
}

// Do sends one attempt of one call.
func (c *client) Do(r *http.Request) (*http.Response, error) {
	called, err := callOf(r)
	if err != nil {
		return nil, err
	}
	if len(called.keys) == 0 { // not limited
		return c.next.Do(r)
	}
	rest, ok := c.limits.take(called)
	if !ok {
		return refusal(r, called), nil
	}
	res, err := c.next.Do(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(text))
	rest(consumed(text))
	return res, nil
}

// call is the part of a call that the limits need.
type call struct {
	write, transaction bool
	keys               []key
}

type key struct{ table, partition string }

// least returns the least units that each key of a call consumes.
func (c call) least() float64 {
	switch {
	case c.transaction:
		return 2 // DynamoDB prepares each item before it writes or reads it
	case c.write:
		return 1
	}
	return 0.5
}

// item is an item, or its key, in the JSON of DynamoDB.
type item map[string]json.RawMessage

// target names the item of a part of a transaction, or of a call that writes or reads one item.
type target struct {
	TableName string
	Key, Item item
}

// keys returns the key of a target, or none if it names no item.
func (t target) keys() []key {
	for _, of := range []item{t.Key, t.Item} {
		for _, name := range []string{table.PK, table.LogPK} {
			if value, ok := of[name]; ok {
				return []key{{t.TableName, string(value)}}
			}
		}
	}
	return nil
}

// callOf reads the call in a request, and leaves the request unchanged. Calls that are not about
// items, and scans, have no keys.
func callOf(r *http.Request) (call, error) {
	operation := r.Header.Get("X-Amz-Target")
	operation = operation[strings.LastIndexByte(operation, '.')+1:]
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return call{}, fmt.Errorf("read a call: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	var in struct {
		target
		ExpressionAttributeValues item
		TransactItems             []map[string]target
		RequestItems              map[string]struct{ Keys []item }
	}
	var c call
	switch operation {
	case "GetItem", "BatchGetItem", "Query":
	case "PutItem", "UpdateItem", "DeleteItem":
		c.write = true
	case "TransactGetItems", "TransactWriteItems":
		c.transaction, c.write = true, operation == "TransactWriteItems"
	default:
		return call{}, nil
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return call{}, fmt.Errorf("read a call: %w", err)
	}
	c.keys = in.keys()
	if partition, ok := in.ExpressionAttributeValues[":pk"]; ok && operation == "Query" {
		c.keys = []key{{in.TableName, string(partition)}}
	}
	for _, part := range in.TransactItems {
		for _, t := range part {
			c.keys = append(c.keys, t.keys()...)
		}
	}
	for name, batch := range in.RequestItems {
		for _, k := range batch.Keys {
			c.keys = append(c.keys, target{TableName: name, Key: k}.keys()...)
		}
	}
	return c, nil
}

// units is the consumption that an answer reports for a table.
type units struct{ CapacityUnits float64 }

// consumed returns the units that an answer reports, or 0 if it reports none.
func consumed(answer []byte) (sum float64) {
	var one struct{ ConsumedCapacity units }
	if json.Unmarshal(answer, &one) == nil {
		return one.ConsumedCapacity.CapacityUnits
	}
	var many struct{ ConsumedCapacity []units }
	if json.Unmarshal(answer, &many) == nil {
		for _, u := range many.ConsumedCapacity {
			sum += u.CapacityUnits
		}
	}
	return sum
}

// exceeded is DynamoDB's message about a call above the limits.
const exceeded = "The level of configured provisioned throughput for the table was exceeded. Consider increasing " +
	"your provisioning level with the UpdateTable API."

// refusal returns DynamoDB's answer to a call above the limits.
func refusal(r *http.Request, c call) *http.Response {
	body := map[string]any{
		"__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", "message": exceeded,
	}
	if c.transaction {
		reasons := make([]map[string]string, len(c.keys))
		for i := range reasons {
			reasons[i] = map[string]string{"Code": "ProvisionedThroughputExceeded", "Message": exceeded}
		}
		body = map[string]any{
			"__type":              "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
			"Message":             "Transaction cancelled, please refer cancellation reasons for specific reasons",
			"CancellationReasons": reasons,
		}
	}
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // texts can be encoded
	}
	return &http.Response{
		StatusCode: http.StatusBadRequest, Status: "400 Bad Request", Request: r, Proto: "HTTP/1.1", ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:       io.NopCloser(bytes.NewReader(text)), ContentLength: int64(len(text)),
	}
}
