package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
)

// suspensions returns the accounts of a stage.
func (s *stage) suspensions() account.Store {
	return account.NewStore(dynamo.NewTable(s.sound, s.chat, nil))
}

// suspend suspends a person of a stage.
func (s *stage) suspend(t *testing.T, user string) {
	t.Helper()
	if _, err := s.suspensions().Suspend(t.Context(), chat.UserID(user), account.Suspension{At: start, By: "desk"}); err != nil {
		t.Fatal(err)
	}
}

// TestOperations_RefuseASuspendedPerson sends the request of each sample for a suspended person.
// It must be refused and change no item. The same holds for a service that acts for them, and for
// a suspended service that acts for somebody else.
func TestOperations_RefuseASuspendedPerson(t *testing.T) {
	t.Parallel()
	stage := newStage(t, enginetest.Start(t), "suspended")
	for _, user := range []string{"owner", "moderator", "member", "muted", "banned", "guest", "desk"} {
		stage.suspend(t, user)
	}
	stage.before = stage.items(t)
	before := stage.before.lines(t)
	refused := func(sample faultSample, who string, headers ...string) {
		p := &play{faultSample: sample, stage: stage}
		method, _, _ := strings.Cut(sample.route, " ")
		if p.match != "" {
			headers = append(headers, "If-Match", p.match)
		}
		got := stage.process(start).do(t, method, p.fill(sample.path), p.fill(sample.body), headers...)
		if got.status != 403 || got.body["type"] != "/problems/suspended" {
			t.Errorf("%s %s, for %s: %d %s", sample.route, sample.name, who, got.status, got.text)
		}
		after := stage.items(t)
		if d := difference(after.lines(t), before); d != "" {
			t.Errorf("%s %s, for %s, changed items: %s", sample.route, sample.name, who, d)
			stage.reset(t, after)
		}
	}
	for _, sample := range faultSamples() {
		if sample.route == "GET /invites/{token}" || sample.route == "POST /in/{secret}" { // has no caller
			continue
		}
		headers := []string{userHeader, sample.caller}
		if sample.service {
			headers = append(headers, serviceHeader, "yes")
		}
		refused(sample, "the person", headers...)
		if !sample.service {
			refused(sample, "an active service", userHeader, "active", serviceHeader, "yes", "Parley-Act-As", sample.caller)
			refused(sample, "an active person", userHeader, "desk", serviceHeader, "yes", "Parley-Act-As", "active")
		}
	}
}

// TestOperations_CheckTheAccountInTime suspends a person between two requests to one process. The
// next change is refused; a read may use the account that the process read shortly before.
func TestOperations_CheckTheAccountInTime(t *testing.T) {
	t.Parallel()
	stage := newStage(t, enginetest.Start(t), "in-time")
	at := start
	a := stage.processAt(func() time.Time { return at })
	a.want(t, 200, "GET", "/rooms/seattle", "", userHeader, "member")
	stage.suspend(t, "member")
	post := func(status int) {
		t.Helper()
		a.want(t, status, "POST", "/rooms/seattle/messages", `{"text":"x"}`, userHeader, "member")
	}
	at = at.Add(account.CacheAge - 1)
	a.want(t, 200, "GET", "/rooms/seattle", "", userHeader, "member")
	post(403)
	a.want(t, 403, "GET", "/rooms/seattle", "", userHeader, "member")
	if _, err := stage.suspensions().EndSuspension(t.Context(), "member", account.Ending{At: at, By: "desk"}); err != nil {
		t.Fatal(err)
	}
	post(201)
	a.want(t, 200, "GET", "/rooms/seattle", "", userHeader, "member")
	stage.suspend(t, "member")
	at = at.Add(account.CacheAge)
	a.want(t, 403, "GET", "/rooms/seattle", "", userHeader, "member")
}

// TestOperations_SuspensionShowsToNobody sends the request of each sample in two worlds: in one
// everybody except the caller is suspended. The responses must be the same, byte for byte: nobody
// learns who is suspended, except services that request it.
func TestOperations_SuspensionShowsToNobody(t *testing.T) {
	t.Parallel()
	stage := newStage(t, enginetest.Start(t), "two-worlds")
	ask := func(sample faultSample) string {
		p := &play{faultSample: sample, stage: stage}
		method, _, _ := strings.Cut(sample.route, " ")
		headers := []string{userHeader, sample.caller}
		if p.match != "" {
			headers = append(headers, "If-Match", p.match)
		}
		got := stage.process(start).do(t, method, p.fill(sample.path), p.fill(sample.body), headers...)
		stage.reset(t, stage.items(t))
		return fmt.Sprint(got.status, lot.ReplaceAllString(got.raw, "drawn"), got.header)
	}
	byCaller := map[string][]faultSample{}
	for _, sample := range faultSamples() {
		if sample.service || strings.HasSuffix(sample.route, " /invites/{token}") || sample.route == "POST /in/{secret}" { // a suspended person's invitation looks like a dead one
			continue
		}
		byCaller[sample.caller] = append(byCaller[sample.caller], sample)
	}
	compared := 0
	for caller, samples := range byCaller {
		var without []string
		for _, sample := range samples {
			without = append(without, ask(sample))
		}
		nobody := stage.before
		for _, user := range []string{"owner", "moderator", "member", "muted", "banned", "guest"} {
			if user != caller {
				stage.suspend(t, user)
			}
		}
		stage.before = stage.items(t)
		for i, sample := range samples {
			if with := ask(sample); with != without[i] {
				t.Errorf("%s %s shows that others are suspended\nthey are: %s\nthey are not: %s", sample.route, sample.name, with, without[i])
			}
			compared++
		}
		stage.before = nobody
		stage.reset(t, stage.items(t))
	}
	if compared < 50 {
		t.Errorf("%d requests are compared", compared)
	}
}
