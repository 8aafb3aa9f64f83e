package bucket_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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

// credentials are the credentials that newWorld accepts.
var credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "secret"}, nil
})

const index = "_search/seattle/index"

// toServer sends requests to a server, signed for another host.
type toServer string

func (to toServer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = strings.TrimPrefix(string(to), "http://")
	return http.DefaultTransport.RoundTrip(r)
}

// write writes an object, and returns its version.
func (w *world) write(key, body, version string) string {
	w.Helper()
	written, err := w.Write(w.Context(), key, []byte(body), version)
	if err != nil {
		w.Fatal(err)
	}
	return written
}

// TestHandler_ComparesVersions follows an object through its versions, for the client of the process
// and through a server.
func TestHandler_ComparesVersions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	served := bucket.New(bucket.Config{Base: localbucket.Base, Region: "us-east-1", Clock: func() time.Time { return start }, HTTP: toServer(w.url), Credentials: credentials})
	for _, c := range []*bucket.Client{w.Client, served} {
		if _, _, err := c.Read(t.Context(), index); !errors.Is(err, bucket.ErrNotFound) {
			t.Errorf("nothing is read: %v", err)
		}
		if _, err := c.Write(t.Context(), index, []byte("1"), `"other"`); !errors.Is(err, bucket.ErrChanged) {
			t.Errorf("a version of nothing is replaced: %v", err)
		}
		first, err := c.Write(t.Context(), index, []byte("first"), "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write(t.Context(), index, []byte("again"), ""); !errors.Is(err, bucket.ErrChanged) {
			t.Errorf("an object is created twice: %v", err)
		}
		second, err := c.Write(t.Context(), index, []byte("second"), first)
		if err != nil || second == first {
			t.Fatal(second, err)
		}
		if _, err := c.Write(t.Context(), index, []byte("third"), first); !errors.Is(err, bucket.ErrChanged) {
			t.Errorf("an old version is replaced: %v", err)
		}
		if body, version, err := c.Read(t.Context(), index); string(body) != "second" || version != second || err != nil {
			t.Errorf("read %q, %s, %v", body, version, err)
		}
		if got, err := c.Write(t.Context(), index, []byte("second"), first); got != second || err != nil {
			t.Errorf("the same bytes again: %s, %v", got, err)
		}
		if empty, err := c.Write(t.Context(), index, nil, second); empty == "" || err != nil {
			t.Errorf("no bytes: %s, %v", empty, err)
		}
		if err := c.Delete(t.Context(), index); err != nil {
			t.Error(err)
		}
	}
	if names := w.names(); !slices.Equal(names, []string{"/_search"}) {
		t.Errorf("the folder has %q", names)
	}
}

// TestWrite_ConcurrentlyLosesNone lets writers of two processes append lines to one object.
func TestWrite_ConcurrentlyLosesNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := localbucket.New(localbucket.Config{Dir: w.dir, Region: "us-east-1", Credentials: aws.Credentials{AccessKeyID: "local", SecretAccessKey: "secret"}, Clock: func() time.Time { return start }})
	clients := []*bucket.Client{w.Client, bucket.New(bucket.Config{Base: localbucket.Base, Region: "us-east-1", HTTP: other, Clock: func() time.Time { return start }, Credentials: credentials})}
	w.write(index, "", "")
	const writers, each = 4, 25
	add := func(c *bucket.Client, line string) error {
		for {
			body, version, err := c.Read(t.Context(), index)
			if err != nil {
				return err
			}
			if _, err := c.Write(t.Context(), index, append(body, line...), version); !errors.Is(err, bucket.ErrChanged) {
				return err
			}
		}
	}
	var all sync.WaitGroup
	for writer := range writers {
		all.Go(func() {
			for n := range each {
				if err := add(clients[writer%2], fmt.Sprintf("%d of %d\n", n, writer)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	body, _, err := w.Read(t.Context(), index)
	lines := strings.Split(strings.TrimSpace(string(body)), "\n")
	slices.Sort(lines)
	if lines = slices.Compact(lines); len(lines) != writers*each || err != nil {
		t.Errorf("%d lines are left, %v, want %d", len(lines), err, writers*each)
	}
}

// TestRead_OfADamagedFile reads files whose first line is not one, and replaces them.
func TestRead_OfADamagedFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(index, "whole", "")
	path := filepath.Join(w.dir, "_search", "seattle%2Findex")
	for _, text := range []string{"", "{}", "[]\nx", strings.Repeat("x", 1<<16)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if objects, _, err := w.List(t.Context(), "_search/", ""); len(objects) != 1 || err != nil {
			t.Errorf("%.10q: listed %v, %v", text, objects, err)
		}
		body, version, err := w.Read(t.Context(), index)
		if string(body) != text || err != nil {
			t.Errorf("%.10q is read as %.10q, %v", text, body, err)
		}
		if _, err := w.Write(t.Context(), index, []byte("other"), `"other"`); !errors.Is(err, bucket.ErrChanged) {
			t.Errorf("%.10q: another version is replaced: %v", text, err)
		}
		w.write(index, "whole "+text, version)
	}
}

// TestList_InPages lists many objects among files of other folders.
func TestList_InPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if objects, more, err := w.List(t.Context(), "_search/", ""); len(objects) != 0 || more || err != nil {
		t.Errorf("nothing is listed as %v, %t, %v", objects, more, err)
	}
	w.send(w.link(key, "picture"), "picture")
	w.write("_search/room-0/a", "", "")
	want := []string{"_search/room-0/a"}
	for n := 1; n < 1010; n++ { // written directly, which is faster
		k := fmt.Sprintf("room-%d/%c", n/10, 'a'+n%10)
		path := filepath.Join(w.dir, "_search", url.QueryEscape(k))
		if err := errors.Join(os.WriteFile(path, []byte("{}\n"+strings.Repeat("x", n%10)), 0o600), os.Chtimes(path, start, start)); err != nil {
			t.Fatal(err)
		}
		want = append(want, "_search/"+k)
	}
	slices.Sort(want)
	var got []string
	for more, after := true, ""; more; after = got[len(got)-1] {
		objects, next, err := w.List(t.Context(), "_search/", after)
		if err != nil || len(objects) == 0 {
			t.Fatal(objects, err)
		}
		more = next
		for _, o := range objects {
			got = append(got, o.Key)
			if o.Bytes != int64(o.Key[len(o.Key)-1]-'a') || !o.Modified.Equal(start) {
				t.Fatalf("listed %+v", o)
			}
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %d objects, want %d in order", len(got), len(want))
	}
	if objects, more, err := w.List(t.Context(), "_search/room-7/", ""); len(objects) != 10 || more || err != nil {
		t.Errorf("a room has %v, %t, %v", objects, more, err)
	}
	if _, _, err := w.List(t.Context(), "", ""); err == nil {
		t.Error("all files are listed")
	}
}
