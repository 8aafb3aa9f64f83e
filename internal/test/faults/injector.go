package faults

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Call identifies a call by its operation, such as "GetItem", and its number. The calls of each
// operation are numbered from 1, beginning with each plan. All attempts of the SDK are one call.
type Call struct {
	Operation string
	N         int
}

func (c Call) String() string { return fmt.Sprintf("%s %d", c.Operation, c.N) }

// Rule selects calls and the fault with which they fail.
type Rule struct {
	Fault     Fault
	Operation string // empty selects every operation that the fault fits
	N         int    // the number of the call; 0 selects every call of the operation
	Attempts  int    // the number of first attempts of a call that fail; 0 means all
}

// Injector injects faults into the calls of a client according to a plan. It is safe for concurrent
// use. Concurrent calls are numbered in the order of their arrival.
type Injector struct {
	mu     sync.Mutex
	rules  []Rule
	counts map[string]int
	known  map[string]*attempts
	calls  []Call
	struck int
}

// attempts counts the attempts of a call.
type attempts struct {
	call Call
	n    int
}

// Options adds the injector to a client. Pass it to dynamodb.New after the options that set the
// HTTP client.
func (i *Injector) Options(o *dynamodb.Options) {
	next := o.HTTPClient
	if next == nil {
		next = http.DefaultClient
	}
	o.HTTPClient = &client{injector: i, next: next}
}

// Plan replaces the rules and resets the counters. Without rules no call fails.
func (i *Injector) Plan(rules ...Rule) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.rules, i.calls, i.struck = rules, nil, 0
	i.counts, i.known = map[string]int{}, map[string]*attempts{}
}

// Calls returns the calls since the last Plan, in the order of their first attempts.
func (i *Injector) Calls() []Call {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]Call(nil), i.calls...)
}

// Struck returns the number of attempts that have failed since the last Plan. A test checks it to
// make sure that its rules selected a call.
func (i *Injector) Struck() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.struck
}

// fault counts an attempt. It returns the fault to inject, or 0.
func (i *Injector) fault(operation, invocation string) Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.known == nil {
		i.counts, i.known = map[string]int{}, map[string]*attempts{}
	}
	seen := i.known[invocation]
	if seen == nil || invocation == "" {
		i.counts[operation]++
		seen = &attempts{call: Call{operation, i.counts[operation]}}
		i.known[invocation] = seen
		i.calls = append(i.calls, seen.call)
	}
	seen.n++
	for _, r := range i.rules {
		if r.matches(*seen) {
			i.struck++
			return r.Fault
		}
	}
	return 0
}

func (r Rule) matches(a attempts) bool {
	return (r.Operation == "" || r.Operation == a.call.Operation) && r.Fault.Fits(a.call.Operation) &&
		(r.N == 0 || r.N == a.call.N) && (r.Attempts == 0 || a.n <= r.Attempts)
}

// operationOf returns the operation of a request.
func operationOf(r *http.Request) string {
	target := r.Header.Get("X-Amz-Target")
	return target[strings.LastIndexByte(target, '.')+1:]
}

// invocationOf returns the id that the SDK assigns to a call. It is the same in all attempts.
func invocationOf(r *http.Request) string { return r.Header.Get("Amz-Sdk-Invocation-Id") }
