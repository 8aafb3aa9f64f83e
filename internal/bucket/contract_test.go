package bucket_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/dynamo"
	localbucket "example.com/parley/internal/local/bucket"
)

const contractRegion = "us-east-1"

var contractKeys = aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE", SecretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}

func TestContract_LocalHandlerKeepsIt(t *testing.T) {
	t.Parallel()
	contract(t, localbucket.Base, localbucket.New(localbucket.Config{Dir: t.TempDir(), Region: contractRegion, Credentials: contractKeys, Clock: time.Now}))
}

// contract checks what the client needs of the storage at an address: links that bind the bytes,
// their type and a time, objects that are written once or in the place of a version, and lists.
func contract(t *testing.T, base string, transport http.RoundTripper) {
	t.Helper()
	var late time.Duration
	c := bucket.New(bucket.Config{
		Base: base, Region: contractRegion, HTTP: transport, Credentials: dynamo.StaticCredentials(contractKeys.AccessKeyID, contractKeys.SecretAccessKey, ""),
		Clock: func() time.Time { return time.Now().Add(-late) },
	})
	people := &http.Client{Transport: transport}
	const content = "picture"
	file := bucket.File{Type: "image/png", Bytes: int64(len(content)), SHA256: sha256.Sum256([]byte(content))}
	for _, tt := range []struct {
		name, key, body, without string
		late                     time.Duration
		want                     int
	}{
		{name: "other bytes", key: "room/ann/1", body: "pictur3", want: http.StatusBadRequest},
		{name: "the bytes", key: "room/ann/2", body: content, want: http.StatusOK},
		{name: "a second time", key: "room/ann/2", body: content, want: http.StatusPreconditionFailed},
		{name: "without the checksum", key: "room/ann/3", body: content, without: "X-Amz-Checksum-Sha256", want: http.StatusForbidden},
		{name: "without the type", key: "room/ann/3", body: content, without: "Content-Type", want: http.StatusForbidden},
		{name: "too late", key: "room/ann/3", body: content, late: time.Hour, want: http.StatusForbidden},
	} {
		late = tt.late
		link, err := c.Put(t.Context(), tt.key, file, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		late = 0
		if got := sendTo(t, people, link, tt.body, tt.without); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	if got, err := c.Head(t.Context(), "room/ann/2"); err != nil || got != file {
		t.Errorf("the file is %+v, %v, want %+v", got, err, file)
	}
	if _, err := c.Head(t.Context(), "room/ann/3"); !errors.Is(err, bucket.ErrNotFound) {
		t.Errorf("a file that nobody sent: %v", err)
	}
	contractRead(t, people, c, content)
	contractVersions(t, c)
}

// contractRead reads a file by a link.
func contractRead(t *testing.T, people *http.Client, c *bucket.Client, content string) {
	t.Helper()
	link, err := c.Get(t.Context(), "room/ann/2", time.Now(), time.Minute, bucket.Shown{Type: "image/png", Disposition: `inline; filename="a b.png"`, Version: "v"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := people.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if h := res.Header; err != nil || string(text) != content || h.Get("Content-Type") != "image/png" || h.Get("Content-Disposition") != `inline; filename="a b.png"` || !strings.HasPrefix(h.Get("Cache-Control"), "private, max-age=") {
		t.Errorf("by a link: %d %q %v, %v", res.StatusCode, text, res.Header, err)
	}
}

// contractVersions writes an object in the place of its versions, and lists it.
func contractVersions(t *testing.T, c *bucket.Client) {
	t.Helper()
	const key, missing = "_search/r/index", "_search/r/none"
	first, err := c.Write(t.Context(), key, []byte("one"), "")
	if err != nil {
		t.Fatal(err)
	}
	second, err := c.Write(t.Context(), key, []byte("two"), first)
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]struct{ key, version string }{
		"a new object in the place of one":    {key, ""},
		"in the place of a former version":    {key, first},
		"in the place of a version of nobody": {missing, second},
	} {
		if _, err := c.Write(t.Context(), write.key, []byte("three"), write.version); !errors.Is(err, bucket.ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if body, version, err := c.Read(t.Context(), key); err != nil || string(body) != "two" || version != second {
		t.Errorf("the object is %q, version %q, %v", body, version, err)
	}
	for after, want := range map[string]int{"": 1, key: 0} {
		if objects, more, err := c.List(t.Context(), "_search/", after); err != nil || more || len(objects) != want {
			t.Errorf("the list after %q: %v, more %v, %v", after, objects, more, err)
		}
	}
	for range 2 {
		if err := c.Delete(t.Context(), key); err != nil {
			t.Errorf("delete: %v", err)
		}
	}
	if _, _, err := c.Read(t.Context(), key); !errors.Is(err, bucket.ErrNotFound) {
		t.Errorf("a deleted object: %v", err)
	}
}

// sendTo sends bytes by a link without one of its headers, and returns the status.
func sendTo(t *testing.T, people *http.Client, link bucket.Link, body, without string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, link.URL, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range link.Headers {
		r.Header.Set(name, value)
	}
	r.Header.Del(without)
	res, err := people.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close() // its status is enough
	return res.StatusCode
}
