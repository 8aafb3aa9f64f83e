package httpapi_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// unzipped returns the text of a response, which must be compressed if zipped is set.
func unzipped(t *testing.T, got answer, zipped bool) string {
	t.Helper()
	coding := got.header.Get("Content-Encoding")
	if !zipped {
		if coding != "" {
			t.Errorf("an answer of %d bytes has the coding %q", len(got.raw), coding)
		}
		return got.raw
	}
	if coding != "gzip" || got.header.Get("Content-Length") != "" {
		t.Fatalf("the answer has the header %v", got.header)
	}
	r, err := gzip.NewReader(strings.NewReader(got.raw))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// doGzip is do for a client that accepts gzip. A refusal is not compressed and has a body.
func (a *api) doGzip(t testing.TB, method, path, body string, headers ...string) answer {
	t.Helper()
	if got := a.gzipAnswer(path); got.status == http.StatusOK {
		return got
	}
	return a.do(t, method, path, body, headers...)
}

// gzipAnswer sends a request from a client that accepts gzip.
func (a *api) gzipAnswer(path string) answer {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set(userHeader, "amsg")
	r.Header.Set("Accept-Encoding", "gzip, br")
	w := httptest.NewRecorder()
	a.handler.ServeHTTP(w, r)
	return answer{status: w.Code, header: w.Header(), raw: w.Body.String()}
}

// fillRoom posts enough messages to a room to have its newest page compressed.
func (a *api) fillRoom(t *testing.T, path string) {
	t.Helper()
	for n := range 5 {
		a.want(t, 201, "POST", path+"/messages", fmt.Sprintf(`{"text":"%d %s"}`, n, strings.Repeat("rain ", 60)))
	}
}

func TestListMessages_GzipWhereEveryoneMayRead(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	a.want(t, 201, "PUT", "/rooms/quiet", "")
	private := fmt.Sprint("/rooms/", a.want(t, 201, "POST", "/rooms", `{"name":"plans","visibility":"private"}`).body["id"])
	a.fillRoom(t, "/rooms/seattle")
	a.fillRoom(t, private)
	for _, tt := range []struct {
		name, path   string
		zipped, vary bool
	}{
		{"a page of a public room", "/rooms/seattle/messages", true, true},
		{"a short page", "/rooms/quiet/messages", false, true},
		{"an unknown room", "/rooms/nowhere/messages", false, true},
		{"a page of a private room", private + "/messages", false, false},
		{"the caller's own rooms", "/people/me/rooms", false, false},
		{"an unknown path", "/nowhere", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plain, got := a.do(t, "GET", tt.path, ""), a.gzipAnswer(tt.path)
			if text := unzipped(t, got, tt.zipped); text != plain.raw || got.status != plain.status {
				t.Errorf("%d %s\nwithout gzip %d %s", got.status, text, plain.status, plain.raw)
			}
			for _, h := range []http.Header{plain.header, got.header} {
				if by := h.Values("Vary"); (len(by) == 1 && by[0] == "Accept-Encoding") != tt.vary {
					t.Errorf("the answer varies by %q", by)
				}
			}
		})
	}
}

// TestListMessages_GzipAtOnce reads pages concurrently, whose writers are reused.
func TestListMessages_GzipAtOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	want := map[string]string{} // the newest page of each room
	for n := range 4 {
		path := fmt.Sprintf("/rooms/seattle-%d", n)
		a.want(t, 201, "PUT", path, "")
		a.fillRoom(t, path)
		want[path] = a.want(t, 200, "GET", path+"/messages", "").raw
	}
	var readers sync.WaitGroup
	for path, page := range want {
		readers.Go(func() {
			for range 5 {
				if got := unzipped(t, a.gzipAnswer(path+"/messages"), true); got != page {
					t.Errorf("%s: %s", path, got)
				}
			}
		})
	}
	readers.Wait()
}
