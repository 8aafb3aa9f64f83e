package httpapi_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/buckettest"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
)

// userHeader and nameHeader name the caller in tests, which have no authorizer.
const (
	userHeader = "X-Test-User"
	nameHeader = "X-Test-Name"
)

// serviceHeader marks the caller's token as a service's in tests.
const serviceHeader = "X-Test-Service"

var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// api is the complete API on its own engine.
type api struct {
	handler http.Handler
	logs    *bytes.Buffer
	bucket  *buckettest.Bucket
	// answers replaces the answers of the bucket to the services, if it is not nil.
	answers roundTripper
}

func newAPI(t testing.TB, change ...func(*app.Options)) *api {
	t.Helper()
	return newAPIOver(t, func(*dynamodb.Options) {}, change...)
}

// newAPIOver is newAPI with an option of its client.
func newAPIOver(t testing.TB, option func(*dynamodb.Options), change ...func(*app.Options)) *api {
	t.Helper()
	client := tabletest.Start(t, "chat", recorder.Options, option)
	tabletest.CreateLog(t, client, "log")
	tabletest.CreateLive(t, client, "live")
	onLive := func(o *app.Options) { o.Live = live.NewTable(dynamo.NewTable(client, "live", nil)) }
	return newAPIOn(t, dynamo.New(client, dynamo.Options{Table: "chat", Clock: func() time.Time { return start }}),
		activity.NewStore(dynamo.NewLogTable(client, "log", nil)), append(change, onLive)...)
}

func newAPIOn(t testing.TB, store app.Stores, logs activity.Store, change ...func(*app.Options)) *api {
	now := func() time.Time { return start }
	options := app.Options{Store: store, Logs: logs, Clock: now, Random: rand.Reader, SendBurst: 1e6, Hooks: hook.Rules{On: true, Owners: true}}
	for _, c := range change {
		c(&options)
	}
	a := &api{logs: &bytes.Buffer{}}
	if options.Bucket == nil {
		a.bucket = buckettest.New(t, options.Clock, recorder.Files, a.answer)
		options.Bucket = a.bucket.Client
	}
	functions := map[httpapi.Function]http.Handler{}
	for _, o := range httpapi.All() {
		f := o.Function()
		functions[f] = rights.Handler(string(f), httpapi.New(httpapi.Options{
			Service: app.New(options), Operations: o, Clock: now,
			Subject:   func(r *http.Request) string { return r.Header.Get(userHeader) },
			Name:      func(r *http.Request) string { return r.Header.Get(nameHeader) },
			IsService: func(r *http.Request) bool { return r.Header.Get(serviceHeader) != "" },
			Log:       slog.New(slog.NewJSONHandler(a.logs, nil)),
		}))
	}
	mux := http.NewServeMux()
	for _, r := range httpapi.GatewayRoutes() {
		if r.Method != http.MethodHead { // a mux sends it where GET goes
			mux.Handle(strings.Replace(r.Key(), "{proxy+}", "", 1), functions[r.Function])
		}
	}
	a.handler = mux
	return a
}

// answer is a response with its body.
type answer struct {
	status int
	header http.Header
	raw    string
	text   string // raw without the trailing newline
	body   map[string]any
}

func (a *api) do(t testing.TB, method, path, body string, headers ...string) answer {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set(userHeader, "amsg")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, r)
	res := w.Result()
	checkDeclared(t, r.Pattern, res.StatusCode)
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := answer{status: res.StatusCode, header: res.Header, raw: string(text), text: strings.TrimSuffix(string(text), "\n")}
	if len(text) > 0 && strings.Contains(res.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(text, &out.body); err != nil {
			t.Fatalf("%s %s answers no JSON: %v\n%s", method, path, err, text)
		}
	}
	return out
}

func (a *api) want(t testing.TB, status int, method, path, body string, headers ...string) answer {
	t.Helper()
	got := a.do(t, method, path, body, headers...)
	if got.status != status {
		t.Fatalf("%s %s answers %d, want %d\n%s", method, path, got.status, status, got.text)
	}
	return got
}

func TestPostMessage_IsReadBack(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	room := a.want(t, 201, "PUT", "/rooms/seattle", `{"name":"Seattle","topic":"rain","shards":2}`)
	if room.body["id"] != "seattle" || room.body["name"] != "Seattle" || room.body["shards"] != 2.0 || room.body["createdBy"] != "amsg" {
		t.Errorf("room %v", room.body)
	}
	a.want(t, 200, "PATCH", "/rooms/seattle", "{}")
	a.want(t, 409, "PUT", "/rooms/seattle", "", userHeader, "bob")
	a.want(t, 412, "PUT", "/rooms/seattle", `{"name":"Mine"}`, "If-None-Match", "*")
	const me = `,"me":{"role":"owner","read":0,"unread":0,"mentions":0}}`
	if got := a.want(t, 200, "GET", "/rooms/seattle", ""); got.text != strings.TrimSuffix(room.text, "}")+me {
		t.Errorf("the room is read as %s, was created as %s", got.text, room.text)
	}

	id := chat.NewUUID(start, [10]byte{1}).String()
	posted := a.want(t, 201, "POST", "/rooms/seattle/messages", `{"id":"`+id+`","text":"hello \u2603"}`)
	want := map[string]any{
		"id": id + "~amsg", "room": "seattle", "user": "amsg", "text": "hello ☃",
		"sentAt": "2018-08-29T12:00:00.000Z", "receivedAt": "2018-08-29T12:00:00.000Z",
	}
	for k, v := range want {
		if posted.body[k] != v {
			t.Errorf("%s is %v, want %v", k, posted.body[k], v)
		}
	}
	if posted.header.Get("Idempotent-Replay") != "" {
		t.Error("the first post says it is a replay")
	}
	again := a.want(t, 200, "POST", "/rooms/seattle/messages", `{"text":"hello ☃","id":"`+strings.ToUpper(id)+`"}`)
	if again.header.Get("Idempotent-Replay") != "true" || again.text != posted.text {
		t.Errorf("the retry answers %v %s", again.header, again.text)
	}
	conflict := a.want(t, 409, "POST", "/rooms/seattle/messages", `{"id":"`+id+`","text":"other"}`)
	if conflict.body["type"] != "/problems/conflict" {
		t.Errorf("conflict %s", conflict.text)
	}
	for _, path := range []string{posted.header.Get("Location"), "/rooms/seattle/messages/" + id + "~amsg"} {
		if got := a.want(t, 200, "GET", path, ""); got.text != posted.text {
			t.Errorf("%s reads %s, want %s", path, got.text, posted.text)
		}
	}
	list := a.want(t, 200, "GET", "/rooms/seattle/messages", "")
	if list.text != `{"items":[`+posted.text+`],"since":"`+beginning+`"}` {
		t.Errorf("the list is %s", list.text)
	}
}

func TestPostMessage_ClockSkewCarriesServerTime(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	for _, off := range []time.Duration{-25 * time.Hour, 3 * time.Second} {
		id := chat.NewUUID(start.Add(off), [10]byte{1}).String()
		got := a.want(t, 409, "POST", "/rooms/seattle/messages", `{"id":"`+id+`","text":"x"}`)
		if got.body["type"] != "/problems/clock-skew" || got.body["serverTime"] != "2018-08-29T12:00:00.000Z" || got.body["retryable"] != false {
			t.Errorf("an id %v off: %s", off, got.text)
		}
	}
}

func TestGetRoom_UnavailableStoreIsRetryable(t *testing.T) {
	t.Parallel()
	client := dynamo.LocalClient("http://127.0.0.1:1") // nobody listens there
	a := newAPIOn(t, dynamo.New(client, dynamo.Options{Table: "chat", Clock: func() time.Time { return start }}),
		activity.NewStore(dynamo.NewLogTable(client, "log", nil)))
	got := a.want(t, 503, "GET", "/rooms/seattle", "")
	if got.body["retryable"] != true || got.header.Get("Retry-After") != "1" || strings.Contains(got.text, "127.0.0.1") {
		t.Errorf("answer %v %s", got.header, got.text)
	}
}

func TestInternalError_HidesTheCauseAndLogsIt(t *testing.T) {
	t.Parallel()
	client := dynamo.LocalClient(enginetest.Start(t)) // with no table
	a := newAPIOn(t, dynamo.New(client, dynamo.Options{Table: "chat", Clock: func() time.Time { return start }}),
		activity.NewStore(dynamo.NewLogTable(client, "log", nil)))
	got := a.want(t, 500, "GET", "/rooms/seattle", "")
	const fixed = `{"type":"/problems/internal","title":"Internal server error","status":500,` +
		`"detail":"The server failed; its log has the cause.","retryable":false}`
	if got.text != fixed {
		t.Errorf("answer %s", got.text)
	}
	if !strings.Contains(a.logs.String(), "ResourceNotFoundException") {
		t.Errorf("the cause is not in the log: %s", a.logs)
	}
}

func TestEdge_LogsHoldNoMessageText(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	a.want(t, 201, "POST", "/rooms/seattle/messages", `{"text":"geheimnis"}`)
	a.want(t, 400, "POST", "/rooms/seattle/messages", `{"text":"geheimnis"`)
	a.want(t, 422, "POST", "/rooms/seattle/messages", `{"text":"geheimnis","x":1}`)
	a.want(t, 200, "GET", "/rooms/seattle/messages", "")
	if logs := a.logs.String(); strings.Contains(logs, "geheimnis") || strings.Count(logs, `"msg":"request"`) != 5 {
		t.Errorf("logs:\n%s", logs)
	}
}

// giveRole lets the owner of a room give a role to a user, and checks the status. Moderators and
// owners are added as members first.
func (a *api) giveRole(t testing.TB, room, user, role string, status int) {
	t.Helper()
	path := room + "/members/" + user
	if status == 201 && (role == "moderator" || role == "owner") {
		a.want(t, 201, "PUT", path, `{"role":"member"}`, userHeader, "owner")
		status = 200
	}
	a.want(t, status, "PUT", path, `{"role":"`+role+`"}`, userHeader, "owner")
}

// TestGet_AnswersOnlyWhatChanged asks for a room, a person and a part with the ETag of what it
// holds.
func TestGet_AnswersOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", `{"topic":"rain"}`)
	a.want(t, 201, "PUT", "/people/me", `{"name":"A"}`)
	const part = "/rooms/seattle/documents/charter/parts/one"
	a.want(t, 201, "PUT", part, `{"text":"one"}`)
	for path, change := range map[string][]string{
		"/rooms/seattle": {"PATCH", "/rooms/seattle", `{"topic":"sun"}`},
		"/people/me":     {"PATCH", "/people/me", `{"state":"CA"}`},
		part:             {"PUT", part, `{"text":"two"}`, "If-Match", `"1"`},
	} {
		tag := a.want(t, 200, "GET", path, "").header.Get("ETag")
		for held, want := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, "": 200, strings.Trim(tag, `"`): 200} {
			got := a.want(t, want, "GET", path, "", "If-None-Match", held)
			if got.header.Get("ETag") != tag || (got.text == "") != (want == 304) {
				t.Errorf("%s with %s: %d, ETag %s, %q", path, held, got.status, got.header.Get("ETag"), got.text)
			}
		}
		a.want(t, 200, change[0], change[1], change[2], change[3:]...)
		if now := a.want(t, 200, "GET", path, "", "If-None-Match", tag).header.Get("ETag"); now == tag {
			t.Errorf("%s keeps the ETag %s after a change", path, tag)
		}
	}
}

// recorder records the calls of the API's functions, under the names that tests give the tables and
// the bucket.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"chat*": "Table", "log*": "LogTable", "live*": "LiveTable", "files.local": "FilesBucket"})

func TestMain(m *testing.M) { os.Exit(recorder.Main(m)) }
