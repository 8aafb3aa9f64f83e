package faults

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Call names a call: the operation, such as "GetItem", and which one of that operation it is since
// the plan was made, from 1. All attempts of the SDK are one call.
type Call struct {
	Operation string
	N         int
}

func (c Call) String() string { return fmt.Sprintf("%s %d", c.Operation, c.N) }

// Rule selects the calls that fail, and how.
type Rule struct {
	Fault     Fault
	Operation string // empty is every operation that the fault fits
	N         int    // the call's number; 0 is every call of the operation
	Attempts  int    // how many attempts of a call fail, the first ones; 0 is all
}

// Injector fails the calls of a client by a plan. It is safe for concurrent use. Concurrent calls
// count in the order of their arrival.
type Injector struct {
	mu     sync.Mutex
	rules  []Rule
	counts map[string]int
	known  map[string]*attempts
	calls  []Call
	struck int
}

// attempts is a call that was seen, and how often.
type attempts struct {
	call Call
	n    int
}

// Options puts the injector into a client: give it to dynamodb.New, behind the options that set the
// HTTP client.
func (i *Injector) Options(o *dynamodb.Options) {
	next := o.HTTPClient
	if next == nil {
		next = http.DefaultClient
	}
	o.HTTPClient = &client{injector: i, next: next}
}

// Plan replaces the rules and begins to count anew. Without rules nothing fails.
func (i *Injector) Plan(rules ...Rule) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.rules, i.calls, i.struck = rules, nil, 0
	i.counts, i.known = map[string]int{}, map[string]*attempts{}
}

// Calls returns the calls since the plan was made, in the order of their first attempts.
func (i *Injector) Calls() []Call {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]Call(nil), i.calls...)
}

// Struck is how many attempts have failed since the plan was made: a test that means to fail
// something checks that it did.
func (i *Injector) Struck() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.struck
}

// fault counts an attempt and returns how it is to fail, or 0 if it is not.
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
		if r.strikes(*seen) {
			i.struck++
			return r.Fault
		}
	}
	return 0
}

func (r Rule) strikes(a attempts) bool {
	return (r.Operation == "" || r.Operation == a.call.Operation) && r.Fault.Fits(a.call.Operation) &&
		(r.N == 0 || r.N == a.call.N) && (r.Attempts == 0 || a.n <= r.Attempts)
}

// operationOf returns the operation that a request asks for.
func operationOf(r *http.Request) string {
	target := r.Header.Get("X-Amz-Target")
	return target[strings.LastIndexByte(target, '.')+1:]
}

// invocationOf returns the SDK's name for a call, the same in all its attempts.
func invocationOf(r *http.Request) string { return r.Header.Get("Amz-Sdk-Invocation-Id") }
