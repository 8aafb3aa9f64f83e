package httpapi_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
	"example.com/parley/internal/ratelimit"
	"example.com/parley/internal/test/tabletest"
)

// webhook creates a webhook of the room seattle and returns its path.
func webhook(t *testing.T, a *api) string {
	t.Helper()
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	return "/in/" + a.want(t, 201, "POST", "/rooms/seattle/incoming", `{"name":"Alerts"}`, userHeader, "owner").body["secret"].(string)
}

// TestUseIncoming_OnTheWire posts as programs do. The secret is in no answer but the first, and in
// no log.
func TestUseIncoming_OnTheWire(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	path := webhook(t, a)
	secret := strings.TrimPrefix(path, "/in/")
	got := a.want(t, 200, "POST", path, `{"text":"*full*"}`, "Idempotency-Key", "any text")
	again := a.want(t, 200, "POST", path, `{"text":"*full*"}`, "Idempotency-Key", "any text")
	if got.body["ok"] != true || again.text != got.text || again.header.Get("Idempotent-Replay") != "true" {
		t.Errorf("%s, then %s %v", got.text, again.text, again.header)
	}
	a.want(t, 200, "POST", path, "payload=%7B%22text%22%3A%22a+form%22%7D", "Content-Type", "application/x-www-form-urlencoded")
	a.want(t, 200, "POST", path, `{"text":"a text"}`, "Content-Type", "text/plain")
	for what, refused := range map[string]answer{
		"no text":          a.want(t, 422, "POST", path, `{"text":""}`),
		"no JSON":          a.want(t, 422, "POST", path, secret),
		"an unknown path":  a.want(t, 404, "POST", path[:len(path)-1]+"0", `{"text":"x"}`),
		"another key":      a.want(t, 409, "POST", path, `{"text":"other"}`, "Idempotency-Key", "any text"),
		"a long key":       a.want(t, 422, "POST", path+"?thread="+strings.Repeat("x", 256), `{"text":"x"}`),
		"a long body":      a.want(t, 413, "POST", path, `{"text":"`+strings.Repeat("x", 256<<10)+`"}`),
		"a compressed one": a.want(t, 415, "POST", path, `{"text":"x"}`, "Content-Encoding", "gzip"),
	} {
		if checkProblem(t, what, refused); strings.Contains(refused.text, secret) {
			t.Errorf("%s: the problem has the secret: %s", what, refused.text)
		}
	}
	messages := a.want(t, 200, "GET", "/rooms/seattle/messages?include=people", "", userHeader, "owner")
	for _, part := range []string{`"bot":true`, `"user":"bot:` + secret[:32], `"text":"**full**"`, `"text":"a form"`, `"name":"Alerts"`, `"kind":"bot"`} {
		if !strings.Contains(messages.text, part) {
			t.Errorf("the messages lack %s: %s", part, messages.text)
		}
	}
	for _, path := range []string{"/rooms/seattle/incoming", "/rooms/seattle/audit", "/rooms/seattle/messages"} {
		if got := a.want(t, 200, "GET", path, "", userHeader, "owner"); strings.Contains(got.text, secret[32:]) {
			t.Errorf("%s shows the secret: %s", path, got.text)
		}
	}
	if logs := a.logs.String(); strings.Contains(logs, secret[32:]) || !strings.Contains(logs, "POST /in/{secret}") {
		t.Errorf("the log is\n%s", logs)
	}
	a.want(t, 401, "GET", "/rooms/seattle", "", userHeader, "bot:"+secret[:32])
	a.want(t, 422, "PUT", "/rooms/seattle/members/bot:"+secret[:32], `{"role":"owner"}`, userHeader, "owner")
}

// TestUseIncoming_HasABudget floods one webhook, which does not limit another.
func TestUseIncoming_HasABudget(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(o *app.Options) { o.Limits = ratelimit.For(1) })
	first, second := webhook(t, a), "/in/"
	second += a.want(t, 201, "POST", "/rooms/seattle/incoming", `{"name":"Builds"}`, userHeader, "owner").body["secret"].(string)
	limited := 0
	for range 20 {
		if got := a.do(t, "POST", first, `{"text":"x"}`); got.status == 429 {
			limited++
			checkProblem(t, "a flood", got)
		}
	}
	if limited < 5 {
		t.Errorf("%d of 20 requests are limited", limited)
	}
	a.want(t, 200, "POST", second, `{"text":"x"}`)
}

// TestUseIncoming_ShardsExpireMeanwhile lets so much time pass in a request that the room's shards
// are read again.
func TestUseIncoming_ShardsExpireMeanwhile(t *testing.T) {
	t.Parallel()
	client := tabletest.Start(t, "chat", recorder.Options, func(*dynamodb.Options) {})
	tabletest.CreateLog(t, client, "log")
	tabletest.CreateLive(t, client, "live")
	var ticks atomic.Int64
	ticking := func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * chat.EpochMaxAge) }
	a := newAPIOn(t, dynamo.New(client, dynamo.Options{Table: "chat", Clock: ticking}), activity.NewStore(dynamo.NewLogTable(client, "log", nil)),
		func(o *app.Options) { o.Live = live.NewTable(dynamo.NewTable(client, "live", nil)) })
	a.want(t, 200, "POST", webhook(t, a), `{"text":"x"}`)
}
