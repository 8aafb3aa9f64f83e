package httpapi_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/bill"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/httpapi"
)

// hang is a connection to the store on which every request hangs.
type hang struct{}

func (hang) Do(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestRequestTimeout_HangingStoreIsRetryable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := dynamo.LocalClient("http://127.0.0.1:1", func(o *dynamodb.Options) { o.HTTPClient = hang{} })
		a := newAPIOn(t, dynamo.New(client, dynamo.Options{Table: "chat", Clock: func() time.Time { return start }}),
			activity.NewStore(dynamo.NewLogTable(client, "log", nil)))
		for _, request := range []string{"GET /rooms/seattle", "PUT /rooms/seattle", "GET /rooms/seattle/messages"} {
			method, path, _ := strings.Cut(request, " ")
			got := a.want(t, 503, method, path, "")
			if got.body["retryable"] != true || got.header.Get("Retry-After") == "" {
				t.Errorf("%s: %v %s", request, got.header, got.text)
			}
		}
	})
}

func TestCheckMedia_BodyMustBeJSONInUTF8(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	for _, tt := range []struct {
		name, header, value string
		status              int
	}{
		{"JSON", "Content-Type", "application/json", 201},
		{"in capitals", "Content-Type", "Application/JSON", 201},
		{"with a charset", "Content-Type", `application/json; Charset="UTF-8"`, 201},
		{"nothing said", "Content-Type", "", 201},
		{"another charset", "Content-Type", "application/json; charset=iso-8859-1", 415},
		{"another type", "Content-Type", "text/plain", 415},
		{"a kind of JSON", "Content-Type", "application/merge-patch+json", 415},
		{"no type at all", "Content-Type", ";", 415},
		{"as identity", "Content-Encoding", "Identity", 201},
		{"compressed", "Content-Encoding", "gzip", 415},
	} {
		got := a.do(t, "POST", "/rooms/seattle/messages", `{"text":"x"}`, tt.header, tt.value)
		if got.status != tt.status {
			t.Errorf("%s: %d, want %d: %s", tt.name, got.status, tt.status, got.text)
		}
		if tt.status == 415 {
			checkProblem(t, tt.name, got)
		}
	}
	a.want(t, 200, "GET", "/rooms/seattle", "", "Content-Type", "text/plain") // there is no body
}

func TestRefuseNulls_NamesTheField(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	for _, tt := range []struct{ request, body, location string }{
		{"POST /rooms/seattle/messages", `{"id":null,"text":"x"}`, "id"},
		{"POST /rooms/seattle/messages", `{"text":null}`, "text"},
		{"PUT /rooms/seattle", `{"name":null}`, "name"},
		{"PUT /rooms/seattle", `{"shards":null}`, "shards"},
	} {
		method, path, _ := strings.Cut(tt.request, " ")
		got := a.want(t, 422, method, path, tt.body)
		if !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+tt.location+" ") {
			t.Errorf("%s %s: %s", tt.request, tt.body, got.text)
		}
	}
}

func TestParseRFC3339_IsStrict(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	for _, tt := range []struct {
		time   string
		status int
	}{
		{"2018-08-29T12:00:00Z", 200},
		{"2018-08-29t12:00:00z", 200},
		{"2018-08-29T12:00:00.5Z", 200},
		{"2018-08-29T12:00:00.123456789+23:59", 200},
		{"2018-08-29T12:00:00-07:30", 200},
		{"0001-01-01T00:00:00.001Z", 200},
		{"0001-01-01T00:00:00Z", 422},      // would count as absent
		{"0001-01-01T00:00:00+01:00", 422}, // before the first year
		{"2018-08-29T1:00:00Z", 422},
		{"2018-08-29T12:00:00,5Z", 422},
		{"2018-08-29T12:00:00.Z", 422},
		{"2018-08-29T12:00:00+24:00", 422},
		{"2018-08-29T12:00:00+01:60", 422},
		{"2018-08-29T12:00:00+0100", 422},
		{"2018-08-29T24:00:00Z", 422},
		{"2018-08-29T12:00:00", 422},
		{"2018-08-29", 422},
		{"2018-08-29T12:00:00ZZ", 422},
		{"2018-08-29 12:00:00Z", 422},
	} {
		for _, field := range []string{"from", "to"} {
			got := a.do(t, "GET", "/rooms/seattle/messages?"+field+"="+url.QueryEscape(tt.time), "")
			if got.status != tt.status || tt.status == 422 && !strings.Contains(fmt.Sprint(got.body["errors"]), "location:"+field+" ") {
				t.Errorf("%s=%s: %d, want %d: %s", field, tt.time, got.status, tt.status, got.text)
			}
		}
	}
}

func TestHintPlus_ExplainsASpace(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	for _, query := range []string{"from=2018-08-29T12:00:00+01:00", "user=amsg+bot"} {
		got := a.want(t, 422, "GET", "/rooms/seattle/messages?"+query, "")
		if detail, _ := got.body["detail"].(string); !strings.Contains(detail, "%2B") {
			t.Errorf("%s: %s", query, got.text)
		}
	}
	if got := a.want(t, 422, "GET", "/rooms/seattle/messages?from=x", ""); strings.Contains(got.text, "%2B") {
		t.Errorf("a hint without a reason: %s", got.text)
	}
}

func TestMarshal_EndsWithANewline(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, path := range []string{"/openapi.json", "/rooms/nowhere"} {
		if got := a.do(t, "GET", path, ""); !strings.HasSuffix(got.raw, "}\n") {
			t.Errorf("%s ends in %q", path, got.raw[max(0, len(got.raw)-9):])
		}
	}
}

func TestEdge_LogsTheRequestID(t *testing.T) {
	t.Parallel()
	logs := &bytes.Buffer{}
	h := httpapi.New(httpapi.Options{
		Operations: httpapi.Reads(), Clock: func() time.Time { return start }, Log: slog.New(slog.NewJSONHandler(logs, nil)),
		Subject:   func(*http.Request) string { return "" },
		RequestID: func(r *http.Request) string { return r.Header.Get("X-Test-ID") },
	})
	r := httptest.NewRequest(http.MethodGet, "/docs", nil)
	r.Header.Set("X-Test-ID", "id-1")
	h.ServeHTTP(httptest.NewRecorder(), r)
	if !strings.Contains(logs.String(), `"request":"id-1"`) {
		t.Errorf("log: %s", logs)
	}
}

// TestNew_QuietLogsASample sends requests with ids as API Gateway makes them, and compares the length
// of their lines with the bill's.
func TestNew_QuietLogsASample(t *testing.T) {
	t.Parallel()
	const requests, within = 16_000, 0.1
	logs, id := &bytes.Buffer{}, ""
	h := httpapi.New(httpapi.Options{
		Operations: httpapi.Reads(), Quiet: true, Log: slog.New(slog.NewJSONHandler(logs, nil)),
		Clock:     func() time.Time { return start },
		Subject:   func(*http.Request) string { return "" },
		RequestID: func(*http.Request) string { return id },
	})
	for n := range requests {
		id = fmt.Sprintf("JKJaX%06xHcESHA=", n*7919)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/problems/conflict", nil))
	}
	lines := float64(strings.Count(logs.String(), `"route":"GET /problems/{type}","status":200,"ms":0,"sample":16}`))
	if want := requests / float64(config.SampleOf); math.Abs(lines-want) > within*want {
		t.Errorf("%v of %d requests are logged, want about %v", lines, requests, want)
	}
	const cloudWatchAdds = 26
	if length := float64(logs.Len())/lines + cloudWatchAdds; math.Abs(length-bill.RequestLineBytes) > within*bill.RequestLineBytes {
		t.Errorf("a line has %v bytes, and %v in the bill", length, bill.RequestLineBytes)
	}
}

// TestNew_QuietLogsFailedAndSlowRequests sends requests to handlers whose clock advances with
// every reading. A handler without services fails.
func TestNew_QuietLogsFailedAndSlowRequests(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, path string
		quiet      bool
		took       time.Duration
		lines      int
	}{
		{"a fast document", "/docs", true, time.Millisecond, 0},
		{"a fast unknown path", "/nowhere", true, time.Millisecond, 0},
		{"a slow document", "/docs", true, config.SlowRequest, 1},
		{"a failure", "/rooms", true, time.Millisecond, 1},
		{"a document on a laptop", "/docs", false, time.Millisecond, 1},
	} {
		logs, now := &bytes.Buffer{}, start
		h := httpapi.New(httpapi.Options{
			Operations: httpapi.Reads(), Quiet: tt.quiet, Log: slog.New(slog.NewJSONHandler(logs, nil)),
			Clock:   func() time.Time { now = now.Add(tt.took); return now },
			Subject: func(*http.Request) string { return "ann" },
		})
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, tt.path, nil))
		if n := strings.Count(logs.String(), `"msg":"request"`); n != tt.lines {
			t.Errorf("%s: %d lines, want %d:\n%s", tt.name, n, tt.lines, logs)
		}
	}
}
