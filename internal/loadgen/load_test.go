package loadgen_test

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"example.com/parley/client"
	"example.com/parley/internal/loadgen"
)

// TestRun_CountsTheWaitOfAllRequests stops a server at the first page. The requests that are due
// meanwhile wait, too, though only one of them is with the server.
func TestRun_CountsTheWaitOfAllRequests(t *testing.T) {
	t.Parallel()
	const stop = 300 * time.Millisecond
	var pages atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if pages.Add(1) == 1 {
			time.Sleep(stop)
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"items": []any{}})
	}))
	defer server.Close()
	api, err := client.New(server.URL, client.Fixed("token"), nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := loadgen.Run(t.Context(), loadgen.Config{
		People: []*client.Client{api}, Room: "seattle", Pages: 100, Time: stop, InFlight: 1, Clock: time.Now, Random: rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := result.Pages.Count(); n != 30 || result.Pages.Failed > 0 {
		t.Errorf("%d pages were read, and %d failed", n, result.Pages.Failed)
	}
	// Half of the requests were due in the first half of the stop.
	if median := result.Pages.Percentile(0.5); median < stop/2-10*time.Millisecond {
		t.Errorf("half of the requests took %v at most, though the server stopped for %v", median, stop)
	}
	if longest := result.Pages.Percentile(1); longest < stop {
		t.Errorf("the longest request took %v", longest)
	}
}
