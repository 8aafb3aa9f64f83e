package functions_test

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/test/runtimestub"
	"example.com/parley/web"
)

const pageBucket = "page-bucket"

// object is an object of the bucket.
type object struct {
	text, contentType, cacheControl string
	modified                        time.Time
}

// bucketStub stands in for S3, which cannot run here, and for the address to which CloudFormation
// expects a response.
type bucketStub struct {
	mu      sync.Mutex
	objects map[string]object
	order   []string // the names of writes
	denied  string   // the prefix of names that cannot be written
	answers []string // to CloudFormation
	// refusals is the number of requests that CloudFront, at the path front, still refuses.
	refusals int
}

// front begins the path at which the stub is CloudFront, which serves the bucket's objects.
const front = "/front"

func (b *bucketStub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	name, ok := strings.CutPrefix(r.URL.Path, "/"+pageBucket+"/")
	switch {
	case r.URL.Path == "/answer":
		b.answers = append(b.answers, string(body))
	case strings.HasPrefix(r.URL.Path, front):
		o, found := b.objects[strings.TrimPrefix(r.URL.Path, front+"/")]
		if b.refusals > 0 || !found {
			b.refusals--
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = io.WriteString(w, o.text)
	case !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 "):
		http.Error(w, "not signed", http.StatusForbidden)
	case r.Method == http.MethodGet && r.URL.Query().Get("list-type") == "2":
		b.list(w)
	case !ok || b.denied != "" && strings.HasPrefix(name, b.denied):
		http.Error(w, "<Error><Code>AccessDenied</Code><Message>no</Message></Error>", http.StatusForbidden)
	case r.Method == http.MethodPut:
		b.objects[name] = object{string(body), r.Header.Get("Content-Type"), r.Header.Get("Cache-Control"), time.Now()}
		b.order = append(b.order, name)
	case r.Method == http.MethodDelete:
		delete(b.objects, name)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (b *bucketStub) list(w io.Writer) {
	type contents struct {
		Key          string
		LastModified time.Time
	}
	listing := struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Contents []contents
	}{}
	for name, o := range b.objects {
		listing.Contents = append(listing.Contents, contents{name, o.modified})
	}
	_ = xml.NewEncoder(w).Encode(listing)
}

// answer returns the last response to CloudFormation.
func (b *bucketStub) answer(t *testing.T) (status, id, reason string) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	var last struct{ Status, PhysicalResourceId, Reason string } //nolint:revive // as AWS names them
	if len(b.answers) == 0 {
		t.Fatal("CloudFormation gets no answer")
	}
	if err := json.Unmarshal([]byte(b.answers[len(b.answers)-1]), &last); err != nil {
		t.Fatal(err)
	}
	b.answers = nil
	return last.Status, last.PhysicalResourceId, last.Reason
}

// TestPage_WritesTheWebApp runs the function's binary through the life of a stack.
func TestPage_WritesTheWebApp(t *testing.T) {
	b := &bucketStub{objects: map[string]object{}}
	fn, stub := startPage(t, b)
	event := func(file string) string {
		return strings.ReplaceAll(readEvent(t, "page", file), "{{answer}}", stub.URL+"/answer")
	}
	checkAllUsed(t, "page", []string{"create", "update", "delete"})
	call := func(what, event, wantStatus, wantReason string) {
		t.Helper()
		b.order = nil
		if _, err := invokeRaw(t, fn, event); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if status, id, reason := b.answer(t); status != wantStatus || id != pageBucket || !strings.Contains(reason, wantReason) {
			t.Fatalf("%s: CloudFormation hears %s of %q: %s", what, status, id, reason)
		}
	}
	call("create", event("create"), "SUCCESS", "")
	checkWhole(t, b)

	// Open pages load parts of a version for a week after it was replaced, however old it is.
	const replaced, before = "assets/replaced/app.js", "assets/before/app.js"
	for _, age := range []struct {
		days  time.Duration // since the last version was written
		files []string      // that remain
	}{{40, []string{replaced}}, {6, []string{replaced, before}}} {
		live := time.Now().Add(-age.days * 24 * time.Hour)
		b.objects["index.html"] = object{modified: live}
		b.objects[replaced] = object{modified: live.Add(-time.Second)}
		b.objects[before] = object{modified: live.Add(-time.Hour)}
		call("update", event("update"), "SUCCESS", "")
		for _, name := range []string{replaced, before} {
			if _, ok := b.objects[name]; ok != slices.Contains(age.files, name) {
				t.Errorf("an update after %d days keeps %s: %v", age.days, name, ok)
			}
			delete(b.objects, name)
		}
		checkWhole(t, b)
	}

	b.denied = "assets/"
	call("without the right to write", event("update"), "FAILED", "write assets/")
	b.denied = ""
	call("without a configuration", strings.Replace(event("update"), `"Config"`, `"Other"`, 1), "FAILED", "the property Config is missing")
	call("a configuration in another form", strings.Replace(event("update"), `{\"api\"`, `\"api\"`, 1), "FAILED", "read the property Config")
	call("an unknown request", strings.Replace(event("update"), `"Update"`, `"Look"`, 1), "FAILED", `unknown request "Look"`)

	call("removal of a bucket that stays", strings.Replace(event("delete"), `"Keep": "false"`, `"Keep": "true"`, 1), "SUCCESS", "")
	call("removal of another bucket", strings.Replace(event("delete"), `"PhysicalResourceId": "page-bucket"`, `"PhysicalResourceId": "other"`, 1), "SUCCESS", "")
	checkWhole(t, b)
	call("delete", event("delete"), "SUCCESS", "")
	if len(b.objects) != 0 {
		t.Errorf("the bucket keeps %d objects", len(b.objects))
	}
}

// startPage starts the function with the variables of the template.
func startPage(t *testing.T, b *bucketStub) (*runtimestub.Function, *httptest.Server) {
	t.Helper()
	stub := httptest.NewServer(b)
	t.Cleanup(stub.Close)
	env := append(environment(t, "page", map[string]string{"PageBucket": pageBucket}, ""), "AWS_ENDPOINT_URL_S3="+recorder.Proxy(t, "page", stub.URL))
	return start(t, "page", env), stub
}

// checkWhole checks that the bucket contains exactly the web app and its configuration.
func checkWhole(t *testing.T, b *bucketStub) {
	t.Helper()
	files, err := web.Files()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"config.json": `{"api":"https://api.example.com","docs":"https://api.example.com/docs"}`}
	const connectPolicy = `<meta http-equiv="Content-Security-Policy" content="img-src &#39;self&#39; blob:; connect-src &#39;self&#39; https://api.example.com; media-src &#39;self&#39;">`
	for name, text := range files {
		want[name] = string(text)
	}
	want["index.html"] = strings.Replace(want["index.html"], "<head>\n", "<head>\n"+connectPolicy+"\n", 1)
	if len(b.objects) != len(want) {
		t.Errorf("the bucket has %d objects, want %d", len(b.objects), len(want))
	}
	types := map[string]string{"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8", "json": "application/json", "png": "image/png", "webmanifest": "application/manifest+json"}
	for name, text := range want {
		o, cache := b.objects[name], "no-cache"
		if strings.HasPrefix(name, "assets/") {
			cache = "public, max-age=31536000, immutable"
		}
		extension := name[strings.LastIndexByte(name, '.')+1:]
		if o.text != text || o.contentType != types[extension] || o.cacheControl != cache {
			t.Errorf("%s has %d bytes of %q, cached as %q", name, len(o.text), o.contentType, o.cacheControl)
		}
	}
	last := []string{"index.html", "sw.js"}
	if n := len(b.order) - len(last); n >= 0 && !slices.Equal(b.order[n:], last) {
		t.Errorf("the index and the worker are not written last, after the files that they need: %v", b.order)
	}
}

// issuerEvent is CloudFormation's request about the documents of an issuer, with a type and the
// answer's address left out.
const issuerEvent = `{
  "RequestType": "{{type}}",
  "ResponseURL": "{{answer}}",
  "StackId": "arn:aws:cloudformation:us-east-1:000000000000:stack/Parley-dev/1",
  "RequestId": "5d4c8a52-30d1-4093-82d3-ad2e5e0f3b12",
  "ResourceType": "Custom::IssuerFiles",
  "LogicalResourceId": "IssuerFiles",
  "PhysicalResourceId": "page-bucket/.well-known/",
  "ResourceProperties": {
    "Documents": {".well-known/openid-configuration": "{\"issuer\":\"https://d1.example\"}", ".well-known/jwks.json": "{\"keys\":[]}"},
    "Address": "{{address}}",
    "Keep": "false"
  }
}`

// TestPage_WritesTheIssuersDocuments runs the function's binary through the life of a stack whose
// app signs its tokens itself. The web app comes and goes meanwhile, and the documents stay.
func TestPage_WritesTheIssuersDocuments(t *testing.T) {
	const discovery, set = ".well-known/openid-configuration", ".well-known/jwks.json"
	b := &bucketStub{objects: map[string]object{}}
	fn, stub := startPage(t, b)
	call := func(what, kind, event, wantStatus, wantReason string) {
		t.Helper()
		event = strings.NewReplacer("{{type}}", kind, "{{answer}}", stub.URL+"/answer", "{{address}}", stub.URL+front).Replace(event)
		if _, err := invokeRaw(t, fn, event); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if status, id, reason := b.answer(t); status != wantStatus || !strings.HasPrefix(id, pageBucket) || !strings.Contains(reason, wantReason) {
			t.Fatalf("%s: CloudFormation hears %s of %q: %s", what, status, id, reason)
		}
	}
	want := func(when string, keys string) {
		t.Helper()
		if o := b.objects[set]; o.text != keys || keys != "" && (o.contentType != "application/json" || o.cacheControl != "public, max-age=60") {
			t.Errorf("%s: the key set is %+v", when, o)
		}
		if o := b.objects[discovery]; (o.text == `{"issuer":"https://d1.example"}`) != (keys != "") {
			t.Errorf("%s: the discovery document is %+v", when, o)
		}
	}
	call("create", "Create", issuerEvent, "SUCCESS", "")
	want("created", `{"keys":[]}`)
	call("a web app", "", readEvent(t, "page", "create"), "SUCCESS", "")
	call("no web app", "", readEvent(t, "page", "delete"), "SUCCESS", "")
	want("without the web app again", `{"keys":[]}`)
	if len(b.objects) != 2 {
		t.Errorf("there are %d objects", len(b.objects))
	}
	call("rotate", "Update", strings.Replace(issuerEvent, `[]`, `[1]`, 1), "SUCCESS", "")
	want("rotated", `{"keys":[1]}`)

	b.denied = ".well-known/"
	call("without the right to write", "Update", issuerEvent, "FAILED", "write .well-known/")
	b.denied = ""
	call("a document in another folder", "Update", strings.Replace(issuerEvent, set, "index.html", 1), "FAILED", `"index.html"`)
	call("an empty document", "Update", strings.Replace(issuerEvent, `{\"keys\":[]}`, "", 1), "FAILED", "is empty")

	b.refusals = 1
	call("CloudFront refuses at first", "Update", issuerEvent, "SUCCESS", "")
	if b.refusals != 0 {
		t.Errorf("the function succeeds although CloudFront would refuse %d more requests", b.refusals)
	}
	call("rotate again", "Update", strings.Replace(issuerEvent, `[]`, `[1]`, 1), "SUCCESS", "")

	call("removal of a bucket that stays", "Delete", strings.Replace(issuerEvent, `"Keep": "false"`, `"Keep": "true"`, 1), "SUCCESS", "")
	want("kept", `{"keys":[1]}`)
	call("delete", "Delete", issuerEvent, "SUCCESS", "")
	want("deleted", "")
}
