//go:build deploy

package deploytest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/chat"
)

// picture is the content of the file that testFiles uploads.
const picture = "\x89PNG\r\n\x1a\n and some pixels"

// link is a signed request, as the API answers it.
type link struct {
	URL     string
	Headers map[string]string
}

// testFiles uploads a file to the bucket, posts it, reads it as another person, and deletes the
// message. The bytes pass by signed links only.
func testFiles(t *testing.T, d *deployment) {
	ada, bob := d.signUp(t, "ada-of-files"), d.signUp(t, "bob-of-files")
	in := map[string]string{"room": "pictures"}
	ada.must(t, call{route: "PUT /rooms/{room}", path: in, body: `{}`, status: 201})
	id, body := upload(picture)
	put := putOf(t, ada.must(t, call{route: "POST /rooms/{room}/uploads", path: in, body: body, status: 201}))
	if got := d.followLink(t, http.MethodPut, put, "other bytes of this len 1"); got.status < 400 {
		t.Errorf("other bytes: %d %s", got.status, got.body)
	}
	wrongType := link{put.URL, map[string]string{}}
	for name, value := range put.Headers {
		wrongType.Headers[name] = strings.Replace(value, "image/png", "text/html", 1)
	}
	if got := d.followLink(t, http.MethodPut, wrongType, picture); got.status != http.StatusForbidden {
		t.Errorf("another type: %d %s", got.status, got.body)
	}
	if got := d.followLink(t, http.MethodPut, put, picture); got.status != http.StatusOK {
		t.Fatalf("upload: %d %s", got.status, got.body)
	}
	if got := d.followLink(t, http.MethodPut, put, picture); got.status != http.StatusPreconditionFailed {
		t.Errorf("a second upload: %d %s", got.status, got.body)
	}
	message := ada.must(t, call{route: "POST /rooms/{room}/messages", path: in, body: `{"text":"","attachments":["` + id + `"]}`, status: 201, holds: "plan.png"})["id"].(string)
	asked := call{route: "POST /rooms/{room}/attachments/links", path: in, body: `{"messages":["` + message + `"]}`, status: 200, holds: id}
	read := link{URL: bob.must(t, asked)["items"].([]any)[0].(map[string]any)["url"].(string)}
	got := d.followLink(t, http.MethodGet, read, "")
	if got.status != http.StatusOK || got.body != picture || got.header.Get("Content-Type") != "image/png" || !strings.Contains(got.header.Get("Content-Disposition"), "plan.png") {
		t.Errorf("by a link: %d %q %v", got.status, got.body, got.header)
	}
	unsigned, _, _ := strings.Cut(read.URL, "?")
	if got := d.followLink(t, http.MethodGet, link{URL: unsigned}, ""); got.status != http.StatusForbidden {
		t.Errorf("without a signature: %d %q", got.status, got.body)
	}
	if keys := d.fileKeys(t); !slices.Equal(keys, []string{"pictures/" + ada.user + "/" + id}) {
		t.Errorf("the bucket has %q", keys)
	}
	ada.must(t, call{route: "DELETE /rooms/{room}/messages/{id}", path: map[string]string{"room": "pictures", "id": message}, header: map[string]string{"If-Match": "*"}, status: 200})
	asked.holds = `"items":[]`
	bob.must(t, asked)
	eventually(t, "the file goes with its message", func() error {
		if got := d.followLink(t, http.MethodGet, read, ""); got.body == picture {
			return fmt.Errorf("by the link: %d %q", got.status, got.body)
		}
		if keys := d.fileKeys(t); len(keys) > 0 {
			return fmt.Errorf("the bucket has %q", keys)
		}
		return nil
	})
	if got := d.followLink(t, http.MethodPut, put, picture); got.status != http.StatusPreconditionFailed {
		t.Errorf("its bytes, sent after the deletion: %d %s", got.status, got.body)
	}
}

// testPictures sends two pictures of a person, one after the other, which another person sees, and
// removes the last.
func testPictures(t *testing.T, d *deployment) {
	ada, bob := d.signUp(t, "ada-of-pictures"), d.signUp(t, "bob-of-pictures")
	seen := func() string {
		t.Helper()
		card := bob.must(t, call{route: "GET /people", query: "ids=" + ada.user, status: 200})["items"].([]any)[0].(map[string]any)
		read, _ := card["pictureLink"].(map[string]any)
		if read == nil {
			return ""
		}
		got := d.followLink(t, http.MethodGet, link{URL: read["url"].(string)}, "")
		if got.status != http.StatusOK {
			t.Errorf("by a link: %d %q", got.status, got.body)
		}
		return got.body
	}
	var puts []link
	texts := []string{picture, picture + " and more of them"}
	for _, text := range texts {
		sum := sha256.Sum256([]byte(text))
		encoded := base64.StdEncoding.EncodeToString(sum[:])
		name := call{route: "PATCH /people/me", body: `{"picture":"` + encoded + `"}`, status: 422, holds: `"location":"picture"`}
		ada.must(t, name)
		body := fmt.Sprintf(`{"type":"image/png","bytes":%d,"sha256":%q}`, len(text), encoded)
		put := putOf(t, ada.must(t, call{route: "POST /people/me/picture", body: body, status: 200}))
		if got := d.followLink(t, http.MethodPut, put, strings.Repeat("x", len(text))); got.status < 400 {
			t.Errorf("other bytes: %d %s", got.status, got.body)
		}
		if got := d.followLink(t, http.MethodPut, put, text); got.status != http.StatusOK {
			t.Fatalf("a picture: %d %s", got.status, got.body)
		}
		puts = append(puts, put)
		name.status, name.holds = 200, encoded
		ada.must(t, name)
		if got := seen(); got != text {
			t.Errorf("others see %q, want %q", got, text)
		}
	}
	ada.must(t, call{route: "PATCH /people/me", body: `{"picture":""}`, status: 200})
	if got := seen(); got != "" {
		t.Errorf("a removed picture is %q", got)
	}
	for i, put := range puts {
		if got := d.followLink(t, http.MethodPut, put, texts[i]); got.status != http.StatusPreconditionFailed {
			t.Errorf("a picture, sent after its removal: %d %s", got.status, got.body)
		}
	}
	if keys := d.fileKeys(t); len(keys) > 0 {
		t.Errorf("the bucket has %q", keys)
	}
}

// upload returns the id and the request of an upload.
func upload(text string) (id, body string) {
	sum := sha256.Sum256([]byte(text))
	id = chat.NewUUID(time.Now(), [10]byte{5}).String()
	return id, fmt.Sprintf(`{"id":%q,"name":"plan.png","type":"image/png","bytes":%d,"sha256":%q}`, id, len(text), base64.StdEncoding.EncodeToString(sum[:]))
}

// putOf returns the link of an answer by which the bytes are sent.
func putOf(t *testing.T, answer map[string]any) (put link) {
	t.Helper()
	text, err := json.Marshal(answer["put"])
	if err == nil {
		err = json.Unmarshal(text, &put)
	}
	if err != nil || put.URL == "" {
		t.Fatalf("%v, %v", answer, err)
	}
	return put
}

// must sends a call, which must succeed.
func (c *caller) must(t *testing.T, r call) map[string]any {
	t.Helper()
	answer, err := c.do(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// followLink sends a signed request.
func (d *deployment) followLink(t *testing.T, method string, l link, body string) loaded {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, l.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range l.Headers {
		r.Header.Set(name, value)
	}
	return d.send(t, r)
}

// fileKeys returns the keys of all files of people. The index of searches is in the same bucket, and an
// empty object is no file.
func (d *deployment) fileKeys(t *testing.T) []string {
	t.Helper()
	var keys []string
	d.aws(t, &keys, "s3api", "list-objects-v2", "--bucket", d.outputs["FilesBucketName"], "--query", "Contents[?Size > `0`].Key")
	return slices.DeleteFunc(keys, func(key string) bool { return strings.HasPrefix(key, "_search/") })
}
