// Package hostile provides a database engine that returns corrupted answers. It is a proxy before
// a real engine, and changes the answers to the calls that a test selects.
package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Call identifies a call by its operation and its number, from 1. All attempts of the SDK are one
// call.
type Call struct {
	Operation string
	N         int
}

func (c Call) String() string { return fmt.Sprintf("%s %d", c.Operation, c.N) }

// Item is an item in the JSON of DynamoDB.
type Item = map[string]any

// Answer is an answer of the real engine, which a Corruption corrupts.
type Answer struct {
	Operation string
	Request   map[string]any
	Status    int
	Body      map[string]any
	raw       []byte // the body before the change
	foreign   []Item
	turn      int
}

// Engine corrupts the answers to selected calls. It is safe for concurrent use.
type Engine struct {
	url, next string
	client    *http.Client

	mu         sync.Mutex
	corruption *Corruption
	call       Call // the corrupted call; N is 0 for all of the operation
	turn       int
	counts     map[string]int
	known      map[string]Call
	calls      []Call
	corrupted  int
	strayed    bool // a client followed a redirect
	foreign    []Item
}

// New starts an engine before the real one at an address. At first it corrupts nothing.
func New(t testing.TB, endpoint string) *Engine {
	t.Helper()
	e := &Engine{next: endpoint, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	e.Truth()
	server := httptest.NewServer(e)
	e.url = server.URL
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		e.client.CloseIdleConnections()
	})
	return e
}

// URL returns the address of the engine.
func (e *Engine) URL() string { return e.url }

// Truth stops all corruptions, and counts calls from 1.
func (e *Engine) Truth() { e.Plan(nil, Call{}, 0) }

// Plan makes the engine corrupt the answers to a call, or to all calls of its operation if N is 0.
// The turn selects a variant, if the Corruption has several.
func (e *Engine) Plan(corruption *Corruption, call Call, turn int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.corruption, e.call, e.turn, e.corrupted, e.strayed = corruption, call, turn, 0, false
	e.counts, e.known, e.calls = map[string]int{}, map[string]Call{}, nil
}

// Calls returns the calls since the last plan.
func (e *Engine) Calls() []Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Call(nil), e.calls...)
}

// Corrupted returns the number of answers that were corrupted since the last plan, and whether a
// client has followed a redirect.
func (e *Engine) Corrupted() (n int, strayed bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.corrupted, e.strayed
}

// Learn reads the items of a table that contain a text. The engine smuggles them into answers.
func (e *Engine) Learn(t testing.TB, table, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.next, strings.NewReader(`{"TableName":"`+table+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{
		"X-Amz-Target": {"DynamoDB_20120810.Scan"}, "Content-Type": {"application/x-amz-json-1.0"}, "X-Amz-Date": {"20200101T000000Z"},
		"Authorization": {"AWS4-HMAC-SHA256 Credential=x/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x"},
	}
	res, err := e.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var found struct{ Items []Item }
	if err := json.NewDecoder(res.Body).Decode(&found); err != nil {
		t.Fatal(err)
	}
	for _, item := range found.Items {
		if line, err := json.Marshal(item); err == nil && strings.Contains(string(line), text) {
			e.foreign = append(e.foreign, item)
		}
	}
	if len(e.foreign) == 0 {
		t.Fatalf("no item of %s has the text %q", table, text)
	}
}

// selected counts a request. It returns the Corruption for its answer, or nil.
func (e *Engine) selected(operation, invocation string) (*Corruption, int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	call, again := e.known[invocation]
	if !again {
		e.counts[operation]++
		call = Call{operation, e.counts[operation]}
		e.known[invocation] = call
		e.calls = append(e.calls, call)
	}
	if e.corruption == nil || e.call.Operation != operation || e.call.N != 0 && e.call.N != call.N {
		return nil, 0
	}
	return e.corruption, e.turn
}

// ServeHTTP answers one attempt of a call.
func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == elsewhere {
		e.mu.Lock()
		e.strayed = true
		e.mu.Unlock()
		return
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	target := r.Header.Get("X-Amz-Target")
	operation := target[strings.LastIndexByte(target, '.')+1:]
	corruption, turn := e.selected(operation, r.Header.Get("Amz-Sdk-Invocation-Id"))
	res, err := e.forward(r, text)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return
	}
	if corruption != nil && e.answer(w, corruption, &Answer{Operation: operation, Status: res.StatusCode, raw: body, foreign: e.foreign, turn: turn}, text) {
		return
	}
	for name, values := range res.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(res.StatusCode)
	_, _ = w.Write(body)
}

// answer sends a corrupted answer, and reports whether the Corruption fits.
func (e *Engine) answer(w http.ResponseWriter, corruption *Corruption, a *Answer, request []byte) bool {
	if err := errorOf(decode(request, &a.Request), decode(a.raw, &a.Body)); err != nil {
		return false
	}
	if corruption.change != nil && !corruption.change(a) {
		return false
	}
	e.mu.Lock()
	e.corrupted++
	e.mu.Unlock()
	if corruption.write != nil {
		corruption.write(w, a)
		return true
	}
	text, err := json.Marshal(a.Body)
	if err != nil {
		panic(err) // values decoded from JSON can be encoded
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(a.Status)
	_, _ = w.Write(text)
	return true
}

func errorOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func decode(text []byte, to *map[string]any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(to)
}

func (e *Engine) forward(r *http.Request, text []byte) (*http.Response, error) {
	out, err := http.NewRequestWithContext(r.Context(), http.MethodPost, e.next, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	out.Header = r.Header.Clone()
	return e.client.Do(out)
}
