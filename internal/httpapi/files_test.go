package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/app"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/tabletest"
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

// units are the units that the table has consumed.
type units struct {
	sync.Mutex
	read, written float64
}

func (u *units) observe(_ context.Context, usage dynamo.Usage) {
	u.Lock()
	defer u.Unlock()
	if usage.Write {
		u.written += usage.Units
	} else {
		u.read += usage.Units
	}
}

// TestFiles_ConsumeFewUnits compares the units of messages with a file and of messages without.
// Every request also reads the caller's account and the room, for up to 2.5 R.
func TestFiles_ConsumeFewUnits(t *testing.T) {
	t.Parallel()
	var used units
	client := tabletest.Start(t, "chat", recorder.Options)
	tabletest.CreateLog(t, client, "log")
	now := func() time.Time { return start }
	a := newAPIOn(t, dynamo.New(client, dynamo.Options{Table: "chat", Clock: now, Observe: used.observe}),
		activity.NewStore(dynamo.NewLogTable(client, "log", nil)), func(*app.Options) {})
	count := func(status int, method, path, body string) (read, written float64, got answer) {
		t.Helper()
		used.read, used.written = 0, 0
		got = a.want(t, status, method, path, body)
		return used.read, used.written, got
	}
	message := func(n int, more string) string {
		id := chat.NewUUID(start.Add(-time.Minute), [10]byte{1, byte(n)})
		return fmt.Sprintf(`{"id":"%s","text":"%s"%s}`, id, strings.Repeat("x", 200), more)
	}
	for _, room := range []string{"plain", "filed"} {
		a.want(t, 201, "PUT", "/rooms/"+room, "")
		a.want(t, 201, "POST", "/rooms/"+room+"/messages", `{"text":"x"}`)
	}
	const ofEach = 2.5
	var ids []string
	for n := range 50 {
		read, written, announced := count(201, "POST", "/rooms/filed/uploads", announcement(uploadID(byte(n))))
		if written != 4 || read > ofEach {
			t.Errorf("announcing a file consumes %v R and %v W, want %v R and 4 W", read, written, ofEach)
		}
		a.send(t, announced.links(t))
		plainRead, plainWritten, _ := count(201, "POST", "/rooms/plain/messages", message(n, ""))
		read, written, posted := count(201, "POST", "/rooms/filed/messages", message(n, `,"attachments":["`+uploadID(byte(n))+`"]`))
		if read-plainRead > 1 || written-plainWritten > 1 {
			t.Errorf("a file adds %v R and %v W to its message, want 1 R and 1 W", read-plainRead, written-plainWritten)
		}
		ids = append(ids, posted.body["id"].(string))
	}
	plain, _, _ := count(200, "GET", "/rooms/plain/messages?limit=50", "")
	filed, _, page := count(200, "GET", "/rooms/filed/messages?limit=50", "")
	if n := strings.Count(page.text, `"attachments"`); n < 49 || filed-plain > 2 {
		t.Errorf("a page with %d files consumes %v R, %v more than one without, want 2", n, filed, filed-plain)
	}
	links, written, _ := count(200, "POST", "/rooms/filed/attachments/links", `{"messages":["`+strings.Join(ids, `","`)+`"]}`)
	list, _, files := count(200, "GET", "/rooms/filed/attachments?limit=50", "")
	if links > 50*0.5+ofEach || written > 0 || list > 50*0.5+ofEach+2 || len(files.body["items"].([]any)) != 50 {
		t.Errorf("50 links consume %v R and %v W, a list of 50 files %v R", links, written, list)
	}
}
