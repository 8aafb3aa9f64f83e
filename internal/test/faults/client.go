package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	smithytime "github.com/aws/smithy-go/time"
)

// client injects faults, and passes the other calls to the next client.
type client struct {
	injector *Injector
	next     dynamodb.HTTPClient
}

// Do sends one attempt of one call.
func (c *client) Do(r *http.Request) (*http.Response, error) {
	operation := operationOf(r)
	fault := c.injector.fault(operation, invocationOf(r))
	switch fault {
	case 0:
		return c.next.Do(r)
	case LostRequest:
		return nil, failed(r, timeoutError{})
	case Unreachable:
		return nil, failed(r, &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: r.URL.Hostname(), IsNotFound: true}})
	case LostAnswer:
		return c.lose(r)
	case CutShort:
		return c.cut(r)
	case Slow:
		return c.slow(r)
	case Unprocessed:
		return c.withhold(r)
	}
	return rejection(r, fault, operation), nil
}

func failed(r *http.Request, cause error) error {
	return &url.Error{Op: "Post", URL: r.URL.String(), Err: cause}
}

// lose sends the request and discards the response.
func (c *client) lose(r *http.Request) (*http.Response, error) {
	res, err := c.next.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return nil, err
	}
	return nil, failed(r, timeoutError{})
}

// cut sends the request and ends the response before its last byte.
func (c *client) cut(r *http.Request) (*http.Response, error) {
	res, err := c.next.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(text[:len(text)-1]), truncatedBody{}))
	return res, nil
}

// truncatedBody is the end of a body that is shorter than its Content-Length.
type truncatedBody struct{}

func (truncatedBody) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// slow delays the request, but not beyond the deadline of its context.
func (c *client) slow(r *http.Request) (*http.Response, error) {
	if err := smithytime.SleepWithContext(r.Context(), slowDelay); err != nil {
		return nil, err
	}
	return c.next.Do(r)
}

// rejection returns the response of the service to a call that it rejects.
func rejection(r *http.Request, fault Fault, operation string) *http.Response {
	body := map[string]any{"__type": fault.code(operation), "message": "injected: " + fault.String()}
	status := http.StatusBadRequest
	if fault == ServerError {
		status = http.StatusInternalServerError
	}
	if fault == Conflict && operation == "TransactWriteItems" {
		body["CancellationReasons"] = []map[string]any{{"Code": "TransactionConflict", "Message": "injected"}, {"Code": "None"}}
	}
	return respond(r, status, body)
}

func respond(r *http.Request, status int, body any) *http.Response {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // values decoded from JSON can be encoded
	}
	return &http.Response{
		StatusCode: status, Status: fmt.Sprint(status), Request: r, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:   io.NopCloser(bytes.NewReader(text)), ContentLength: int64(len(text)),
	}
}

// withhold sends a batch without the last key of each table. It returns these keys as unprocessed.
func (c *client) withhold(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	request := map[string]json.RawMessage{}
	tables := map[string]map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &request); err != nil {
		return nil, fmt.Errorf("inject a fault: %w", err)
	}
	if err := json.Unmarshal(request["RequestItems"], &tables); err != nil {
		return nil, fmt.Errorf("inject a fault: %w", err)
	}
	withheld, err := split(tables)
	if err != nil {
		return nil, err
	}
	response := map[string]json.RawMessage{"Responses": json.RawMessage("{}")}
	if len(tables) > 0 {
		if response, err = c.send(r, request, tables); err != nil {
			return nil, err
		}
	}
	if response["UnprocessedKeys"], err = json.Marshal(withheld); err != nil {
		return nil, fmt.Errorf("inject a fault: %w", err)
	}
	return respond(r, http.StatusOK, response), nil
}

// split removes the last key of each table, and every table that has no other key. It returns the
// removed keys.
func split(tables map[string]map[string]json.RawMessage) (map[string]map[string]json.RawMessage, error) {
	withheld := map[string]map[string]json.RawMessage{}
	for name, part := range tables {
		var keys []json.RawMessage
		if err := json.Unmarshal(part["Keys"], &keys); err != nil || len(keys) == 0 {
			return nil, fmt.Errorf("inject a fault: the batch has no keys for table %s: %w", name, err)
		}
		last := len(keys) - 1
		withheld[name] = map[string]json.RawMessage{}
		for field, value := range part {
			withheld[name][field] = value
		}
		var err error
		if withheld[name]["Keys"], err = json.Marshal(keys[last:]); err != nil {
			return nil, err
		}
		if part["Keys"], err = json.Marshal(keys[:last]); err != nil {
			return nil, err
		}
		if last == 0 {
			delete(tables, name)
		}
	}
	return withheld, nil
}

// send sends the rest of a batch. Its signature is the whole batch's, which local engines do not
// check.
func (c *client) send(r *http.Request, request map[string]json.RawMessage, tables any) (map[string]json.RawMessage, error) {
	var err error
	if request["RequestItems"], err = json.Marshal(tables); err != nil {
		return nil, err
	}
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	rest := r.Clone(r.Context())
	rest.Body, rest.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	res, err := c.next.Do(rest)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	response := map[string]json.RawMessage{}
	if err := json.NewDecoder(res.Body).Decode(&response); err != nil {
		return nil, fmt.Errorf("inject a fault: %w", err)
	}
	return response, nil
}

// Transport adds the injector to the calls of a bucket, whose operations are "HeadObject" and
// "DeleteObject". All attempts for one file are one call.
func (i *Injector) Transport(next http.RoundTripper) http.RoundTripper { return &transport{i, next} }

// transport injects faults into calls of a bucket, and passes the others to the next transport.
type transport struct {
	injector *Injector
	next     http.RoundTripper
}

// objectOperation ends the names of a bucket's operations.
const objectOperation = "Object"

// RoundTrip sends one attempt of one call.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	operation := r.Method[:1] + strings.ToLower(r.Method[1:]) + objectOperation
	switch fault := t.injector.fault(operation, operation+r.URL.Path); fault {
	case LostRequest:
		return nil, timeoutError{}
	case Unreachable:
		return nil, fmt.Errorf("injected: %v", fault)
	case LostAnswer:
		if answer, err := t.next.RoundTrip(r); err == nil {
			_ = answer.Body.Close()
		}
		return nil, timeoutError{}
	case Slow:
		if err := smithytime.SleepWithContext(r.Context(), slowDelay); err != nil {
			return nil, err
		}
	case Throttled:
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: http.NoBody, Request: r}, nil
	case ServerError:
		return &http.Response{StatusCode: http.StatusInternalServerError, Body: http.NoBody, Request: r}, nil
	}
	return t.next.RoundTrip(r)
}
