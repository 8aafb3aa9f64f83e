package doctor_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/apifn"
	"example.com/parley/internal/apigw"
	"example.com/parley/internal/auth"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/doctor"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/gateway"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/live"
	"example.com/parley/internal/local"
	localbucket "example.com/parley/internal/local/bucket"
	"example.com/parley/internal/local/issuer"
	"example.com/parley/internal/local/socket"
	localstream "example.com/parley/internal/local/stream"
	"example.com/parley/internal/socketapi"
	"example.com/parley/internal/socketauth"
	"example.com/parley/internal/socketfn"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/rights"
	"example.com/parley/internal/test/tabletest"
)

const (
	table, logTable, liveTable = "chat", "log", "live"
	// sendRate is that of a deployment by default.
	sendRate = 10
	// bound ends a hang.
	bound = time.Minute
	// filesPath begins the addresses of files.
	filesPath = "/files"
	// pageOrigin is a page that may read files.
	pageOrigin = "https://chat.example.com"
)

// keysOfFiles sign the requests to the bucket.
var keysOfFiles = aws.Credentials{AccessKeyID: "local", SecretAccessKey: "secret"}

// deployment is the functions on a local engine, each with the rights of its role.
type deployment struct {
	t        *testing.T
	endpoint string // of the engine
	recorder *rights.Recorder
	files    *localbucket.Handler
	page     string // a page that reads files
	logs     log
	verifier *auth.Verifier
	server   *httptest.Server
	token    string
	front    http.Handler
	// denied is closed at the first call that IAM would refuse.
	denied chan struct{}
	once   sync.Once
}

// log is the log of all functions.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// deploy starts the functions with the roles of a stack.
func deploy(t *testing.T, stack *rights.Stack) *deployment {
	t.Helper()
	d := &deployment{
		t: t, page: pageOrigin, endpoint: enginetest.Start(t), denied: make(chan struct{}),
		recorder: rights.NewRecorder(stack, rights.Names{table: "Table", logTable: "LogTable", liveTable: "LiveTable", "files.local": "FilesBucket"}),
		files:    localbucket.New(localbucket.Config{Dir: t.TempDir(), Region: region, Credentials: keysOfFiles, Clock: time.Now, Origins: []string{pageOrigin}}),
	}
	client := dynamo.LocalClient(d.endpoint)
	tabletest.Create(t, client, table)
	tabletest.CreateLog(t, client, logTable)
	tabletest.CreateLive(t, client, liveTable)
	keys, err := issuer.Open(issuer.Config{Dir: t.TempDir(), Clock: time.Now, Rand: rand.Reader})
	d.must(err)
	d.verifier, err = keys.Verifier()
	d.must(err)
	d.token, err = keys.Token("ada", time.Hour)
	d.must(err)
	d.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { d.front.ServeHTTP(w, r) }))
	t.Cleanup(d.server.Close)
	d.server.URL = "http://" + d.server.Listener.Addr().String()
	api, sockets := d.api(), d.sockets()
	d.server.Listener = sockets.Prepare(d.server.Config, d.server.Listener)
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.Handle(filesPath+"/", http.StripPrefix(filesPath, d.files))
	mux.Handle("/ws", sockets)
	mux.Handle("/@connections/", socket.NewManagement(sockets, d.signer()))
	d.front = mux
	d.server.URL = ""
	d.server.Start()
	d.feed(client)
	return d
}

func (d *deployment) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// db returns a function's client.
func (d *deployment) db(function string) *dynamodb.Client {
	return dynamo.LocalClient(d.endpoint, d.recorder.Client(function), func(o *dynamodb.Options) {
		next := o.HTTPClient
		o.HTTPClient = sender(func(r *http.Request) (*http.Response, error) {
			res, err := next.Do(r)
			if err != nil || res.StatusCode != http.StatusBadRequest {
				return res, err
			}
			text, err := io.ReadAll(res.Body)
			res.Body = io.NopCloser(bytes.NewReader(text))
			if strings.Contains(string(text), "AccessDenied") {
				d.once.Do(func() { close(d.denied) })
			}
			return res, err
		})
	})
}

// bucket returns a function's client of the bucket.
func (d *deployment) bucket(function string) *bucket.Client {
	next := d.recorder.FilesOf(function)(d.files)
	return bucket.New(bucket.Config{
		Base: localbucket.Base, Shown: filesPath, Region: region, Credentials: dynamo.StaticCredentials(keysOfFiles.AccessKeyID, keysOfFiles.SecretAccessKey, ""),
		HTTP: transport(func(r *http.Request) (*http.Response, error) {
			res, err := next.RoundTrip(r)
			if err == nil && res.StatusCode == http.StatusBadRequest { // as the recorder refuses
				d.once.Do(func() { close(d.denied) })
			}
			return res, err
		}),
	})
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type sender func(*http.Request) (*http.Response, error)

func (s sender) Do(r *http.Request) (*http.Response, error) { return s(r) }

func (d *deployment) logger(function string) *slog.Logger {
	return slog.New(slog.NewJSONHandler(&d.logs, nil)).With("function", function)
}

// api returns the HTTP API.
func (d *deployment) api() http.Handler {
	var routes []local.Route
	functions := map[httpapi.Function]local.Invoke{}
	for _, o := range httpapi.All() {
		name := strings.ToLower(string(o.Function()))
		functions[o.Function()] = gateway.Handler(apifn.Config{
			DB: d.db(name), Table: table, LogTable: logTable, LiveTable: liveTable, Bucket: d.bucket(name), Log: d.logger(name), SendRate: sendRate,
		}.HTTP(o))
	}
	for _, r := range httpapi.Routes() {
		routes = append(routes, local.Route{Method: r.Method, Path: r.Path, Public: r.Public, Invoke: functions[r.Function]})
	}
	api, err := local.New(local.Config{Routes: routes, Verifier: d.verifier, Log: d.logger("api"), Clock: time.Now, Rand: rand.Reader})
	d.must(err)
	return api
}

func (d *deployment) signer() socket.Signer {
	o := dynamo.LocalClient(d.endpoint).Options()
	credentials, err := o.Credentials.Retrieve(d.t.Context())
	d.must(err)
	return socket.Signer{Credentials: credentials, Region: o.Region, Clock: time.Now}
}

func (d *deployment) poster() *apigw.Client {
	o := dynamo.LocalClient(d.endpoint).Options()
	p, err := apigw.New(apigw.Config{Endpoint: d.server.URL, Region: o.Region, Credentials: o.Credentials, Timeout: bound})
	d.must(err)
	d.t.Cleanup(p.CloseIdle)
	return p
}

// sockets returns the WebSocket API.
func (d *deployment) sockets() *socket.Gateway {
	parts := socketfn.Config{DB: d.db("socket"), Table: table, LiveTable: liveTable, Poster: d.poster(), Log: d.logger("socket"), SendRate: sendRate, AnnounceTime: bound}
	handle := parts.Handler().Handle
	var routes []socket.Route
	for _, r := range socketapi.Routes() {
		routes = append(routes, socket.Route{Key: r.Key, TwoWay: r.Answers, Invoke: handle})
	}
	g, err := socket.New(socket.Config{
		Routes: routes, Authorize: socketauth.New(socketauth.Options{Verifier: d.verifier, Clock: time.Now, Log: d.logger("authorizer")}).Handle,
		Identity: "Sec-WebSocket-Protocol", Selector: "type", Stage: "ws", Log: d.logger("gateway"), Clock: time.Now, Rand: rand.Reader,
	})
	d.must(err)
	d.t.Cleanup(func() { _ = g.Shutdown(context.Background()) })
	return g
}

// failures keeps nothing.
type failures struct{}

func (failures) Keep(context.Context, stream.Failure) error { return nil }

// feed delivers the table's stream to the feed function until the test ends.
func (d *deployment) feed(client *dynamodb.Client) {
	d.t.Helper()
	arn, err := dynamo.EnableStream(d.t.Context(), client, table)
	d.must(err)
	streams, end := localstream.NewClient(d.endpoint)
	poster := d.poster()
	poller, err := localstream.Open(d.t.Context(), localstream.Config{
		Streams: streams, ARN: arn, Filter: localstream.TableFilter(), File: filepath.Join(d.t.TempDir(), "position"), Log: d.logger("stream"),
		Function: feedfn.Config{
			DB: d.db("feed"), Table: table, LiveTable: liveTable, Bucket: d.bucket("feed"), Failures: failures{}, Log: d.logger("feed"), Poster: poster, Pacing: poster.Pacing,
			DeliveryTimes: live.Times{Read: bound, Post: bound},
		}.Function(),
	})
	d.must(err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		poller.Run(ctx)
	}()
	d.t.Cleanup(func() {
		cancel()
		<-done
		end()
	})
}

// exercise runs the steps.
func (d *deployment) exercise(ctx context.Context, transport http.RoundTripper) []doctor.Step {
	d.t.Helper()
	steps, err := doctor.Exercise(ctx, doctor.ExerciseOptions{
		URL: d.server.URL, Socket: "ws" + strings.TrimPrefix(d.server.URL, "http") + "/ws", Token: d.token, Transport: transport,
		SendRate: sendRate, FileType: "text/plain", Origin: d.page, Pictures: true, Clock: time.Now, Random: rand.Reader, Patience: bound,
	})
	d.must(err)
	return steps
}
