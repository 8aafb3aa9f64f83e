package bucket_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	localbucket "example.com/parley/internal/local/bucket"
)

const (
	origin = "http://localhost:3000"
	key    = "seattle/amsg/01890a5d-ac96-774b-bcce-b302099a8058"
)

var start = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// world is a handler behind a server, and a client of it.
type world struct {
	*testing.T
	*bucket.Client
	handler *localbucket.Handler
	url     string
	dir     string
	now     time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, dir: filepath.Join(t.TempDir(), "files"), now: start}
	keys := aws.Credentials{AccessKeyID: "local", SecretAccessKey: "secret"}
	clock := func() time.Time { return w.now }
	w.handler = localbucket.New(localbucket.Config{Dir: w.dir, Region: "us-east-1", Credentials: keys, Clock: clock, Origins: []string{origin}})
	server := httptest.NewServer(w.handler)
	t.Cleanup(server.Close)
	w.url = server.URL
	w.Client = bucket.New(bucket.Config{
		Base: localbucket.Base, Shown: server.URL, Region: "us-east-1", HTTP: w.handler, Clock: clock,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil }),
	})
	return w
}

func fileOf(body string) bucket.File {
	return bucket.File{Type: "image/png", Bytes: int64(len(body)), SHA256: sha256.Sum256([]byte(body))}
}

func (w *world) link(key, body string) bucket.Link {
	w.Helper()
	l, err := w.Put(w.Context(), key, fileOf(body), 15*time.Minute)
	if err != nil {
		w.Fatal(err)
	}
	return l
}

// do makes a request, and returns the answer with its body.
func (w *world) do(method, address string, headers map[string]string, body io.Reader) (*http.Response, string) {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), method, address, body)
	if err != nil {
		w.Fatal(err)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		w.Fatal(err)
	}
	return answer, string(text)
}

func (w *world) send(l bucket.Link, body string) int {
	w.Helper()
	answer, _ := w.do(http.MethodPut, l.URL, l.Headers, strings.NewReader(body))
	return answer.StatusCode
}

func (w *world) get(key, mediaType string) string {
	w.Helper()
	link, err := w.Get(w.Context(), key, w.now, 5*time.Minute, bucket.Shown{Type: mediaType, Disposition: `inline; filename="plan.png"`})
	if err != nil {
		w.Fatal(err)
	}
	return link
}

// names returns the names of everything in the folder.
func (w *world) names() (all []string) {
	w.Helper()
	err := filepath.WalkDir(w.dir, func(path string, _ os.DirEntry, err error) error {
		if err == nil && path != w.dir {
			all = append(all, strings.TrimPrefix(path, w.dir))
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		w.Fatal(err)
	}
	return all
}

// TestHandler_StoresReadsAndDeletes follows a file and its preview.
func TestHandler_StoresReadsAndDeletes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, k := range []string{key, key + "/preview", "seattle/a|b@c:d+e=f/0189"} {
		if _, err := w.Head(t.Context(), k); err == nil {
			t.Errorf("%s exists before it is sent", k)
		}
		if status := w.send(w.link(k, "picture"), "picture"); status != http.StatusOK {
			t.Fatalf("%s is answered with %d", k, status)
		}
		if got, err := w.Head(t.Context(), k); err != nil || got != fileOf("picture") {
			t.Errorf("%s is %+v, %v", k, got, err)
		}
	}
	var keys []string
	for k, err := range localbucket.Keys(w.dir) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k)
	}
	slices.Sort(keys)
	if want := []string{key, key + "/preview", "seattle/a|b@c:d+e=f/0189"}; !slices.Equal(keys, want) {
		t.Errorf("the keys are %q, want %q", keys, want)
	}
	answer, text := w.do(http.MethodGet, w.get(key, "image/webp"), nil, nil)
	for name, want := range map[string]string{
		"Content-Type": "image/webp", "Content-Disposition": `inline; filename="plan.png"`, "Cache-Control": "private, max-age=300",
		"X-Content-Type-Options": "nosniff", "Content-Length": "7",
	} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if text != "picture" || !strings.HasPrefix(answer.Header.Get("Content-Security-Policy"), "sandbox;") {
		t.Errorf("the answer is %q with %v", text, answer.Header)
	}
	for range 2 {
		if err := w.Delete(t.Context(), key); err != nil {
			t.Error(err)
		}
	}
	if answer, _ := w.do(http.MethodGet, w.get(key, ""), nil, nil); answer.StatusCode != http.StatusNotFound {
		t.Errorf("a deleted file is answered with %d", answer.StatusCode)
	}
	if _, err := w.Head(t.Context(), key+"/preview"); err != nil {
		t.Errorf("the preview is gone with the file: %v", err)
	}
}

// TestHandler_SendsRanges is what a video needs.
func TestHandler_SendsRanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.send(w.link(key, "picture"), "picture")
	for given, want := range map[string]string{"bytes=0-2": "pic", "bytes=3-": "ture", "bytes=-1": "e"} {
		answer, text := w.do(http.MethodGet, w.get(key, ""), map[string]string{"Range": given}, nil)
		if answer.StatusCode != http.StatusPartialContent || text != want {
			t.Errorf("%s: %d, %q, want %q", given, answer.StatusCode, text, want)
		}
	}
	if answer, _ := w.do(http.MethodGet, w.get(key, ""), map[string]string{"Range": "bytes=7-"}, nil); answer.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("a range after the end: %d", answer.StatusCode)
	}
}

// TestPut_RefusesOtherBytes sends what the link does not allow. Nothing is left in the folder.
func TestPut_RefusesOtherBytes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	link := w.link(key, "picture")
	other := func(name, value string) bucket.Link {
		l := bucket.Link{URL: link.URL, Headers: maps.Clone(link.Headers)}
		if l.Headers[name] = value; value == "" {
			delete(l.Headers, name)
		}
		return l
	}
	sum := w.link(key, "another").Headers["x-amz-checksum-sha256"]
	for name, tt := range map[string]struct {
		link bucket.Link
		body string
		want int
	}{
		"other bytes":             {link, "another", http.StatusBadRequest},
		"fewer bytes":             {link, "pictur", http.StatusForbidden},
		"more bytes":              {link, "pictures", http.StatusForbidden},
		"no bytes":                {link, "", http.StatusForbidden},
		"another type":            {other("content-type", "text/html"), "picture", http.StatusForbidden},
		"no type":                 {other("content-type", ""), "picture", http.StatusForbidden},
		"another checksum":        {other("x-amz-checksum-sha256", sum), "another", http.StatusForbidden},
		"no checksum":             {other("x-amz-checksum-sha256", ""), "picture", http.StatusForbidden},
		"no condition":            {other("if-none-match", ""), "picture", http.StatusForbidden},
		"another condition":       {other("if-none-match", `"etag"`), "picture", http.StatusForbidden},
		"another key":             {bucket.Link{URL: strings.Replace(link.URL, "amsg", "bob", 1), Headers: link.Headers}, "picture", http.StatusForbidden},
		"another room":            {bucket.Link{URL: strings.Replace(link.URL, "seattle", "tacoma", 1), Headers: link.Headers}, "picture", http.StatusForbidden},
		"a longer life":           {bucket.Link{URL: strings.Replace(link.URL, "X-Amz-Expires=900", "X-Amz-Expires=9000", 1), Headers: link.Headers}, "picture", http.StatusForbidden},
		"another signature":       {bucket.Link{URL: strings.Replace(link.URL, "X-Amz-Signature=", "X-Amz-Signature=0", 1), Headers: link.Headers}, "picture", http.StatusForbidden},
		"a further parameter":     {bucket.Link{URL: link.URL + "&acl", Headers: link.Headers}, "picture", http.StatusForbidden},
		"fewer signed headers":    {bucket.Link{URL: strings.Replace(link.URL, "content-length%3B", "", 1), Headers: link.Headers}, "picture", http.StatusForbidden},
		"a host that is unsigned": {bucket.Link{URL: strings.Replace(link.URL, "host%3B", "", 1), Headers: link.Headers}, "picture", http.StatusForbidden},
	} {
		if tt.link.URL == link.URL && name == "a longer life" {
			t.Fatal("the link has no such life")
		}
		if got := w.send(tt.link, tt.body); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
	if names := w.names(); len(names) != 0 && !slices.Equal(names, []string{"/seattle"}) {
		t.Errorf("the folder has %q", names)
	}
	w.now = start.Add(15 * time.Minute)
	if got := w.send(link, "picture"); got != http.StatusForbidden {
		t.Errorf("an expired link: %d", got)
	}
	w.now = start.Add(15*time.Minute - time.Second)
	for _, want := range []int{http.StatusOK, http.StatusPreconditionFailed} {
		if got := w.send(link, "picture"); got != want {
			t.Errorf("a link in its last second: %d, want %d", got, want)
		}
	}
}

// TestPut_OfABodyThatEnds closes the connection within a body.
func TestPut_OfABodyThatEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.link(key, "picture")
	r := httptest.NewRequest(http.MethodPut, l.URL, io.MultiReader(strings.NewReader("pict"), failing{}))
	r.ContentLength = 7
	for name, value := range l.Headers {
		r.Header.Set(name, value)
	}
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, r)
	if answer.Code != http.StatusBadRequest || !slices.Equal(w.names(), []string{"/seattle"}) {
		t.Errorf("%d, and the folder has %q", answer.Code, w.names())
	}
	if got := w.send(l, "picture"); got != http.StatusOK {
		t.Errorf("the same link again: %d", got)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestPut_ConcurrentlyStoresOne sends two files to one key many times. One is stored, whole, and
// every other sender learns that.
func TestPut_ConcurrentlyStoresOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bodies := []string{strings.Repeat("a", 1<<20), strings.Repeat("b", 1<<20)}
	links := []bucket.Link{w.link(key, bodies[0]), w.link(key, bodies[1])}
	var mu sync.Mutex
	var all sync.WaitGroup
	stored, winner := 0, ""
	for n := range 16 {
		all.Go(func() {
			status := w.send(links[n%2], bodies[n%2])
			mu.Lock()
			defer mu.Unlock()
			switch status {
			case http.StatusOK:
				stored, winner = stored+1, bodies[n%2]
			case http.StatusPreconditionFailed:
			default:
				t.Errorf("the answer is %d", status)
			}
		})
	}
	all.Wait()
	if answer, text := w.do(http.MethodGet, w.get(key, ""), nil, nil); stored != 1 || text != winner {
		t.Errorf("%d were stored; the answer is %d with %d bytes", stored, answer.StatusCode, len(text))
	}
	if names := w.names(); len(names) != 2 {
		t.Errorf("the folder has %q", names)
	}
}

// TestHandler_LinksAreForOneMethod uses a link for everything else, and requests without one.
func TestHandler_LinksAreForOneMethod(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	put := w.link(key, "picture")
	w.send(put, "picture")
	for _, method := range []string{http.MethodHead, http.MethodPut, http.MethodDelete, http.MethodPost, http.MethodPatch, http.MethodOptions} {
		if answer, _ := w.do(method, w.get(key, ""), put.Headers, nil); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s with a link to read: %d", method, answer.StatusCode)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if answer, _ := w.do(method, put.URL, put.Headers, nil); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s with a link to send: %d", method, answer.StatusCode)
		}
		if answer, _ := w.do(method, w.url+"/"+key, nil, nil); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s without a signature: %d", method, answer.StatusCode)
		}
	}
	if _, err := w.Head(t.Context(), key); err != nil {
		t.Errorf("the file is gone: %v", err)
	}
	link := w.get(key, "")
	w.now = start.Add(5 * time.Minute)
	if answer, _ := w.do(http.MethodGet, link, nil, nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a link after 5 minutes: %d", answer.StatusCode)
	}
	w.now = start.Add(-16 * time.Minute)
	if answer, _ := w.do(http.MethodGet, link, nil, nil); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a link from the future: %d", answer.StatusCode)
	}
}

// TestHandler_AllowsSomeOrigins checks what a page of another origin may do.
func TestHandler_AllowsSomeOrigins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for from, want := range map[string]string{origin: origin, "http://evil.example": "", "null": ""} {
		preflight, _ := w.do(http.MethodOptions, w.url+"/"+key, map[string]string{"Origin": from, "Access-Control-Request-Method": "PUT"}, nil)
		if got := preflight.Header.Get("Access-Control-Allow-Origin"); got != want || (preflight.StatusCode == http.StatusNoContent) != (want != "") {
			t.Errorf("%s may send: %d, %q", from, preflight.StatusCode, got)
		}
		answer, _ := w.do(http.MethodGet, w.get(key, ""), map[string]string{"Origin": from}, nil)
		if got := answer.Header.Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s may read: %q", from, got)
		}
	}
}

// TestHandler_ShowsPDFs checks that a viewer of PDF starts, which a sandbox prevents.
func TestHandler_ShowsPDFs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.send(w.link(key, "picture"), "picture")
	for mediaType, want := range map[string]bool{"application/pdf": false, "text/html": true, "image/svg+xml": true} {
		answer, _ := w.do(http.MethodGet, w.get(key, mediaType), nil, nil)
		if got := answer.Header.Get("Content-Security-Policy") != ""; got != want {
			t.Errorf("%s has a policy: %t", mediaType, got)
		}
	}
}

// TestTidy_RemovesIncompleteFiles leaves complete ones.
func TestTidy_RemovesIncompleteFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := localbucket.Tidy(w.dir); err != nil {
		t.Errorf("without a folder: %v", err)
	}
	w.send(w.link(key, "picture"), "picture")
	if err := os.WriteFile(filepath.Join(w.dir, "seattle", ".new-123"), []byte("pict"), 0o600); err != nil {
		t.Fatal(err)
	}
	for k, err := range localbucket.Keys(w.dir) {
		if k != key || err != nil {
			t.Errorf("there is a key %q, %v", k, err)
		}
	}
	if err := localbucket.Tidy(w.dir); err != nil {
		t.Error(err)
	}
	if names := w.names(); len(names) != 2 {
		t.Errorf("the folder has %q", names)
	}
}

// TestGet_OfADamagedFile reads files whose first line is not one.
func TestGet_OfADamagedFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.send(w.link(key, "picture"), "picture")
	path := filepath.Join(w.dir, "seattle", url.QueryEscape(strings.TrimPrefix(key, "seattle/")))
	for _, text := range []string{"{}", "[]\nx", "{\n", strings.Repeat("x", 1<<16), `{"type":1}` + "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if answer, _ := w.do(http.MethodGet, w.get(key, ""), nil, nil); answer.StatusCode != http.StatusInternalServerError {
			t.Errorf("%.10q: %d", text, answer.StatusCode)
		}
	}
}

// TestRemove_RefusesALateFile sends files by links given before their removal: a file that was there,
// one that was not, and one whose transfer has begun. Empty objects refuse the bytes, are no files,
// and are removed after a day.
func TestRemove_RefusesALateFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sent, unsent, sending := w.link(key, "picture"), w.link(key+"/preview", "picture"), w.link("seattle/bob/0189", "picture")
	if status := w.send(sent, "picture"); status != http.StatusOK {
		t.Fatal(status)
	}
	body, rest := io.Pipe()
	done := make(chan int)
	go func() {
		r := httptest.NewRequest(http.MethodPut, sending.URL, body)
		r.ContentLength = int64(len("picture"))
		for name, value := range sending.Headers {
			r.Header.Set(name, value)
		}
		answer := httptest.NewRecorder()
		w.handler.ServeHTTP(answer, r)
		done <- answer.Code
	}()
	if _, err := rest.Write([]byte("pict")); err != nil { // so the handler has begun
		t.Fatal(err)
	}
	until := w.now.Add(15 * time.Minute)
	for _, k := range []string{key, key + "/preview", "seattle/bob/0189"} {
		for range 2 {
			if err := w.Remove(t.Context(), k, until); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := rest.Write([]byte("ure")); err != nil {
		t.Fatal(err)
	}
	_ = rest.Close()
	if status := <-done; status != http.StatusPreconditionFailed {
		t.Errorf("a transfer that ends after the removal is answered with %d", status)
	}
	for name, l := range map[string]bucket.Link{"sent": sent, "unsent": unsent, "sending": sending} {
		if status := w.send(l, "picture"); status != http.StatusPreconditionFailed {
			t.Errorf("%s: a late file is answered with %d", name, status)
		}
	}
	w.wantRemoved(key, key+"/preview", "seattle/bob/0189")
	err := w.Store(t.Context(), key, fileOf("picture"), strings.NewReader("picture"))
	if !errors.Is(err, bucket.ErrRemoved) {
		t.Errorf("a file is stored in the place of a removed one: %v", err)
	}
	for _, tt := range []struct {
		after time.Duration
		left  int
	}{{24*time.Hour - time.Second, 3}, {24 * time.Hour, 0}} {
		if err := localbucket.RemoveEmpty(w.dir, start.Add(tt.after)); err != nil {
			t.Fatal(err)
		}
		if objects, _, err := w.List(t.Context(), "seattle/", ""); err != nil || len(objects) != tt.left {
			t.Errorf("after %v %d empty objects are left, %v; want %d", tt.after, len(objects), err, tt.left)
		}
	}
}

// wantRemoved checks that there are no files with the keys, though empty objects are listed as S3
// lists them.
func (w *world) wantRemoved(keys ...string) {
	w.Helper()
	for _, k := range keys {
		if answer, _ := w.do(http.MethodGet, w.get(k, ""), nil, nil); answer.StatusCode != http.StatusNotFound {
			w.Errorf("a removed file is answered with %d", answer.StatusCode)
		}
		if _, err := w.Head(w.Context(), k); !errors.Is(err, bucket.ErrNotFound) {
			w.Errorf("the head of a removed file: %v", err)
		}
	}
	for k, err := range localbucket.Keys(w.dir) {
		w.Errorf("there is the file %q, %v", k, err)
	}
	objects, _, err := w.List(w.Context(), "seattle/", "")
	if err != nil || len(objects) != len(keys) || objects[0].Bytes != 0 {
		w.Errorf("listed %+v, %v", objects, err)
	}
}

// FuzzHandler_StaysInItsFolder stores and removes files with any keys, signed as the service would
// never do.
func FuzzHandler_StaysInItsFolder(f *testing.F) {
	for _, k := range []string{
		key, "..", "../..", "../../x", "seattle", "seattle/", "seattle/..", "seattle/.", "seattle/../..", "seattle/.new-1", "./x", "/x", "//", "seattle//x", "%2e%2e/x", "seattle/%2e%2e",
		"seattle/a\x00b", "seattle/\\..\\..\\x", "C:/x", "seattle/" + strings.Repeat("é", 100), "seattle/é/日本", "a b/c d", "seattle/x?y#z",
	} {
		f.Add(k)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, k string) {
		root, err := os.MkdirTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		keys := aws.Credentials{AccessKeyID: "local", SecretAccessKey: "secret"}
		h := localbucket.New(localbucket.Config{Dir: filepath.Join(root, "files"), Region: "us-east-1", Credentials: keys, Clock: func() time.Time { return start }})
		c := bucket.New(bucket.Config{Base: localbucket.Base, Region: "us-east-1", HTTP: h, Clock: func() time.Time { return start }, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil })})
		l, err := c.Put(t.Context(), k, fileOf("picture"), time.Minute)
		if err != nil {
			return
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, l.URL, bytes.NewReader([]byte("picture")))
		if err != nil {
			return
		}
		for name, value := range l.Headers {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		_, headErr := c.Head(t.Context(), k)
		if stored := w.Code == http.StatusOK; stored != (headErr == nil) || w.Code == http.StatusForbidden {
			t.Errorf("%q: %d, and then %v", k, w.Code, headErr)
		}
		if entries, err := os.ReadDir(root); err != nil || len(entries) > 1 {
			t.Errorf("%q: there are %v, %v", k, entries, err)
		}
		if err := c.Delete(t.Context(), k); err != nil {
			t.Errorf("%q: %v", k, err)
		}
		for left, err := range localbucket.Keys(filepath.Join(root, "files")) {
			t.Errorf("%q: %q is left, %v", k, left, err)
		}
		if entries, err := os.ReadDir(root); err != nil || len(entries) > 1 {
			t.Errorf("%q: there are %v, %v", k, entries, err)
		}
	})
}
