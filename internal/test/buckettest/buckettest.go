// Package buckettest provides a bucket for tests: the handler of a laptop, over a temporary folder.
package buckettest

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/dynamo"
	localbucket "example.com/parley/internal/local/bucket"
)

const region = "us-east-1"

// Host is the host to which the client sends its calls.
var Host = strings.TrimPrefix(localbucket.Base, "http://")

// Bucket is a bucket with the client that the services use.
type Bucket struct {
	*bucket.Client
	handler http.Handler
	dir     string
}

// New returns an empty bucket, whose signatures have the time of a clock. The calls of its client
// pass through the transports, the last one first. Links do not.
func New(t testing.TB, clock func() time.Time, transports ...func(http.RoundTripper) http.RoundTripper) *Bucket {
	t.Helper()
	return NewOfSession(t, clock, "", transports...)
}

// NewOfSession is New with a session token, which every link then has.
func NewOfSession(t testing.TB, clock func() time.Time, token string, transports ...func(http.RoundTripper) http.RoundTripper) *Bucket {
	t.Helper()
	b := &Bucket{dir: t.TempDir()}
	handler := localbucket.New(localbucket.Config{Dir: b.dir, Region: region, Credentials: keys, Clock: clock})
	b.handler = handler
	var transport http.RoundTripper = handler
	for _, wrap := range transports {
		transport = wrap(transport)
	}
	b.Client = client(clock, transport, token)
	return b
}

// keys sign the calls of all clients.
var keys = aws.Credentials{AccessKeyID: "local", SecretAccessKey: "secret"}

// Client returns a client that makes its calls by a transport, which New passes to its transports.
func Client(clock func() time.Time, transport http.RoundTripper) *bucket.Client {
	return client(clock, transport, "")
}

func client(clock func() time.Time, transport http.RoundTripper, token string) *bucket.Client {
	return bucket.New(bucket.Config{
		Base: localbucket.Base, Region: region, HTTP: transport, Clock: clock,
		Credentials: dynamo.StaticCredentials(keys.AccessKeyID, keys.SecretAccessKey, token),
	})
}

// Send sends bytes by a link, as people do, and returns the status of the answer.
func (b *Bucket) Send(t testing.TB, link bucket.Link, file []byte) int {
	t.Helper()
	return b.SendFrom(link, bytes.NewReader(file), int64(len(file)))
}

// SendFrom is Send with a body and the length that it is said to have.
func (b *Bucket) SendFrom(link bucket.Link, body io.Reader, length int64) int {
	r := httptest.NewRequest(http.MethodPut, link.URL, body)
	r.ContentLength = length
	for name, value := range link.Headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	return w.Code
}

// Get returns the answer to a link by which people read a file.
func (b *Bucket) Get(link string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, link, nil))
	return w
}

// Keys returns the keys of all files, in order, without empty objects.
func (b *Bucket) Keys(t testing.TB) []string {
	t.Helper()
	return b.keys(t, false)
}

// EmptyKeys returns the keys of all empty objects, in order.
func (b *Bucket) EmptyKeys(t testing.TB) []string {
	t.Helper()
	return b.keys(t, true)
}

func (b *Bucket) keys(t testing.TB, empty bool) (keys []string) {
	t.Helper()
	err := filepath.WalkDir(b.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if info, err := entry.Info(); err != nil || (info.Size() == 0) != empty {
			return err
		}
		relative, err := filepath.Rel(b.dir, path)
		if err != nil {
			return err
		}
		key, err := url.QueryUnescape(filepath.ToSlash(relative))
		keys = append(keys, key)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(keys)
	return keys
}

// Empty removes all files whose keys begin with a prefix.
func (b *Bucket) Empty(t testing.TB, prefix string) {
	t.Helper()
	for _, key := range append(b.Keys(t), b.EmptyKeys(t)...) {
		if !strings.HasPrefix(key, prefix) {
			continue
		}
		room, rest, _ := strings.Cut(key, "/")
		if err := os.Remove(filepath.Join(b.dir, room, url.QueryEscape(rest))); err != nil {
			t.Fatal(err)
		}
	}
}
