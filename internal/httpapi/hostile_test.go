package httpapi_test

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/hostile"
	"example.com/parley/internal/test/nightly"
)

const (
	// callsEach is the number of calls of a sample of which make test corrupts the response to
	// one.
	callsEach = 8
	// slowEach is the number of calls of which one gets the slow corruptions at night: each waits
	// for four timeouts.
	slowEach = 40
	// secretText is in a private room that no caller of a sample may see.
	secretText = "do-not-tell"
	// maxLiedAnswer bounds a response in bytes, whatever the database returns.
	maxLiedAnswer = 4 << 20
)

// internalDetail is the fixed text of a 500.
const internalDetail = "The server failed; its log has the cause."

// liar is a sample on a stage whose database returns corrupted responses.
type liar struct {
	*play
	engine *hostile.Engine
	right  []hostile.Call
	hidden string // the id of the private room
}

// TestOperations_NoLieOfTheDatabaseShows corrupts the responses to each call of each operation, in
// each way in which a response can be wrong. A detectable corruption must result in 500, 503 or
// the right response. Any other may change the response. None may show other people's items, the
// text of a database error or a panic, or delay a request for long.
//
// make test corrupts one in callsEach calls of each sample once, without the slow corruptions. At
// night all cells run.
func TestOperations_NoLieOfTheDatabaseShows(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	samples := faultSamples()
	var cells atomic.Int64
	var told sync.Map
	t.Cleanup(func() {
		t.Logf("%d cells", cells.Load())
		for _, corruption := range hostile.All() {
			if _, ok := told.Load(corruption.Name); !ok && nightly.Enabled() {
				t.Errorf("the corruption %q was never applied", corruption)
			}
		}
	})
	onStages(t, samples, func(t *testing.T, name string) *liar { return newLiar(t, endpoint, name) }, func(t *testing.T, l *liar, i int) {
		l.prepare(t, samples[i])
		each := min(callsEach, len(l.right))
		for n, call := range l.right {
			if !nightly.One(i+n, each) {
				continue
			}
			for _, corruption := range l.tell(t, call, i+7*n) {
				cells.Add(1)
				told.Store(corruption.Name, true)
			}
		}
	})
}

// tell runs the cells of a call, and returns the applicable corruptions: one, or all at night. A
// number that differs between calls selects the first.
func (l *liar) tell(t *testing.T, call hostile.Call, number int) (told []*hostile.Corruption) {
	t.Helper()
	all := hostile.All()
	for m := range all {
		corruption := all[(number+m)%len(all)]
		switch {
		case !nightly.Enabled() && (corruption.Slow || len(told) == 1):
		case corruption.Slow && number%slowEach != 0:
		case l.cell(t, corruption, call, number+m):
			told = append(told, corruption)
		}
	}
	return told
}

// newLiar returns a stage with a private room of others, without a sample.
func newLiar(t *testing.T, endpoint, name string) *liar {
	t.Helper()
	l := &liar{engine: hostile.New(t, endpoint), play: &play{stage: newStage(t, endpoint, "corruption-"+name)}}
	l.broken = dynamo.NewClient(dynamo.ClientConfig{
		Region: "us-east-1", Endpoint: l.engine.URL(), Credentials: dynamo.StaticCredentials("local", "local", ""), Jitter: noWait,
	})
	a := l.process(start.Add(-setupAge))
	room := a.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"`+secretText+`"}`, userHeader, "hider")
	l.hidden = room.body["id"].(string)
	a.want(t, 201, "POST", "/rooms/"+l.hidden+"/messages", `{"id":"`+sentID+`","text":"`+secretText+`"}`, userHeader, "hider")
	l.engine.Learn(t, l.chat, l.hidden)
	l.before = l.items(t)
	l.rewind()
	return l
}

// prepare runs a sample without a corrupted response.
func (l *liar) prepare(t *testing.T, sample faultSample) {
	t.Helper()
	l.play = &play{faultSample: sample, stage: l.stage}
	a := l.process(start)
	l.engine.Truth()
	l.first = l.ask(t, a)
	l.right = l.engine.Calls()
	l.again = l.ask(t, a)
	l.reset(t, l.items(t))
	if l.first.status != l.faultSample.first || l.again.status != l.faultSample.again {
		t.Fatalf("without a corruption it answers %d and then %d\n%s\n%s", l.first.status, l.again.status, l.first.text, l.again.text)
	}
}

// lieGrace is the time that a busy machine may add to a request. It only ends hangs.
const lieGrace = time.Minute

// cell runs the sample with a corrupted response, and checks the result. It reports false if the
// corruption does not apply.
func (l *liar) cell(t *testing.T, corruption *hostile.Corruption, call hostile.Call, turn int) bool {
	t.Helper()
	if corruption.Always {
		call.N = 0
	}
	a := l.process(start)
	l.engine.Plan(corruption, call, turn)
	began := time.Now()
	got := l.ask(t, a)
	took := time.Since(began)
	told, strayed := l.engine.Corrupted()
	calls := l.engine.Calls()
	l.engine.Truth()
	if writesAny(calls) {
		l.reset(t, l.items(t))
	} else {
		l.rewind()
	}
	if told == 0 {
		return false
	}
	name := fmt.Sprintf("%s, %s, turn %d", call, corruption, turn)
	l.check(t, name, got, corruption)
	if logs := a.logs.String(); strings.Contains(logs, "panic") {
		t.Errorf("%s: a panic\n%s", name, logs)
	}
	if strayed {
		t.Errorf("%s: the client followed a redirect", name)
	}
	if limit := httpapi.RequestTimeout + lieGrace; took > limit {
		t.Errorf("%s: it takes %v, want at most %v", name, took, limit)
	}
	return true
}

// unreadCount is the count that is too high if a part of the feed cannot be read, as after that
// part has expired.
var unreadCount = regexp.MustCompile(`"unread(Total)?":\d+`)

// check checks the result of a corrupted response.
func (l *liar) check(t *testing.T, name string, got answer, corruption *hostile.Corruption) {
	t.Helper()
	all := fmt.Sprint(got.header, got.raw)
	for _, secret := range []string{secretText, l.hidden, "hider", hostile.Secret} {
		if strings.Contains(all, secret) {
			t.Errorf("%s: the answer %d shows %q\n%.500s", name, got.status, secret, all)
		}
	}
	if len(got.raw) > maxLiedAnswer {
		t.Errorf("%s: the answer has %d bytes", name, len(got.raw))
	}
	status, body := outcome(got)
	switch {
	case status == 503:
		if !retryable(got) {
			t.Errorf("%s: a 503 without a time to retry: %s", name, got.text)
		}
	case status >= 500:
		if status != 500 || body["detail"] != internalDetail {
			t.Errorf("%s: it answers %d %s", name, got.status, got.text)
		}
	case !corruption.Plausible && !l.play.right(got) && unreadCount.ReplaceAllString(got.text, "") != unreadCount.ReplaceAllString(l.first.text, ""):
		t.Errorf("%s: it answers %d %.2000s\nwant %d %.2000s, or an error", name, got.status, got.text, l.first.status, l.first.text)
	}
}

// writesAny reports whether some call may change items.
func writesAny(calls []hostile.Call) bool {
	for _, c := range calls {
		if writes(faults.Call(c)) {
			return true
		}
	}
	return false
}
