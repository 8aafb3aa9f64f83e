package bucket_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/parley/internal/bucket"
)

// scripted answers each request with the next of its answers, and keeps the requests.
type scripted struct {
	answers []*http.Response // nil is a broken connection
	asked   []*http.Request
	sent    []string
}

func (s *scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		body = string(b)
	}
	s.asked, s.sent = append(s.asked, r), append(s.sent, body)
	if len(s.asked) > len(s.answers) || s.answers[len(s.asked)-1] == nil {
		return nil, io.ErrUnexpectedEOF
	}
	return s.answers[len(s.asked)-1], nil
}

func objectAnswer(status int, version, body string) *http.Response {
	r := response(status, map[string]string{"ETag": version})
	r.Body = io.NopCloser(strings.NewReader(body))
	return r
}

const index = "_search/seattle/index"

// TestWrite_FollowsItsAnswers lists what S3 may answer to a conditional write, in order.
func TestWrite_FollowsItsAnswers(t *testing.T) {
	t.Parallel()
	const denied = "<Error><Code>AccessDenied</Code></Error>"
	done := func() *http.Response { return objectAnswer(200, `"b"`, "") }
	status := func(status int) *http.Response { return objectAnswer(status, "", denied) }
	stored := func(body string) *http.Response { return objectAnswer(200, `"b"`, body) }
	for name, tt := range map[string]struct {
		answers []*http.Response
		calls   int
		changed bool
		fails   bool
	}{
		"written":                                 {[]*http.Response{done()}, 1, false, false},
		"written after failures":                  {[]*http.Response{status(503), nil, done()}, 3, false, false},
		"another version":                         {[]*http.Response{status(412), stored("other")}, 2, true, true},
		"a removed object":                        {[]*http.Response{status(404), status(404)}, 2, true, true},
		"removed since":                           {[]*http.Response{status(412), status(404)}, 2, true, true},
		"a concurrent write":                      {[]*http.Response{status(409), done()}, 2, false, false},
		"a concurrent write that wins":            {[]*http.Response{status(409), status(412), stored("other")}, 3, true, true},
		"concurrent writes":                       {[]*http.Response{status(409), status(409), status(409), stored("other")}, 4, true, true},
		"a lost answer":                           {[]*http.Response{nil, status(412), stored("bytes")}, 3, false, false},
		"an error after the write":                {[]*http.Response{status(500), status(412), stored("bytes")}, 3, false, false},
		"a lost answer, and then another version": {[]*http.Response{nil, status(412), stored("other")}, 3, true, true},
		"an object that cannot be read":           {[]*http.Response{status(412), nil, nil, nil}, 4, false, true},
		"no connection":                           {[]*http.Response{nil, nil, nil}, 3, false, true},
		"no right":                                {[]*http.Response{status(403)}, 1, false, true},
		"an answer without a version":             {[]*http.Response{status(200)}, 1, false, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &scripted{answers: tt.answers}
			got, err := newClient(keys, s).Write(t.Context(), index, []byte("bytes"), `"a"`)
			if len(s.asked) != tt.calls || errors.Is(err, bucket.ErrChanged) != tt.changed || (err != nil) != tt.fails || err == nil && got != `"b"` {
				t.Errorf("%s: %d calls, %q, %v", name, len(s.asked), got, err)
			}
		})
	}
}

func TestWrite_SendsItsCondition(t *testing.T) {
	t.Parallel()
	for version, want := range map[string][2]string{"": {"", "*"}, `"a"`: {`"a"`, ""}} {
		s := &scripted{answers: []*http.Response{objectAnswer(200, `"b"`, "")}}
		if _, err := newClient(keys, s).Write(t.Context(), index, []byte("bytes"), version); err != nil {
			t.Fatal(err)
		}
		r := s.asked[0]
		if r.Method != http.MethodPut || r.URL.Path != "/"+index || r.ContentLength != 5 || s.sent[0] != "bytes" ||
			r.Header.Get("If-Match") != want[0] || r.Header.Get("If-None-Match") != want[1] {
			t.Errorf("%q: asked with %s %s and %v", version, r.Method, r.URL, r.Header)
		}
		if got := r.Header.Get("X-Amz-Content-Sha256"); got != "277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9" {
			t.Errorf("the body is signed with the hash %s", got)
		}
	}
}

func TestRead_FollowsItsAnswers(t *testing.T) {
	t.Parallel()
	broken := func() *http.Response {
		r := objectAnswer(200, `"a"`, "")
		r.Body = io.NopCloser(io.MultiReader(strings.NewReader("by"), brokenBody{}))
		return r
	}
	whole := func() *http.Response { return objectAnswer(200, `"a"`, "bytes") }
	for name, tt := range map[string]struct {
		answers        []*http.Response
		missing, fails bool
	}{
		"read":                        {[]*http.Response{whole()}, false, false},
		"read after failures":         {[]*http.Response{nil, broken(), whole()}, false, false},
		"broken bodies":               {[]*http.Response{broken(), broken(), broken()}, false, true},
		"none":                        {[]*http.Response{objectAnswer(404, "", "")}, true, true},
		"a wrong signature":           {[]*http.Response{objectAnswer(403, "", "<Error><Code>SignatureDoesNotMatch</Code></Error>")}, false, true},
		"no right":                    {[]*http.Response{objectAnswer(403, "", "<Error><Code>AccessDenied</Code></Error>")}, false, true},
		"an answer without a version": {[]*http.Response{objectAnswer(200, "", "bytes")}, false, true},
		"too many bytes":              {[]*http.Response{objectAnswer(200, `"a"`, strings.Repeat("x", 16<<20+1))}, false, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &scripted{answers: tt.answers}
			body, version, err := newClient(keys, s).Read(t.Context(), index)
			if len(s.asked) != len(tt.answers) || errors.Is(err, bucket.ErrNotFound) != tt.missing || (err != nil) != tt.fails ||
				err == nil && (string(body) != "bytes" || version != `"a"`) {
				t.Errorf("%s: %d calls, %q, %q, %v", name, len(s.asked), body, version, err)
			}
		})
	}
}

type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestRead_AcceptsSlowBodies reads bodies whose parts come slowly, and one that stalls.
func TestRead_AcceptsSlowBodies(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(pause time.Duration) transport {
			return func(r *http.Request) (*http.Response, error) {
				answer := objectAnswer(200, `"a"`, "")
				answer.Body = &slowBody{r: r, left: bytes.Repeat([]byte("x"), 10), pause: pause}
				return answer, nil
			}
		}
		if body, _, err := newClient(keys, slow(2*time.Second)).Read(t.Context(), index); len(body) != 10 || err != nil {
			t.Errorf("a slow body has %d bytes, %v", len(body), err)
		}
		began := time.Now()
		if _, _, err := newClient(keys, slow(time.Hour)).Read(t.Context(), index); err == nil || time.Since(began) > time.Minute {
			t.Errorf("a body that stalls: %v after %s", err, time.Since(began))
		}
	})
}

// slowBody is a body whose bytes come one by one, until its request ends.
type slowBody struct {
	r     *http.Request
	left  []byte
	pause time.Duration
}

func (s *slowBody) Read(b []byte) (int, error) {
	if len(s.left) == 0 {
		return 0, io.EOF
	}
	select {
	case <-s.r.Context().Done():
		return 0, s.r.Context().Err()
	case <-time.After(s.pause):
	}
	b[0], s.left = s.left[0], s.left[1:]
	return 1, nil
}

func (s *slowBody) Close() error { return nil }

// TestList_ReadsAnAnswer has the answer of the documentation of Amazon S3, with a key of ours.
func TestList_ReadsAnAnswer(t *testing.T) {
	t.Parallel()
	const answer = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>bucket</Name><Prefix>_search/</Prefix><KeyCount>1</KeyCount><MaxKeys>1</MaxKeys><IsTruncated>true</IsTruncated>
  <Contents><Key>_search/seattle/index</Key><LastModified>2009-10-12T17:50:30.000Z</LastModified><ETag>"fba9dede5f27731c9771645a39863328"</ETag><Size>434234</Size><StorageClass>STANDARD</StorageClass></Contents>
</ListBucketResult>`
	s := &scripted{answers: []*http.Response{objectAnswer(200, "", answer), objectAnswer(200, "", "no list"), objectAnswer(403, "", "<Code>AccessDenied</Code>")}}
	c := newClient(keys, s)
	got, more, err := c.List(t.Context(), "_search/", "_search/reno/index")
	want := []bucket.Object{{Key: index, Bytes: 434234, Modified: time.Date(2009, 10, 12, 17, 50, 30, 0, time.UTC)}}
	if !slices.Equal(got, want) || !more || err != nil {
		t.Errorf("%v, %t, %v", got, more, err)
	}
	if got, want := s.asked[0].URL.RequestURI(), "/?list-type=2&prefix=_search%2F&start-after=_search%2Freno%2Findex"; got != want {
		t.Errorf("asked for %s, want %s", got, want)
	}
	for _, name := range []string{"an answer of something else", "no right"} {
		if _, _, err := c.List(t.Context(), "_search/", ""); err == nil || errors.Is(err, bucket.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
