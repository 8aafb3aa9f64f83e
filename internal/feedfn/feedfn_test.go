package feedfn_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/feedfn"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/test/rights"
)

// TestFromEnv_HonoursTheGeneralEndpoint reaches both services with only AWS_ENDPOINT_URL set, as
// for an emulator of all of AWS.
func TestFromEnv_HonoursTheGeneralEndpoint(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	asked := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.Header.Get("X-Amz-Target")] = true
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(http.StatusBadRequest) // the SDK does not retry it
		_, _ = io.WriteString(w, `{"__type":"ValidationException"}`)
	}))
	t.Cleanup(server.Close)
	set := map[string]string{
		config.EnvTable: "chat", config.EnvFailureQueue: server.URL + "/000000000000/failures",
		"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_ENDPOINT_URL": server.URL,
	}
	cfg, err := feedfn.FromEnv(func(name string) string { return set[name] }, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cfg.Appender().Append(t.Context(), "seattle", "", []feed.StreamChange{{}}); err == nil {
		t.Error("the table was read")
	}
	if err := cfg.Failures.Keep(t.Context(), stream.Failure{}); err == nil {
		t.Error("the failure was stored")
	}
	mu.Lock()
	defer mu.Unlock()
	if !asked["DynamoDB_20120810.GetItem"] || !asked["AmazonSQS.SendMessage"] {
		t.Errorf("asked for %v", asked)
	}
}

// recorder refuses calls that the function's role does not allow.
var recorder = rights.NewRecorder(rights.RepositoryStack("../.."), rights.Names{"chat": "Table", "live": "LiveTable"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
