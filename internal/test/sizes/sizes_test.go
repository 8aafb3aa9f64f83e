package sizes_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"

	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/test/nightly"
	"example.com/parley/internal/test/rights"
)

const (
	// maxRequest bounds the bytes of a body: a text of which JSON writes each byte in six.
	maxRequest = 208 << 10
	// maxAnswer bounds the bytes of a page. Lambda takes 6 MB of an answer, in which JSON may write
	// each quote in two.
	maxAnswer = 2 << 20
	// maxLinks bounds the bytes of links to 400 files with previews, the longest names and a session
	// token, which adds 1.5 KB to each of their 800 addresses.
	maxLinks = 3 << 20
	// maxItem bounds the bytes of an answer that is no page.
	maxItem = 256 << 10
	// maxReadMemory and maxWriteMemory bound the bytes that a process allocates for an answer,
	// garbage included. A page reads some messages of each of 64 shards, of which JSON writes each
	// byte in six. Without any collection it takes three quarters of the read function's 512 MB in
	// dev, and a write an eighth of the write function's 256 MB.
	maxReadMemory  = 384 << 20
	maxWriteMemory = 32 << 20
	// maxBulk and maxBulkMemory bound a bulk request and what its thousand entries allocate. Only
	// 16 of them are in memory at a time.
	maxBulk       = 1 << 20
	maxBulkMemory = 1 << 30
)

// TestOperations_AreBoundedInSize sends every operation its largest request. It is not parallel,
// because it measures memory.
func TestOperations_AreBoundedInSize(t *testing.T) {
	if !nightly.Enabled() {
		t.Skip("make nightly runs it, in a minute")
	}
	w := newWorld(t)
	w.refuseLarger()
	ids := w.fill()
	for _, r := range w.rows(ids) {
		if !strings.Contains(r.path, "search?") && !strings.Contains(r.path, "messages?") {
			continue
		}
		method, _, _ := strings.Cut(r.route, " ")
		user := r.user
		if user == "" {
			user = person(owner)
		}
		req := request{method: method, path: r.path, body: r.body, user: user, service: r.service, ifMatch: r.ifMatch}
		got := w.found(req)
		for again := 0; again < 5 && (got.status == http.StatusServiceUnavailable || r.page && got.allocated > maxReadMemory); again++ {
			got = w.found(req) // the engine reads 64 shards slowly on a busy machine, and calls that time out are repeated
		}
		if got.status >= 300 {
			t.Errorf("%s: %d %.300s", r.path, got.status, got.body)
			continue
		}
		t.Logf("%-70s %4d KB %5d KB %7d KB", r.route, len(r.body)>>10, len(got.body)>>10, got.allocated>>10)
		largest, answer, memory := maxRequest, maxItem, uint64(maxWriteMemory)
		if r.bulk {
			largest, memory = maxBulk, maxBulkMemory
		}
		if r.page {
			answer = maxAnswer
		}
		if r.links {
			answer = maxLinks
		}
		if method == "GET" || r.links {
			memory = maxReadMemory
		}
		if len(r.body) > largest || len(got.body) > answer || got.allocated > memory {
			t.Errorf("%s: %d bytes are answered with %d bytes, of at most %d, and take %d bytes of memory, of at most %d",
				r.route, len(r.body), len(got.body), answer, got.allocated, memory)
		}
		if n := strings.Count(string(got.body), `"status":201`); r.bulk && n < 100 { // a slow engine leaves the others for a repetition
			t.Errorf("%s: only %d of 1,000 entries are created: %.300s", r.route, n, got.body)
		}
		if r.items > 0 {
			if n := w.count(r.path); n != r.items {
				t.Errorf("%s: %d items on all pages, want %d", r.route, n, r.items)
			}
		}
	}
}

// maxSearches is the number of pages after which a search has found something.
const maxSearches = 100

// found sends a request, and repeats a search with its cursor until a page has results. It returns
// the last answer, with the most memory that any of them took.
func (w *world) found(r request) (last measured) {
	w.Helper()
	cursor := ""
	for range maxSearches {
		next := r
		next.path += cursor
		got := w.do(next)
		got.allocated = max(got.allocated, last.allocated)
		last = got
		var page struct {
			Items []json.RawMessage
			Next  string
		}
		if !strings.Contains(r.path, "/search?") || json.Unmarshal(got.body, &page) != nil || len(page.Items) > 0 || got.status >= http.StatusBadRequest {
			return last
		}
		cursor = "&cursor=" + page.Next
	}
	w.Errorf("%s: %d pages have no results", r.path, maxSearches)
	return last
}

// TestRows_HaveEveryRoute fails for an operation without a request.
func TestRows_HaveEveryRoute(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	for _, r := range (&world{T: t}).rows(things{}) {
		asked[r.route] = true
		if strings.Contains(r.path, "{") {
			t.Errorf("a parameter of %s has no value: add it to named", r.route)
		}
	}
	for _, r := range httpapi.Routes() {
		if route := r.Method + " " + r.Path; r.Operation != "" && !asked[route] {
			t.Errorf("writes has no request for %s", route)
		}
	}
}

// refuseLarger sends each operation with a body one that is larger than any.
func (w *world) refuseLarger() {
	w.Helper()
	for _, r := range w.writes(things{root: "x", edited: "x", private: "x", invite: "x", token: "x", report: "x"}) {
		if r.body == "" {
			continue
		}
		largest := maxRequest
		if r.bulk {
			largest = maxBulk
		}
		body := `{"x":"` + strings.Repeat("x", largest) + `"}`
		method, _, _ := strings.Cut(r.route, " ")
		if got := w.do(request{method: method, path: r.path, body: body, user: person(owner)}); got.status != http.StatusRequestEntityTooLarge {
			w.Errorf("%s: a body of %d bytes is answered with %d %.200s", r.route, len(body), got.status, got.body)
		}
	}
}

// count returns the number of different items on all pages of a list.
func (w *world) count(path string) int {
	w.Helper()
	seen := map[string]bool{}
	for next := ""; ; {
		got := w.do(request{method: http.MethodGet, path: path + next, user: person(owner)})
		var page map[string]json.RawMessage
		if err := json.Unmarshal(got.body, &page); err != nil || got.status != http.StatusOK {
			w.Fatalf("%s: %d, %v", path+next, got.status, err)
		}
		for _, name := range []string{"items", "threads", "messages"} {
			var items []json.RawMessage
			_ = json.Unmarshal(page[name], &items) // absent in other lists
			for _, item := range items {
				seen[string(item)] = true
			}
		}
		var cursor string
		if page["next"] == nil {
			return len(seen)
		}
		if err := json.Unmarshal(page["next"], &cursor); err != nil {
			w.Fatal(err)
		}
		next = "&cursor=" + cursor
	}
}

// recorder fails the tests if a call is not allowed to the functions.
var recorder = rights.NewRecorder(rights.RepositoryStack("../../.."), rights.Names{"chat": "Table", "log": "LogTable", "live": "LiveTable", "files.local": "FilesBucket"})

func TestMain(m *testing.M) { os.Exit(recorder.Guard(m)) }
