package functions_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/incoming"
	"example.com/parley/internal/invite"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/requests"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/runtimestub"
	"example.com/parley/internal/test/tabletest"
)

// recorder records the calls of the functions' processes. Each has its own proxy in front of the
// engine.
var recorder = rights.NewRecorder(rights.RepositoryStack(".."), rights.Names{
	"Events": "Table", "EventsLog": "LogTable", "EventsLive": "LiveTable", feedTable: "Table", feedLiveTable: "LiveTable", "failures": "FailureQueue", "hooks": "HookQueue", userPool: "UserPool", pageBucket: "PageBucket", filesBucket: "FilesBucket",
})

var update = flag.Bool("update", false, "write the sample events anew")

var eventsFolder = flag.String("events", "", "a folder that the events of all requests are written to")

// testTime bounds one invocation. Under emulation, a start takes a second or two.
const testTime = time.Minute

//golden:record
func TestInvoke_AnswersEveryEventAsInLambda(t *testing.T) {
	endpoint := enginetest.Start(t)
	const table, logTable, liveTable = "Events", "EventsLog", "EventsLive"
	client := dynamo.LocalClient(endpoint)
	tabletest.Create(t, client, table)
	tabletest.CreateLog(t, client, logTable)
	tabletest.CreateLive(t, client, liveTable)
	keys := newKeys(t)
	tables := map[string]string{
		"Table": table, "LogTable": logTable, "LiveTable": liveTable, "UserPool.ProviderURL": keys.address, "UserPoolClient": issuer.Audience,
		"FilesBucket": filesBucket,
	}
	_, address := newConnectionStub(t)
	files := newFilesStub(t)
	store, rows := dynamo.New(client, dynamo.Options{Table: table, Clock: time.Now}), live.NewTable(dynamo.NewTable(client, liveTable, nil))
	for _, room := range []chat.RoomID{"seattle", "short-lived"} {
		c := live.Connection{ID: "L0SM9cOFvHcCIhw=", User: "amsg", Until: time.Now().Add(time.Hour)}
		subscribe(t, rows, room, c)
	}
	fill := strings.NewReplacer(
		"{{token}}", keys.token(t, time.Now),
		"{{uuid}}", chat.NewUUID(time.Now(), [10]byte{1}).String(),
		"{{upload}}", chat.NewUUID(time.Now(), [10]byte{2}).String(),
		"{{filed}}", chat.NewUUID(time.Now(), [10]byte{3}).String(),
		"{{message}}", oldMessage(2).ID.String(),
		"{{edited}}", oldMessage(6).ID.String(),
		"{{noted}}", oldMessage(4).ID.String(),
		"{{poll}}", oldMessage(5).ID.String(),
		"{{deleted}}", oldMessage(7).ID.String(),
	)
	found := examples{}
	for _, function := range []string{"write", "read", "search", "incoming", "socket"} {
		env := append(environment(t, function, tables, recorder.Proxy(t, function, endpoint)), config.EnvStorageEndpoint+"="+recorder.Proxy(t, function, files.url))
		if function == "socket" {
			subscribe(t, rows, "seattle", live.Connection{ID: "listener", User: "bob", Until: time.Now().Add(time.Hour)})
			env = append(env, config.EnvSocketEndpoint+"="+recorder.Proxy(t, function, address)+"/ws", "SSL_CERT_FILE="+keys.certificate)
		}
		if function != "write" {
			env = append(env, config.EnvSendRate+"=6") // so low that each spending is recorded, not one by chance
		}
		fn := start(t, function, env)
		var used []string
		for _, e := range samples(t, function, fill) {
			used = append(used, e.name)
			status, body := invoke(t, fn, e.event)
			if status != e.status || !strings.Contains(body, e.holds) {
				t.Errorf("%s/%s: %d %s\nwant %d with %s", function, e.name, status, body, e.status, e.holds)
			}
			found.add(e.request, status, body)
			if e.name == "put-hook-short-lived" || e.name == "put-hook-all" {
				wakeHooks(t, store)
			}
			if e.name == "put-room" {
				putOldMessages(t, store)
				putOldFeed(t, store)
				putInvitations(t, store)
				putWebhooks(t, store)
			}
			if e.name == "post-upload" && status == http.StatusCreated || e.name == "post-picture" {
				sendFile(t, body)
			}
		}
		if function == "search" {
			sweep(t, fn, files)
			used = append(used, sweepEvent)
		}
		checkAllUsed(t, function, used)
	}
	found.check(t, *update)
}

// sample is an event with the expected response.
type sample struct {
	name, event string
	status      int
	holds       string
	request     requests.Request // of an operation
}

// gatewayKey returns the key of the route that API Gateway chooses for the requests of a route.
func gatewayKey(route string) string {
	for _, r := range httpapi.GatewayRoutes() {
		if r.Key() == route {
			return route
		}
	}
	method, _, _ := strings.Cut(route, " ")
	return method + " /{proxy+}"
}

// samples returns the events of a function in order, with their placeholders filled.
func samples(t *testing.T, function string, fill *strings.Replacer) []sample {
	t.Helper()
	var all []sample
	for _, r := range requests.All(function) {
		r = r.Filled(fill)
		all = append(all, sample{r.Name, r.Event(gatewayKey(r.Route)), r.Status, r.Holds, r})
	}
	if function == "socket" {
		for _, e := range socketEvents {
			e.body = fill.Replace(e.body)
			all = append(all, e.sample(t))
		}
	}
	return all
}

// TestEvents_FilesAreOfTheRequests compares the event files for people with the requests of the
// table. With -events it writes the events of all requests, connections and batches into a folder.
func TestEvents_FilesAreOfTheRequests(t *testing.T) {
	written := map[string]string{}
	for _, function := range []string{"write", "read", "search", "incoming", "socket", "authorizer"} {
		all := samples(t, function, strings.NewReplacer())
		if function == "authorizer" {
			for _, r := range authorizerRequests {
				all = append(all, sample{name: r.name, event: r.event(t)})
			}
		}
		for _, e := range all {
			written[filepath.Join(function, e.name+".json")] = e.event
		}
	}
	for _, b := range requests.News {
		written[filepath.Join("outbox", b.Name+".json")] = b.Event()
	}
	for _, b := range requests.Wakes {
		written[filepath.Join("deliver", b.Name+".json")] = b.Event()
	}
	for _, b := range requests.Batches {
		written[filepath.Join("feed", b.Name+".json")] = b.Event()
	}
	for name, text := range written {
		if *eventsFolder != "" {
			file := filepath.Join(*eventsFolder, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		file := filepath.Join("..", "events", name)
		kept, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && *update {
			kept, err = []byte(text), os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(kept), text); diff != "" {
			t.Errorf("events/%s differs from its request; make golden writes it:\n%s", name, diff)
		}
	}
}

// oldMessage returns one of the messages that the read events query.
func oldMessage(n int) chat.Message {
	at := time.Date(2018, 8, 29, 12, 0, 0, 123_000_000, time.UTC).Add(time.Duration(n) * time.Minute)
	id := chat.MessageID{UUID: chat.NewUUID(at, [10]byte{byte(n)}), User: "amsg"}
	m := chat.Message{Room: "seattle", ID: id, Text: fmt.Sprintf("old %d", n), ReceivedAt: at, Digest: []byte("digest")}
	if n == 5 {
		m.Poll = &chat.Poll{Options: []string{"Tuesday", "Wednesday"}}
	}
	return m
}

// lost is a queue that loses everything: these tests look at hooks that are fetched.
type lost struct{}

func (lost) Send(context.Context, []hook.Wake) error { return nil }

// wakeHooks notes the old feed for all hooks, as the outbox does.
func wakeHooks(t *testing.T, store *dynamo.Store) {
	t.Helper()
	news := []hook.News{{Room: "seattle", First: 1, Generation: streamLabel}}
	if err := hook.NewOutbox(store.Table(), lost{}, time.Now, hook.Rules{On: true}).Wake(t.Context(), news, nil); err != nil {
		t.Fatal(err)
	}
}

func putOldMessages(t *testing.T, store app.Stores) {
	t.Helper()
	for n := range 8 { // the last two are for the events that edit and delete
		if _, created, err := store.PutMessage(t.Context(), oldMessage(n)); err != nil || !created {
			t.Fatalf("put an old message: created %v, %v", created, err)
		}
	}
}

// putOldFeed writes the feed that the feed function would have written for some of the messages.
func putOldFeed(t *testing.T, store *dynamo.Store) {
	t.Helper()
	segment := feed.Segment{
		Room: "seattle", First: 1, Generation: streamLabel, WrittenAt: oldMessage(3).ReceivedAt,
		Changes: []feed.Change{
			{Type: feed.RoomChanged, Origin: 1}, {Type: feed.MemberChanged, User: "amsg", Origin: 2},
			{Type: feed.MessageCreated, Message: oldMessage(2).ID, Revision: 1},
		},
	}
	if ok, err := store.AppendSegment(t.Context(), segment); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := store.PutFeedHead(t.Context(), segment.Head()); err != nil {
		t.Fatal(err)
	}
}

// putInvitations writes the invitation that the events use and revoke, and the one that they read,
// with the tokens in their paths.
func putInvitations(t *testing.T, store app.Stores) {
	t.Helper()
	for _, token := range []string{"mfrggzdfmztwq2lkmfrggzdfmztwq2lk", "ofrggzdfmztwq2lkmfrggzdfmztwq2lk"} {
		i := invite.Invitation{
			ID: invite.IDOf(token), Room: "seattle", Role: policy.Member, CreatedBy: "amsg",
			CreatedAt: time.Now(), Expires: time.Now().Add(time.Hour), MaxUses: 2,
		}
		if created, err := invite.NewStore(store.Table()).Create(t.Context(), i, invite.MaxLive); !created || err != nil {
			t.Fatal(created, err)
		}
	}
}

// putWebhooks writes the webhooks that the events use.
func putWebhooks(t *testing.T, store app.Stores) {
	t.Helper()
	for _, secret := range []incoming.Secret{requests.IncomingSecret, requests.IncomingID} {
		w := incoming.Webhook{ID: incoming.ID(secret[:32]), Room: "seattle", Name: "Alerts", CreatedBy: "amsg", CreatedAt: time.Now()}
		if ok, err := store.Table().PutItem(t.Context(), "put webhook", incoming.Item(w.With(secret)), table.Update{}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
}

// start builds a function's binary as the stack does, and runs it.
func start(t *testing.T, function string, env []string) *runtimestub.Function {
	t.Helper()
	return startLogged(t, function, runtimestub.Config{Command: build(t, function), Env: env, Logs: &bytes.Buffer{}})
}

// startLogged starts a function whose log goes to a buffer. The test reads it once the function has
// ended.
func startLogged(t *testing.T, function string, cfg runtimestub.Config) *runtimestub.Function {
	t.Helper()
	fn, err := runtimestub.Start(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := fn.Stop(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("log of %s:\n%s", function, cfg.Logs)
		}
	})
	return fn
}

// environment returns the variables that the stack's template gives the function, and those that
// Lambda adds. A reference in the template becomes the local resource with its logical id.
func environment(t *testing.T, function string, tables map[string]string, endpoint string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "infra", "stack", "testdata", "dev.golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var template struct {
		Resources map[string]struct {
			Type       string
			Properties struct {
				Environment struct{ Variables map[string]any }
			}
		}
	}
	if err := json.Unmarshal(text, &template); err != nil {
		t.Fatal(err)
	}
	if function != "canary" && function != "page" { // these need AWS, so that sam local invoke cannot run them
		checkSAMVariables(t, function, template.Resources[logicalID(function)].Properties.Environment.Variables)
	}
	resource, ok := template.Resources[logicalID(function)]
	if !ok || resource.Type != "AWS::Lambda::Function" {
		t.Fatalf("the template has no function %s", function)
	}
	env := []string{
		"AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local", "AWS_SESSION_TOKEN=local",
		"AWS_ENDPOINT_URL_DYNAMODB=" + endpoint,
	}
	for name, value := range resource.Properties.Environment.Variables {
		if text, ok := value.(string); ok {
			if text == "" {
				continue // sam local invoke fills it in, as the code above does
			}
			env = append(env, name+"="+text)
			continue
		}
		env = append(env, name+"="+resolve(value, tables))
	}
	return append(env, config.EnvSendRate+"=1000") // one person sends all events within seconds
}

// resolve replaces references to resources by the test's resources, which are named by logical id,
// or by logical id and attribute.
func resolve(value any, made map[string]string) string {
	if text, ok := value.(string); ok {
		return text
	}
	reference, _ := value.(map[string]any)
	if id, ok := reference["Ref"].(string); ok {
		return made[id]
	}
	if at, ok := reference["Fn::GetAtt"].([]any); ok && len(at) == 2 {
		return made[fmt.Sprintf("%s.%s", at...)]
	}
	join, _ := reference["Fn::Join"].([]any)
	var text strings.Builder
	if len(join) == 2 {
		for _, part := range join[1].([]any) {
			text.WriteString(resolve(part, made))
		}
	}
	return text.String()
}

// logicalID returns the function's name in the template.
func logicalID(function string) string {
	return strings.ToUpper(function[:1]) + function[1:] + "Function"
}

// checkSAMVariables checks events/env.json against the template. sam local invoke fills in only
// variables that the template has, and silently ignores the rest. A variable that names a resource, such
// as a table, would have its logical id.
func checkSAMVariables(t *testing.T, function string, variables map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "events", "env.json"))
	if err != nil {
		t.Fatal(err)
	}
	var given map[string]map[string]string
	if err := json.Unmarshal(text, &given); err != nil {
		t.Fatal(err)
	}
	if len(given[logicalID(function)]) == 0 {
		t.Errorf("events/env.json has nothing for %s", logicalID(function))
	}
	for name := range given[logicalID(function)] {
		if _, ok := variables[name]; !ok {
			t.Errorf("events/env.json gives %s the variable %s, which the template does not have", function, name)
		}
	}
	for name, value := range variables {
		r, _ := value.(map[string]any)
		if _, ok := given[logicalID(function)][name]; r["Ref"] != nil && !ok {
			t.Errorf("events/env.json does not give %s the variable %s, which names %v", function, name, r["Ref"])
		}
	}
}

func readEvent(t *testing.T, function, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "events", function, file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func invoke(t *testing.T, fn *runtimestub.Function, event string) (status int, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testTime)
	defer cancel()
	answer, err := fn.Invoke(ctx, []byte(event))
	if err != nil {
		t.Fatal(err)
	}
	var response events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(answer, &response); err != nil {
		t.Fatalf("%v\n%s", err, answer)
	}
	if response.IsBase64Encoded {
		decoded, err := base64.StdEncoding.DecodeString(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		response.Body = string(decoded)
	}
	if response.Headers["Content-Encoding"] == "gzip" {
		response.Body = unpack(t, response.Body)
	}
	return response.StatusCode, response.Body
}

func unpack(t *testing.T, body string) string {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkAllUsed fails for an event file that no test replays.
func checkAllUsed(t *testing.T, function string, used []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "events", function, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("event files of %s: %v, %v", function, files, err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".json"); !slices.Contains(used, name) {
			t.Errorf("no test replays events/%s/%s.json", function, name)
		}
	}
}

func TestStart_FailsWithoutATable(t *testing.T) {
	for _, function := range []string{"write", "read", "search", "incoming", "feed", "canary", "socket", "authorizer", "page", "outbox", "deliver"} {
		fn := start(t, function, []string{"AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x"})
		ctx, cancel := context.WithTimeout(t.Context(), testTime)
		defer cancel()
		if _, err := fn.Ready(ctx); err == nil || ctx.Err() != nil {
			t.Errorf("%s starts without a table: %v", function, err)
		}
	}
}
