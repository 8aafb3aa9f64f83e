package httpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/parley/internal/invite"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/nightly"
)

const (
	// cellsEach is the number of cells of a sample of which make test runs one. It is prime, so
	// that the cells cover every fault.
	cellsEach = 41
	// stages is the number of stages on which samples are played, each one after the other.
	stages = 4
)

// play is one sample on its stage, with the responses and the items of a run without faults.
type play struct {
	faultSample
	*stage
	warm         bool
	calls        []faults.Call
	first, again answer
	state, twice []string // after the request, and after its repetition
	seen         string   // the response to look
}

// TestOperations_EveryCallFailsInEveryWay injects each fault into each call to DynamoDB
// and to the bucket of each operation, both in a new process and in a warm one. A fault of one attempt must not show in the
// response. A fault of all attempts may show as an error that asks the client to retry. After a
// retry, the items must be the same as after a run without faults.
//
// make test runs one cell in cellsEach, and at least one of each sample, in either a new process or
// a warm one. At night all run, which takes minutes.
func TestOperations_EveryCallFailsInEveryWay(t *testing.T) {
	t.Parallel()
	samples := faultSamples()
	endpoint := enginetest.Start(t)
	var cells atomic.Int64
	t.Cleanup(func() { t.Logf("%d samples, %d cells", len(samples), cells.Load()) })
	onStages(t, samples, func(t *testing.T, name string) *stage { return newStage(t, endpoint, name) }, func(t *testing.T, s *stage, i int) {
		for half, warm := range []bool{false, true} {
			if !nightly.One(i/stages+half, 2) {
				continue
			}
			p := &play{faultSample: samples[i], stage: s, warm: warm}
			p.rehearse(t)
			rules := p.rules()
			each := min(cellsEach, len(rules))
			for n, rule := range rules {
				if nightly.One(i+n, each) {
					p.cell(t, rule)
					cells.Add(1)
				}
			}
		}
	})
}

// onStages plays each sample on one of a few stages, which is in its initial state.
func onStages[S any](t *testing.T, samples []faultSample, build func(*testing.T, string) S, play func(*testing.T, S, int)) {
	t.Helper()
	for n := range stages {
		t.Run(fmt.Sprint("stage ", n), func(t *testing.T) {
			t.Parallel()
			s := build(t, fmt.Sprint(n))
			for i := n; i < len(samples); i += stages {
				t.Run(samples[i].route+" "+samples[i].name, func(t *testing.T) { play(t, s, i) })
			}
		})
	}
}

// begin returns a process, new or warm as the play requires.
func (p *play) begin(t *testing.T) *api {
	t.Helper()
	p.faults.Plan()
	a := p.process(start)
	if p.warm {
		for _, room := range []string{"seattle", "slow", p.private} {
			a.want(t, 200, "GET", "/rooms/"+room, "", userHeader, "owner")
		}
	}
	p.faults.Plan()
	return a
}

func (p *play) ask(t *testing.T, a *api) answer {
	t.Helper()
	headers := []string{userHeader, p.caller}
	if p.service {
		headers = append(headers, serviceHeader, "yes")
	}
	if p.match != "" {
		headers = append(headers, "If-Match", p.match)
	}
	method, _, _ := strings.Cut(p.route, " ")
	return a.do(t, method, p.fill(p.path), p.fill(p.body), headers...)
}

// fill enters the ids of the stage into a text of the sample.
func (p *play) fill(text string) string {
	return strings.NewReplacer("{private}", p.private, "{direct}", p.direct, "{token}", p.token, "{invite}", string(invite.IDOf(p.token)), "{secret}", p.secret, "{incoming}", p.secret[:32], "{event}", eventID).Replace(text)
}

// look reads back the change of the sample.
func (p *play) lookAt(t *testing.T, a *api) string {
	t.Helper()
	if p.look == "" {
		return ""
	}
	return a.want(t, 200, "GET", p.look, "", userHeader, "owner").text
}

// rehearse is the run without faults.
func (p *play) rehearse(t *testing.T) {
	t.Helper()
	a := p.begin(t)
	p.first = p.ask(t, a)
	p.calls = p.faults.Calls()
	p.state = p.items(t).lines(t)
	p.again = p.ask(t, a)
	end := p.items(t)
	p.twice = end.lines(t)
	p.seen = p.lookAt(t, a)
	p.reset(t, end)
	if p.first.status != p.faultSample.first || p.again.status != p.faultSample.again {
		t.Fatalf("without a fault it answers %d and then %d, want %d and %d\n%s\n%s", p.first.status, p.again.status, p.faultSample.first, p.faultSample.again, p.first.text, p.again.text)
	}
	if p.unsafe == "" {
		if changed := p.compare(t, p.twice); changed != "" {
			t.Fatalf("a repeated request changes something\n%s", changed)
		}
	}
	if len(p.calls) == 0 {
		t.Fatal("the operation makes no call")
	}
}

// rules returns the fault of each cell of the sample: each fault of each call, of one attempt and
// of all.
func (p *play) rules() []faults.Rule {
	var all []faults.Rule
	for _, call := range p.calls {
		for _, fault := range faults.All() {
			if !fault.Fits(call.Operation) {
				continue
			}
			rule := faults.Rule{Fault: fault, Operation: call.Operation, N: call.N}
			if fault != faults.Slow { // there is one attempt
				rule.Attempts = 1
				all = append(all, rule)
				rule.Attempts = 0
			}
			if fault == faults.Unprocessed {
				rule.N = 0 // separate calls request the unprocessed rest
			}
			all = append(all, rule)
		}
	}
	return all
}

// cell runs one request with a fault and one without, and compares the resulting items.
func (p *play) cell(t *testing.T, rule faults.Rule) {
	t.Helper()
	name := fmt.Sprintf("%s %d, %s, warm %t, all attempts %t", rule.Operation, rule.N, rule.Fault, p.warm, rule.Attempts == 0)
	a := p.begin(t)
	p.faults.Plan(rule)
	got := p.ask(t, a)
	struck, calls := p.faults.Struck(), p.faults.Calls()
	p.faults.Plan()
	logs := a.logs.String()
	if struck == 0 {
		t.Errorf("%s: nothing failed", name)
	}
	if passing := rule.Attempts == 0 && retryable(got); !passing && !p.right(got) {
		t.Errorf("%s: it answers %d %v %s", name, got.status, got.header, got.text)
	}
	if !p.warm {
		a = p.process(start) // the retry meets another process
	}
	if again := p.ask(t, a); !p.right(again) || got.status < 300 && p.unsafe == "" && again.status != p.again.status {
		t.Errorf("%s: after %d, the repeated request answers %d %s", name, got.status, again.status, again.text)
	}
	if seen := p.lookAt(t, a); p.unsafe == "" && p.known(seen) != p.known(p.seen) {
		t.Errorf("%s: %s shows %s\nwant %s", name, p.look, seen, p.seen)
	}
	if !slices.ContainsFunc(append(calls, p.faults.Calls()...), writes) {
		return // the items are as before
	}
	end := p.items(t)
	if lost := p.compare(t, end.lines(t)); lost != "" && !p.mayLose(rule, got, lost, logs) {
		t.Errorf("%s: after %d\n%s", name, got.status, lost)
	}
	p.reset(t, end)
}

// writes reports whether a call may change items.
func writes(c faults.Call) bool {
	return !slices.Contains([]string{"GetItem", "BatchGetItem", "Query", "HeadObject"}, c.Operation)
}

// right reports whether a response occurs in a run without faults.
func (p *play) right(got answer) bool {
	if p.unsafe != "" {
		return got.status == 200 || got.status == p.first.status
	}
	text := p.known(got.text)
	return got.status == p.first.status && text == p.known(p.first.text) || got.status == p.again.status && text == p.known(p.again.text)
}

// known returns a text without the ids that differ between runs.
func (p *play) known(text string) string {
	if p.drawn {
		return lot.ReplaceAllString(text, "drawn")
	}
	return text
}

// compare returns the difference between the items and the items of a run without faults.
func (p *play) compare(t *testing.T, lines []string) string {
	t.Helper()
	if p.drawn {
		return difference(mapped(lines, p.known), mapped(p.state, p.known))
	}
	if p.unsafe == "" {
		return difference(lines, p.state)
	}
	before := p.before.lines(t)
	want, _, err := pieces(changes(p.state), before)
	if err != nil {
		return err.Error()
	}
	got, copies, err := pieces(changes(lines), before)
	if err != nil {
		return err.Error()
	}
	if copies > 2 {
		return fmt.Sprintf("two requests made %d", copies)
	}
	return difference(got, want)
}

// changes returns only the lines of changes. Each of two changes has an audit entry at its own
// time, and a fault may lose one; the samples that a retry does not repeat cover that.
func changes(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.Contains(line, `"Value":"audit"`) })
}

// mayLose reports whether lost is the audit entry that a fault may lose.
func (p *play) mayLose(rule faults.Rule, got answer, lost, logs string) bool {
	isLine := p.audited && strings.Count(lost, "\n") == 1 && strings.HasPrefix(lost, "-1 ") && strings.Contains(lost, `"Value":"audit"`)
	if !isLine || rule.Attempts != 0 {
		return false
	}
	status, _ := outcome(got)
	unknown := rule.Fault.Commits() && status == 503
	return unknown || strings.Contains(logs, "a line of a room's audit log was not stored")
}

// retryable reports whether a response asks the client to retry.
func retryable(got answer) bool {
	status, body := outcome(got)
	after := got.header.Get("Retry-After") != "" || body["retryAfter"] != nil
	return after && (status == 503 || status == 429) && body["retryable"] == true
}

// outcome returns the status and the body of a response. For a bulk request they are the problem
// of its only entry, if that has one, with the entry's retryAfter.
func outcome(got answer) (status int, body map[string]any) {
	items, _ := got.body["items"].([]any)
	if got.status != 200 || len(items) != 1 {
		return got.status, got.body
	}
	result, _ := items[0].(map[string]any)
	p, ok := result["problem"].(map[string]any)
	if !ok {
		return got.status, got.body
	}
	p["retryAfter"] = result["retryAfter"]
	code, _ := p["status"].(float64)
	return int(code), p
}

// difference returns the surplus and the missing lines of got; it is empty if they are equal.
func difference(got, want []string) string {
	var b strings.Builder
	count := map[string]int{}
	for _, line := range want {
		count[line]--
	}
	for _, line := range got {
		count[line]++
	}
	for _, line := range slices.Concat(want, got) {
		if n := count[line]; n != 0 {
			fmt.Fprintf(&b, "%+d %s\n", n, line)
			count[line] = 0
		}
	}
	return b.String()
}

// mapped returns the lines with f applied to each.
func mapped(lines []string, f func(string) string) []string {
	all := make([]string, 0, len(lines))
	for _, line := range lines {
		all = append(all, f(line))
	}
	return all
}
