package functions_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/requests"
	"example.com/parley/internal/test/runtimestub"
	"example.com/parley/internal/test/tabletest"
)

const filesBucket = "files-bucket"

// filesStub stands in for the bucket of files. It does not check signatures, because functions sign
// for the address of a proxy; internal/local/bucket does.
type filesStub struct {
	url   string
	mu    sync.Mutex
	files map[string]storedFile
	fails bool // answers 500
}

type storedFile struct{ text, checksum string }

func newFilesStub(t *testing.T) *filesStub {
	t.Helper()
	b := &filesStub{files: map[string]storedFile{}}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

func (b *filesStub) put(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files[key] = storedFile{text: "bytes"}
}

func (b *filesStub) fail(fails bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fails = fails
}

func (b *filesStub) keys() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.files))
}

// removed returns the keys of the empty objects, in order.
func (b *filesStub) removed() (keys []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for key, file := range b.files {
		if file.text == "" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func (b *filesStub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key, ok := strings.CutPrefix(r.URL.Path, "/"+filesBucket+"/")
	signed := r.URL.Query().Get("X-Amz-Signature") != "" || strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 ")
	file, exists := b.files[key]
	written := r.Header.Get("If-Match")
	switch {
	case !ok || !signed:
		http.Error(w, "no", http.StatusForbidden)
	case b.fails:
		http.Error(w, "no", http.StatusInternalServerError)
	case key == "":
		b.list(w, r.URL.Query())
	case r.Method == http.MethodPut && (exists && r.Header.Get("If-None-Match") == "*" || written != "" && written != file.version()):
		w.WriteHeader(http.StatusPreconditionFailed)
	case r.Method == http.MethodPut:
		text, _ := io.ReadAll(r.Body)
		stored := storedFile{string(text), r.Header.Get("X-Amz-Checksum-Sha256")}
		b.files[key] = stored
		w.Header().Set("Etag", stored.version())
	case r.Method == http.MethodDelete:
		delete(b.files, key)
		w.WriteHeader(http.StatusNoContent)
	case !exists:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.Header().Set("Etag", file.version())
		w.Header().Set("X-Amz-Checksum-Sha256", file.checksum)
		w.Header().Set("Content-Length", strconv.Itoa(len(file.text)))
		_, _ = io.WriteString(w, file.text) // nothing is written for HEAD
	}
}

// version returns the ETag of a file.
func (f storedFile) version() string { return fmt.Sprintf("%q", sha256.Sum256([]byte(f.text))) }

// list answers ListObjectsV2 with all objects that have the prefix.
func (b *filesStub) list(w http.ResponseWriter, query url.Values) {
	_, _ = io.WriteString(w, "<ListBucketResult><IsTruncated>false</IsTruncated>")
	for _, key := range slices.Sorted(maps.Keys(b.files)) {
		if strings.HasPrefix(key, query.Get("prefix")) && key > query.Get("start-after") {
			_, _ = fmt.Fprintf(w, "<Contents><Key>%s</Key><Size>%d</Size><LastModified>2018-08-29T12:00:00.000Z</LastModified></Contents>", key, len(b.files[key].text))
		}
	}
	_, _ = io.WriteString(w, "</ListBucketResult>")
}

// TestFiles_PassByLinksOnly uploads a file by the link of the write function, posts it, and reads it
// by the link of the read function. Each link leads through the proxy of the function that signed
// it, so that following it needs the function's rights, as in AWS.
func TestFiles_PassByLinksOnly(t *testing.T) {
	endpoint, stub := enginetest.Start(t), newFilesStub(t)
	const table, logTable, liveTable = "Events", "EventsLog", "EventsLive"
	db := dynamo.LocalClient(endpoint)
	tabletest.Create(t, db, table)
	tabletest.CreateLog(t, db, logTable)
	tabletest.CreateLive(t, db, liveTable)
	functions := map[string]*runtimestub.Function{}
	for _, name := range []string{"write", "read"} {
		made := map[string]string{"Table": table, "LogTable": logTable, "LiveTable": liveTable, "FilesBucket": filesBucket}
		env := environment(t, name, made, recorder.Proxy(t, name, endpoint))
		functions[name] = start(t, name, append(env, config.EnvStorageEndpoint+"="+recorder.Proxy(t, name, stub.url)))
	}
	call := func(function, route, body string, want int, answer any) {
		t.Helper()
		path := strings.NewReplacer("{room}", "seattle").Replace(route[strings.IndexByte(route, ' ')+1:])
		// With a route for each operation, as stacks of earlier versions have them.
		status, text := invoke(t, functions[function], requests.Request{Route: route, Path: path, Body: body}.Event(route))
		if status != want || json.Unmarshal([]byte(text), answer) != nil {
			t.Fatalf("%s: %d %s", route, status, text)
		}
	}
	const picture = "a picture"
	sum := sha256.Sum256([]byte(picture))
	id := chat.NewUUID(time.Now(), [10]byte{1}).String()
	draft := `{"id":"` + id + `","name":"plan.png","type":"image/png","bytes":` + strconv.Itoa(len(picture)) + `,"sha256":"` + base64.StdEncoding.EncodeToString(sum[:]) + `"}`
	var upload announced
	var message struct{ ID string }
	var links struct{ Items []struct{ URL string } }
	call("write", "PUT /rooms/{room}", `{}`, http.StatusCreated, &struct{}{})
	call("write", "POST /rooms/{room}/uploads", draft, http.StatusCreated, &upload)
	send(t, http.MethodPut, upload.Put.URL, upload.Put.Headers, picture)
	call("write", "POST /rooms/{room}/messages", `{"text":"","attachments":["`+id+`"]}`, http.StatusCreated, &message)
	call("read", "POST /rooms/{room}/attachments/links", `{"messages":["`+message.ID+`"]}`, http.StatusOK, &links)
	if len(links.Items) != 1 || send(t, http.MethodGet, links.Items[0].URL, nil, "") != picture {
		t.Errorf("the links lead to another file: %+v", links)
	}
	if keys := stub.keys(); !slices.Equal(keys, []string{"seattle/amsg/" + id}) {
		t.Errorf("the bucket has %q", keys)
	}
}

// announced is the answer of post-upload.
type announced struct {
	Put struct {
		URL     string
		Headers map[string]string
	}
}

// sendFile sends the bytes of the requests' file by the link of an answer.
func sendFile(t *testing.T, answer string) {
	t.Helper()
	var upload announced
	if err := json.Unmarshal([]byte(answer), &upload); err != nil {
		t.Fatal(err)
	}
	send(t, http.MethodPut, upload.Put.URL, upload.Put.Headers, "hello")
}

// send follows a link and returns the answer's text.
func send(t *testing.T, method, url string, headers map[string]string, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %d %s, %v", method, url, answer.StatusCode, text, err)
	}
	return string(text)
}

// sweepEvent is the event file of the daily schedule.
const sweepEvent = "sweep"

// sweep invokes the search function as its schedule does. The index of the former requests remains,
// and a failure is Lambda's to count.
func sweep(t *testing.T, fn *runtimestub.Function, files *filesStub) {
	t.Helper()
	event := readEvent(t, "search", sweepEvent)
	files.put("_search/gone/index")
	if answer, err := invokeRaw(t, fn, event); err != nil || answer != "null" {
		t.Errorf("sweep: %s, %v", answer, err)
	}
	var index []string
	for _, key := range files.keys() {
		if strings.HasPrefix(key, "_search/") {
			index = append(index, key)
		}
	}
	if !slices.Contains(index, "_search/seattle/index") || slices.Contains(index, "_search/gone/index") {
		t.Errorf("after the sweep, the index has %q", index)
	}
	files.fail(true)
	defer files.fail(false)
	if answer, err := invokeRaw(t, fn, event); err == nil {
		t.Errorf("a sweep without S3 returns %s", answer)
	}
}
