package bucket_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/config"
)

// transport answers requests with a function.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func response(status int, headers map[string]string) *http.Response {
	r := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("why"))}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	return r
}

// keys are the credentials of the examples in the documentation of Amazon S3.
var keys = aws.Credentials{AccessKeyID: "AKIAIOSFODNN7EXAMPLE", SecretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}

var start = time.Date(2013, 5, 24, 0, 0, 0, 0, time.UTC)

func newClient(c aws.Credentials, http http.RoundTripper) *bucket.Client {
	return bucket.New(bucket.Config{
		Base: "https://examplebucket.s3.amazonaws.com", Region: "us-east-1", HTTP: http, Clock: func() time.Time { return start },
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return c, nil }),
	})
}

// TestSign_IsTheExampleOfAWS compares a link with the one in "Authenticating Requests: Using Query
// Parameters" of the documentation of Amazon S3.
func TestSign_IsTheExampleOfAWS(t *testing.T) {
	t.Parallel()
	got, err := bucket.Sign(newClient(keys, nil), t.Context(), "test.txt", 24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(got)
	if err != nil {
		t.Fatal(err)
	}
	const want = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
	if u.Query().Get("X-Amz-Signature") != want || u.Query().Get("X-Amz-Credential") != "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request" {
		t.Errorf("the link is %s, want the signature %s", got, want)
	}
}

func TestPut_SignsWhatTheFileIs(t *testing.T) {
	t.Parallel()
	temporary := keys
	temporary.SessionToken = "token/+="
	f := bucket.File{Type: "image/png", Bytes: 7, SHA256: sha256.Sum256([]byte("picture"))}
	l, err := newClient(temporary, nil).Put(t.Context(), "seattle/a|b@c:d+e=f/0189", f, 15*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(l.URL)
	if err != nil {
		t.Fatal(err)
	}
	if want := "/seattle/a%7Cb%40c%3Ad%2Be%3Df/0189"; u.EscapedPath() != want {
		t.Errorf("the path is %s, want %s", u.EscapedPath(), want)
	}
	for name, want := range map[string]string{
		"X-Amz-SignedHeaders": "content-length;content-type;host;if-none-match;x-amz-checksum-sha256", "X-Amz-Expires": "900",
		"X-Amz-Security-Token": "token/+=", "X-Amz-Date": "20130524T000000Z",
	} {
		if got := u.Query().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	want := map[string]string{"content-type": "image/png", "x-amz-checksum-sha256": base64.StdEncoding.EncodeToString(f.SHA256[:]), "if-none-match": "*"}
	for name, value := range want {
		if l.Headers[name] != value || len(l.Headers) != len(want) {
			t.Errorf("the headers are %v, want %v", l.Headers, want)
		}
	}
}

// TestGet_IsTheSameForAWhile checks that a link depends only on the given time, and that it is
// relative where the server is the page's.
func TestGet_IsTheSameForAWhile(t *testing.T) {
	t.Parallel()
	c := bucket.New(bucket.Config{
		Base: "http://files.local", Shown: "/files", Region: "us-east-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil }),
	})
	get := func(contentType string) string {
		link, err := c.Get(t.Context(), "seattle/amsg/0189", start, 5*time.Minute, bucket.Shown{Type: contentType, Disposition: `inline; filename="a b.png"`})
		if err != nil {
			t.Fatal(err)
		}
		return link
	}
	link := get("image/png")
	u, err := url.Parse(link)
	if err != nil || link != get("image/png") || !strings.HasPrefix(link, "/files/seattle/amsg/0189?") || strings.Contains(link, "+") {
		t.Errorf("the link is %s, %v", link, err)
	}
	for name, want := range map[string]string{
		"response-content-type": "image/png", "response-content-disposition": `inline; filename="a b.png"`, "response-cache-control": "private, max-age=300", "X-Amz-Expires": "300",
	} {
		if got := u.Query().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if u, _ := url.Parse(get("")); u.Query().Has("response-content-type") {
		t.Error("a link without a media type has one")
	}
}

func TestHead_ReturnsTheFile(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("picture"))
	var asked *http.Request
	c := newClient(keys, transport(func(r *http.Request) (*http.Response, error) {
		asked = r
		answer := response(http.StatusOK, map[string]string{"Content-Type": "image/png", bucket.ChecksumHeader: base64.StdEncoding.EncodeToString(sum[:])})
		answer.ContentLength = 7
		return answer, nil
	}))
	got, err := c.Head(t.Context(), "seattle/amsg/0189")
	if want := (bucket.File{Type: "image/png", Bytes: 7, SHA256: sum}); got != want || err != nil {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if asked.Method != http.MethodHead || asked.Header.Get("X-Amz-Checksum-Mode") != "ENABLED" || !strings.HasPrefix(asked.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=AKIA") {
		t.Errorf("asked with %s and %v", asked.Method, asked.Header)
	}
	bare := response(http.StatusOK, nil)
	bare.ContentLength = 7
	c = newClient(keys, transport(func(*http.Request) (*http.Response, error) { return bare, nil }))
	if _, err := c.Head(t.Context(), "seattle/amsg/0189"); err == nil || errors.Is(err, bucket.ErrNotFound) {
		t.Errorf("without a checksum: %v", err)
	}
	empty := response(http.StatusOK, map[string]string{bucket.ChecksumHeader: base64.StdEncoding.EncodeToString(sum[:])})
	empty.ContentLength = 0
	c = newClient(keys, transport(func(*http.Request) (*http.Response, error) { return empty, nil }))
	if _, err := c.Head(t.Context(), "seattle/amsg/0189"); !errors.Is(err, bucket.ErrNotFound) {
		t.Errorf("an empty object is a file: %v", err)
	}
	for status, missing := range map[int]bool{http.StatusNotFound: true, http.StatusForbidden: false} {
		c = newClient(keys, transport(func(*http.Request) (*http.Response, error) { return response(status, nil), nil }))
		if _, err := c.Head(t.Context(), "seattle/amsg/0189"); err == nil || errors.Is(err, bucket.ErrNotFound) != missing {
			t.Errorf("status %d: %v, want that there is none: %t", status, err, missing)
		}
	}
}

// TestRemove_LeavesAnEmptyObjectWhileBytesMayCome removes files with links that expired at a time.
func TestRemove_LeavesAnEmptyObjectWhileBytesMayCome(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		until  time.Time
		method string
	}{
		"a link that works":                {start.Add(15 * time.Minute), http.MethodPut},
		"a transfer that may have begun":   {start.Add(-24 * time.Hour), http.MethodPut},
		"a transfer that has ended":        {start.Add(-24*time.Hour - time.Second), http.MethodDelete},
		"a link of which nothing is known": {time.Time{}, http.MethodPut},
	} {
		var asked *http.Request
		c := newClient(keys, transport(func(r *http.Request) (*http.Response, error) { asked = r; return response(http.StatusOK, nil), nil }))
		if err := c.Remove(t.Context(), "seattle/amsg/0189", tt.until); err != nil || asked.Method != tt.method {
			t.Errorf("%s: %s, %v; want %s", name, asked.Method, err, tt.method)
		}
		if asked.Header.Get("If-None-Match") != "" || asked.ContentLength != 0 || asked.Body != nil {
			t.Errorf("%s: sends %d bytes with %v", name, asked.ContentLength, asked.Header)
		}
	}
	c := newClient(keys, transport(func(*http.Request) (*http.Response, error) { return response(http.StatusForbidden, nil), nil }))
	if err := c.Remove(t.Context(), "seattle/amsg/0189", start); err == nil {
		t.Error("a removal that is refused succeeds")
	}
}

// TestClient_RepeatsWhatMayPass checks each answer: what it means, and how often the call is made.
func TestClient_RepeatsWhatMayPass(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		answers []int // 0 is a broken connection; the last one repeats
		calls   int
		fails   bool
	}{
		{[]int{204}, 1, false},
		{[]int{404}, 1, false},
		{[]int{403}, 1, true},
		{[]int{301}, 1, true},
		{[]int{500}, 3, true},
		{[]int{0}, 3, true},
		{[]int{503, 429, 204}, 3, false},
		{[]int{0, 204}, 2, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			c := newClient(keys, transport(func(*http.Request) (*http.Response, error) {
				status := tt.answers[min(calls, len(tt.answers)-1)]
				calls++
				if status == 0 {
					return nil, io.ErrUnexpectedEOF
				}
				return response(status, map[string]string{"Location": "https://elsewhere.example/"}), nil
			}))
			err := c.Delete(t.Context(), "seattle/amsg/0189")
			if errors.Is(err, bucket.ErrNotFound) || (err != nil) != tt.fails || calls != tt.calls {
				t.Errorf("%v: %d calls, %v", tt.answers, calls, err)
			}
		})
	}
}

// TestClient_EndsWithItsContext waits between attempts only as long as somebody waits for the call.
func TestClient_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := newClient(keys, transport(func(*http.Request) (*http.Response, error) { cancel(); return response(500, nil), nil }))
	if err := c.Delete(ctx, "seattle/amsg/0189"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
	refused := bucket.New(bucket.Config{Base: "https://b.example", Region: "us-east-1", Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{}, io.ErrClosedPipe
	})})
	_, err := refused.Put(t.Context(), "k", bucket.File{}, time.Minute)
	for _, err := range []error{err, refused.Delete(t.Context(), "k")} {
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("without credentials: %v", err)
		}
	}
}

func TestFromEnv_NeedsABucket(t *testing.T) {
	t.Parallel()
	env := map[string]string{"AWS_REGION": "eu-west-1"}
	getenv := func(name string) string { return env[name] }
	if c := bucket.FromEnv(getenv, nil); c != nil {
		t.Error("there is a client without a bucket")
	}
	env[config.EnvFilesBucket] = "files"
	for endpoint, want := range map[string]string{"": "https://files.s3.eu-west-1.amazonaws.com/", "http://127.0.0.1:4566/": "http://127.0.0.1:4566/files/"} {
		env[config.EnvStorageEndpoint] = endpoint
		c := bucket.FromEnv(getenv, aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil }))
		if l, err := c.Put(t.Context(), "k", bucket.File{}, time.Minute); err != nil || !strings.HasPrefix(l.URL, want) {
			t.Errorf("at %q the link is %s, %v", endpoint, l.URL, err)
		}
	}
}
