package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
)

// filesAPI is an API with a room that has a message with a file.
type filesAPI struct {
	*api
	now     time.Time
	room    string // its path
	message string
}

func newFilesAPI(t *testing.T, private bool) *filesAPI {
	t.Helper()
	f := &filesAPI{now: start, room: "/rooms/seattle"}
	f.api = newAPI(t, func(o *app.Options) { o.Clock = func() time.Time { return f.now } })
	if private {
		f.room = "/rooms/" + f.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`, userHeader, "owner").body["id"].(string)
	} else {
		f.want(t, 201, "PUT", f.room, "", userHeader, "owner")
	}
	for _, user := range []string{"bob", "eve"} {
		f.want(t, 201, "PUT", f.room+"/members/"+user, `{"role":"member"}`, userHeader, "owner")
	}
	f.upload(t, strings.TrimPrefix(f.room, "/rooms/"), fileID, "bob")
	f.message = f.post(t, f.room)
	return f
}

// post posts a message of bob with the file, and returns its id.
func (f *filesAPI) post(t *testing.T, room string) string {
	t.Helper()
	return f.want(t, 201, "POST", room+"/messages", `{"text":"","attachments":["`+fileID+`"]}`, userHeader, "bob").body["id"].(string)
}

// fileLink is a link of post-links.
type fileLink struct {
	Message, ID, URL, Preview string
	ExpiresAt                 time.Time
}

// links asks for the links of messages.
func (f *filesAPI) links(t *testing.T, caller string, messages ...string) (links []fileLink, got answer) {
	t.Helper()
	got = f.do(t, "POST", f.room+"/attachments/links", `{"messages":["`+strings.Join(messages, `","`)+`"]}`, userHeader, caller)
	var page struct{ Items []fileLink }
	if err := json.Unmarshal([]byte(got.text), &page); err != nil {
		t.Fatalf("%v: %s", err, got.text)
	}
	return page.Items, got
}

// TestPostLinks_AreForWhomTheMessageIs asks for links as each person, before and after the rights
// of the person change. The answers are those for the message: 200, or the same problem.
func TestPostLinks_AreForWhomTheMessageIs(t *testing.T) {
	t.Parallel()
	for _, private := range []bool{false, true} {
		f := newFilesAPI(t, private)
		check := func(when, user string, reads bool) {
			t.Helper()
			message := f.do(t, "GET", f.room+"/messages/"+f.message, "", userHeader, user)
			links, got := f.links(t, user, f.message)
			list := f.do(t, "GET", f.room+"/attachments", "", userHeader, user)
			if message.status != got.status || message.status != list.status || (got.status == 200) != reads || (len(links) == 1) != reads {
				t.Errorf("private %t, %s %s: the message is answered %d, links %d %v, the list %d", private, when, user, message.status, got.status, links, list.status)
			}
			if !reads && (message.text != got.text || message.text != list.text) {
				t.Errorf("private %t, %s %s: %s\nlinks %s\nlist %s", private, when, user, message.text, got.text, list.text)
			}
			if reads && !strings.Contains(list.text, fileID) {
				t.Errorf("private %t, %s %s: the list is %s", private, when, user, list.text)
			}
		}
		check("the sender", "bob", true)
		check("a member", "eve", true)
		check("a stranger", "mallory", !private)
		f.want(t, 204, "DELETE", f.room+"/members/eve", "", userHeader, "owner")
		check("a moment after their removal,", "eve", !private)
		f.want(t, 201, "PUT", f.room+"/members/eve", `{"role":"banned"}`, userHeader, "owner")
		check("a moment after their ban,", "eve", false)
	}
}

// TestPostLinks_LeaveOutWhatIsNotThere asks for the links of messages that have none for the room.
func TestPostLinks_LeaveOutWhatIsNotThere(t *testing.T) {
	t.Parallel()
	f := newFilesAPI(t, false)
	plain := f.want(t, 201, "POST", f.room+"/messages", `{"text":"x"}`, userHeader, "bob").body["id"].(string)
	f.want(t, 201, "PUT", "/rooms/tacoma", "", userHeader, "owner")
	f.upload(t, "tacoma", fileID, "bob")
	elsewhere := f.post(t, "/rooms/tacoma")
	links, got := f.links(t, "eve", plain, f.message, elsewhere, freshID+"~bob", f.message)
	if len(links) != 1 || links[0].Message != f.message || links[0].ID != fileID || links[0].Preview == "" {
		t.Errorf("the links are %s", got.text)
	}
	if body := f.bucket.Get(links[0].URL); body.Code != 200 || body.Body.String() != fileText || body.Header().Get("Content-Disposition") != `inline; filename="plan.png"; filename*=UTF-8''plan.png` {
		t.Errorf("the file is answered %d %q %v", body.Code, body.Body, body.Header())
	}
	f.want(t, 200, "DELETE", f.room+"/messages/"+f.message, "", userHeader, "bob", "If-Match", "*")
	if links, got := f.links(t, "bob", f.message); got.status != 200 || len(links) > 0 {
		t.Errorf("the links of a deleted message are %s", got.text)
	}
	for _, path := range []string{"/messages/" + f.message, "/messages", "/attachments", "/changes"} {
		if got := f.want(t, 200, "GET", f.room+path, "", userHeader, "bob"); strings.Contains(got.text, fileID) {
			t.Errorf("%s shows the file of a deleted message: %s", path, got.text)
		}
	}
	if _, got := f.links(t, "bob"); got.status != 422 {
		t.Errorf("no message is answered %d", got.status)
	}
	if _, got := f.links(t, "bob", strings.Split(strings.Repeat(f.message+",", 50)+f.message, ",")...); got.status != 422 {
		t.Errorf("51 messages are answered %d", got.status)
	}
}

// TestPostLinks_LastFiveMinutes asks for links every ten seconds. Each is the same for two minutes,
// works for at least three, and never beyond five.
func TestPostLinks_LastFiveMinutes(t *testing.T) {
	t.Parallel()
	f := newFilesAPI(t, false)
	issued := map[string]time.Time{}
	for range 6 * 6 {
		links, _ := f.links(t, "eve", f.message)
		for _, link := range []string{links[0].URL, links[0].Preview} {
			if _, ok := issued[link]; !ok {
				issued[link] = f.now
			}
		}
		if left := links[0].ExpiresAt.Sub(f.now); left < 3*time.Minute || left > 5*time.Minute {
			t.Errorf("a link expires in %v", left)
		}
		for link, since := range issued {
			age := f.now.Sub(since)
			if status := f.bucket.Get(link).Code; status != 200 && age < 3*time.Minute || status != 403 && age >= 5*time.Minute {
				t.Errorf("after %v a link is answered %d", age, status)
			}
		}
		f.now = f.now.Add(10 * time.Second)
	}
	if len(issued) != 2*3 {
		t.Errorf("%d links in 6 minutes, want one each two minutes for the file and the preview", len(issued))
	}
	links, _ := f.links(t, "eve", f.message)
	other, err := url.Parse(links[0].Preview)
	if err != nil {
		t.Fatal(err)
	}
	other.Path = strings.TrimSuffix(other.Path, "/preview")
	if status := f.bucket.Get(other.String()).Code; status != 403 {
		t.Errorf("a link for another file is answered %d", status)
	}
}

// TestPostMessage_TrustsNoBucket posts a message while the bucket answers wrongly. The message is
// refused, or may be posted again; it is stored only with the bytes that were announced.
func TestPostMessage_TrustsNoBucket(t *testing.T) {
	t.Parallel()
	head := func(code int, headers ...string) roundTripper {
		return func(r *http.Request) (*http.Response, error) {
			h := http.Header{}
			for i := 0; i < len(headers); i += 2 {
				h.Set(headers[i], headers[i+1])
			}
			return &http.Response{StatusCode: code, Header: h, ContentLength: int64(len(fileText)), Body: http.NoBody, Request: r}, nil
		}
	}
	const sum = "X-Amz-Checksum-Sha256"
	for name, tt := range map[string]struct {
		answer roundTripper
		status int
	}{
		"no such file":        {head(404), 422},
		"forbidden":           {head(403), 503},
		"another checksum":    {head(200, sum, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="), 422},
		"no checksum":         {head(200), 503},
		"half a checksum":     {head(200, sum, "aGVsbG8="), 503},
		"a redirect":          {head(301, "Location", "http://127.0.0.1:1/"), 503},
		"a server error":      {head(500), 503},
		"slow down":           {head(503), 503},
		"no connection":       {func(*http.Request) (*http.Response, error) { return nil, errors.New("unreachable") }, 503},
		"a lost answer":       {func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded }, 503},
		"the announced bytes": {head(200, sum, fileSum), 201},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			a.want(t, 201, "PUT", "/rooms/seattle", "")
			a.upload(t, "seattle", uploadID(1), "amsg")
			a.answers = tt.answer
			got := a.do(t, "POST", "/rooms/seattle/messages", `{"text":"","attachments":["`+uploadID(1)+`"]}`)
			if got.status != tt.status || tt.status == 503 && !retryable(got) {
				t.Errorf("%d %v %s, want %d", got.status, got.header, got.text, tt.status)
			}
			stored := a.want(t, 200, "GET", "/rooms/seattle/messages", "").body["items"].([]any)
			if (len(stored) == 1) != (tt.status == 201) {
				t.Errorf("after %d the messages are %v", got.status, stored)
			}
			if strings.Contains(got.text, "files.local") || strings.Contains(got.text, "unreachable") {
				t.Errorf("the answer shows the bucket's: %s", got.text)
			}
		})
	}
}

// TestEdge_LogsHoldNoFile uploads, posts and reads a file, also with failures of the bucket. No log
// has a link, a name or a description.
func TestEdge_LogsHoldNoFile(t *testing.T) {
	t.Parallel()
	f := newFilesAPI(t, false)
	secret := []string{`{"name":"geheimnis.png","alt":"geheimnis"}`, `{"name":"geheimnis/.png"}`}
	f.upload(t, "seattle", uploadID(1), "bob", secret[0])
	f.want(t, 422, "POST", f.room+"/uploads", announcement(uploadID(2), secret[1]))
	f.want(t, 409, "POST", f.room+"/uploads", announcement(uploadID(1)), userHeader, "bob")
	post := `{"text":"","attachments":["` + uploadID(1) + `"]}`
	f.answers = func(r *http.Request) (*http.Response, error) { return nil, errors.New("unreachable") }
	f.want(t, 503, "POST", f.room+"/messages", post, userHeader, "bob")
	f.answers = nil
	f.want(t, 201, "POST", f.room+"/messages", post, userHeader, "bob")
	links, _ := f.links(t, "eve", f.message)
	f.want(t, 200, "GET", f.room+"/attachments", "", userHeader, "eve")
	logs := f.logs.String()
	for _, text := range []string{"geheimnis", "Amz", "Signature", links[0].URL} {
		if strings.Contains(logs, text) {
			t.Errorf("the logs have %q:\n%s", text, logs)
		}
	}
	if !strings.Contains(logs, "unreachable") {
		t.Errorf("the logs do not say why the bucket failed:\n%s", logs)
	}
}
