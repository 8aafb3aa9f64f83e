package httpapi_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"example.com/parley/internal/bucket"
)

// The bytes of the files of tests, and their SHA-256.
const (
	fileText = "hello"
	fileSum  = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
)

// announcement returns the body of post-upload for a file of fileText with a preview. changes are
// objects whose fields replace its own.
func announcement(id string, changes ...string) string {
	fields := map[string]any{
		"id": id, "name": "plan.png", "type": "image/png", "bytes": len(fileText), "sha256": fileSum, "width": 4, "height": 3, "alt": "A plan",
		"placeholder": "aGFzaA==", "preview": map[string]any{"type": "image/webp", "bytes": len(fileText), "sha256": fileSum},
	}
	for _, text := range changes {
		if err := json.Unmarshal([]byte(text), &fields); err != nil {
			panic(err) // the changes are constant
		}
	}
	body, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(body)
}

// announced is the answer of post-upload.
type announced struct{ Put, Preview *bucket.Link }

// links returns the links of an answer.
func (got answer) links(t testing.TB) (links announced) {
	t.Helper()
	if err := json.Unmarshal([]byte(got.text), &links); err != nil || links.Put == nil {
		t.Fatalf("%v\n%s", err, got.text)
	}
	return links
}

// send sends the bytes of an announced file and its preview.
func (a *api) send(t testing.TB, links announced) {
	t.Helper()
	for _, link := range []*bucket.Link{links.Put, links.Preview} {
		if link == nil {
			continue
		}
		if status := a.bucket.Send(t, *link, []byte(fileText)); status != 200 {
			t.Fatalf("the bucket answers %d", status)
		}
	}
}

// upload uploads a file of a user to a room.
func (a *api) upload(t testing.TB, room, id, user string, changes ...string) {
	t.Helper()
	a.send(t, a.want(t, 201, "POST", "/rooms/"+room+"/uploads", announcement(id, changes...), userHeader, user).links(t))
}

// roundTripper is a function that makes the calls of a bucket's client.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answer returns a transport that passes calls on unless a test answers them.
func (a *api) answer(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if a.answers != nil {
			return a.answers(r)
		}
		return next.RoundTrip(r)
	})
}
