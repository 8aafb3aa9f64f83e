package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// tape is a transport that records the answers of an engine, and then gives them again without a
// network. A read is answered as the same read was, and a write as the last one of its kind.
type tape struct {
	through http.RoundTripper
	plays   bool

	mu      sync.Mutex
	answers map[question]recording
	inputs  []any // of the SDK's calls since the last take
}

// recording is a recorded answer.
type recording struct {
	status int
	header http.Header
	body   []byte
}

// question is what the tape knows of a request: its kind, and the texts of a read in any order,
// since the SDK writes maps in random order.
type question struct {
	target string
	texts  uint64
}

func questionOf(target string, body []byte) question {
	q := question{target: target}
	if strings.HasSuffix(target, "Item") && !strings.HasSuffix(target, "GetItem") {
		return q // a write
	}
	const basis, prime = 14695981039346656037, 1099511628211 // FNV-1a of each text
	text := uint64(basis)
	for _, b := range body {
		switch b {
		case '"':
			q.texts += text
			text = basis
		case ',', ':', '{', '}': // their places depend on the order
		default:
			text = (text ^ uint64(b)) * prime
		}
	}
	q.texts += text
	return q
}

func newTape() *tape { return &tape{through: http.DefaultTransport, answers: map[question]recording{}} }

// options puts the tape into a client.
func (t *tape) options(o *dynamodb.Options) {
	o.HTTPClient = &http.Client{Transport: t}
	o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("tape", t.note), middleware.After)
	})
}

// note keeps the input of a call, until the tape plays.
func (t *tape) note(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	if !t.plays {
		t.mu.Lock()
		t.inputs = append(t.inputs, in.Parameters)
		t.mu.Unlock()
	}
	return next.HandleInitialize(ctx, in)
}

// take returns the inputs since the last take.
func (t *tape) take() []any {
	inputs := t.inputs
	t.inputs = nil
	return inputs
}

// RoundTrip implements http.RoundTripper.
func (t *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return nil, err
	}
	key := questionOf(r.Header.Get("X-Amz-Target"), body)
	if t.plays {
		known, ok := t.answers[key]
		if !ok {
			return nil, fmt.Errorf("the tape has no answer to %s %s", key.target, body)
		}
		return known.response(r), nil
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	res, err := t.through.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer := recording{status: res.StatusCode, header: res.Header}
	answer.body, err = io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	t.mu.Lock()
	t.answers[key] = answer
	t.mu.Unlock()
	return answer.response(r), nil
}

func (a recording) response(r *http.Request) *http.Response {
	return &http.Response{
		StatusCode: a.status, Header: a.header, Request: r, ContentLength: int64(len(a.body)),
		Body: io.NopCloser(bytes.NewReader(a.body)), ProtoMajor: 1, ProtoMinor: 1,
	}
}

// call makes a call of the SDK again.
func call(ctx context.Context, db *dynamodb.Client, input any) (output any, err error) {
	switch in := input.(type) {
	case *dynamodb.QueryInput:
		return db.Query(ctx, in)
	case *dynamodb.GetItemInput:
		return db.GetItem(ctx, in)
	case *dynamodb.BatchGetItemInput:
		return db.BatchGetItem(ctx, in)
	case *dynamodb.PutItemInput:
		return db.PutItem(ctx, in)
	case *dynamodb.UpdateItemInput:
		return db.UpdateItem(ctx, in)
	}
	return nil, fmt.Errorf("no such call: %T", input)
}
