package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/folder"
	"example.com/parley/internal/people"
	"example.com/parley/internal/table"
)

// sender is a person who sends files to the room seattle, and repeats each step after a failure.
type sender struct {
	testing.TB
	*server
	dir, token string
	files      int
}

const sending chat.UserID = "amsg"

func newSender(t testing.TB) *sender {
	t.Helper()
	w := &sender{TB: t, dir: dataDir(t)}
	w.server = serve(t, w.dir)
	w.token = tokenOf(t, w.dir, string(sending))
	mustCall(t, 201, "PUT", w.url+"/rooms/seattle", w.token, "{}")
	return w
}

// killed kills the server and starts it again.
func (w *sender) killed() {
	w.Helper()
	if err := w.end(w, os.Kill); err == nil {
		w.Error("a killed server exited without an error")
	}
	w.server = serve(w, w.dir)
}

// sentFile is a file with the ids of its upload and its message.
type sentFile struct {
	id, message   uuid.UUID
	text, preview string
}

func (w *sender) newFile() sentFile {
	w.files++
	id := func(n byte) uuid.UUID { return chat.NewUUID(time.Now(), [10]byte{byte(w.files), n}) }
	return sentFile{id: id(1), message: id(2), text: strings.Repeat("picture ", 1<<17), preview: "preview"}
}

func (f sentFile) messageID() string { return chat.MessageID{UUID: f.message, User: sending}.String() }

func described(text string) map[string]any {
	sum := sha256.Sum256([]byte(text))
	return map[string]any{"type": "image/png", "bytes": len(text), "sha256": base64.StdEncoding.EncodeToString(sum[:])}
}

// request sends a request that must be answered with one of two statuses.
func (w *sender) request(method, path string, body any, statuses ...int) string {
	w.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		w.Fatal(err)
	}
	status, answer, err := call(w.Context(), method, w.url+path, w.token, string(text))
	if err != nil || status != statuses[0] && status != statuses[len(statuses)-1] {
		w.Fatalf("%s %s: %d, %v\n%s", method, path, status, err, answer)
	}
	return answer
}

// announce announces a file, or announces it again.
func (w *sender) announce(f sentFile) (links struct{ Put, Preview bucket.Link }) {
	w.Helper()
	body := described(f.text)
	body["id"], body["name"], body["preview"] = f.id, "plan.png", described(f.preview)
	if err := json.Unmarshal([]byte(w.request("POST", "/rooms/seattle/uploads", body, 201, 200)), &links); err != nil {
		w.Fatal(err)
	}
	return links
}

// send sends bytes by a link, and returns the status.
func (w *sender) send(l bucket.Link, text string) int {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), http.MethodPut, w.url+l.URL, strings.NewReader(text))
	if err != nil {
		w.Fatal(err)
	}
	for name, value := range l.Headers {
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

func (w *sender) mustSend(l bucket.Link, text string, want int) {
	w.Helper()
	if got := w.send(l, text); got != want {
		w.Errorf("the bytes are answered with %d, want %d", got, want)
	}
}

// sendHalf sends half of the bytes, until the server has stored some of them.
func (w *sender) sendHalf(l bucket.Link, text string) {
	w.Helper()
	var d net.Dialer
	conn, err := d.DialContext(w.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = conn.Close() })
	fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nhost: files\r\ncontent-length: %d\r\n", l.URL, len(text))
	for name, value := range l.Headers {
		fmt.Fprintf(conn, "%s: %s\r\n", name, value)
	}
	if _, err := io.WriteString(conn, "\r\n"+text[:len(text)/2]); err != nil {
		w.Fatal(err)
	}
	w.until("a part of the file is stored", func() bool {
		parts, err := filepath.Glob(filepath.Join(w.dir, filesFolder, "*", ".new-*"))
		return err == nil && len(parts) > 0
	})
}

func (w *sender) post(f sentFile) {
	w.Helper()
	w.request("POST", "/rooms/seattle/messages", map[string]any{"id": f.message, "text": "", "attachments": []uuid.UUID{f.id}}, 201, 200)
}

// read checks that the file of a message can be read.
func (w *sender) read(f sentFile) {
	w.Helper()
	var links struct {
		Items []struct{ URL, Preview string }
	}
	text := w.request("POST", "/rooms/seattle/attachments/links", map[string]any{"messages": []string{f.messageID()}}, 200)
	if err := json.Unmarshal([]byte(text), &links); err != nil || len(links.Items) != 1 {
		w.Fatalf("%v: %s", err, text)
	}
	for address, want := range map[string]string{links.Items[0].URL: f.text, links.Items[0].Preview: f.preview} {
		status, got, err := call(w.Context(), "GET", w.url+address, "", "")
		if err != nil || status != http.StatusOK || got != want {
			w.Errorf("the file is answered with %d, %d bytes, %v", status, len(got), err)
		}
	}
}

// row returns the upload of a file; nil if there is none.
func (w *sender) row(f sentFile) table.Item {
	w.Helper()
	item, err := w.newStore(w).Table().GetItem(w.Context(), "test", table.UploadKey("seattle", sending, f.id), dynamo.Strong)
	if err != nil {
		w.Fatal(err)
	}
	return item
}

// stored returns the names of everything in the folder of files.
func (w *sender) stored() (names []string) {
	w.Helper()
	names, err := filepath.Glob(filepath.Join(w.dir, filesFolder, "*", "*"))
	hidden, err2 := filepath.Glob(filepath.Join(w.dir, filesFolder, "*", ".*"))
	if err != nil || err2 != nil {
		w.Fatal(err, err2)
	}
	return slices.DeleteFunc(append(names, hidden...), func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.Size() == 0 // in the place of a removed file
	})
}

// until waits for a condition.
func (w *sender) until(what string, is func() bool) {
	w.Helper()
	for range int(readyTime / pollInterval) {
		if is() {
			return
		}
		time.Sleep(pollInterval)
	}
	w.Fatalf("it never came that %s", what)
}

// repairedFiles returns what chat repair attachments prints.
func repairedFiles(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := command(t, append([]string{"repair", "attachments", "--data", dir}, args...)...)
	cmd.Dir = t.TempDir()   // the progress of a run is a file in the working folder
	cmd.Stderr = t.Output() // the first run of a machine says that it fetches the engine
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("repair: %v\n%s", err, out)
	}
	return string(out)
}

// TestServe_KillBetweenTheStepsOfAFile kills the server after each step of a file, and within one.
// Each step is then repeated as if its answer were lost. Nothing acknowledged is lost, and in the
// end there are no bytes without an upload, and no message without its file.
func TestServe_KillBetweenTheStepsOfAFile(t *testing.T) {
	t.Parallel()
	w := newSender(t)
	f, pending := w.newFile(), w.newFile()
	w.announce(f)
	w.killed()

	w.sendHalf(w.announce(f).Put, f.text)
	w.killed()
	if names := w.stored(); len(names) != 0 {
		t.Errorf("half a file is left: %q", names)
	}
	w.mustSend(w.announce(f).Put, f.text, http.StatusOK)
	w.killed()

	links := w.announce(f)
	w.mustSend(links.Put, f.text, http.StatusPreconditionFailed)
	w.mustSend(links.Preview, f.preview, http.StatusOK)
	w.killed()

	w.post(f)
	w.killed() // most likely before the feed function has seen the message
	w.post(f)
	w.read(f)
	w.until("the upload is kept", func() bool { item := w.row(f); return item != nil && item[table.TTL] == nil })
	w.killed()
	w.read(f)

	w.request("DELETE", "/rooms/seattle/messages/"+f.messageID(), nil, 200, 204)
	w.killed()
	w.request("DELETE", "/rooms/seattle/messages/"+f.messageID(), nil, 200, 204)
	w.post(f) // a retry finds the tombstone
	w.until("the upload is removed", func() bool { return w.row(f) == nil })
	w.killed()
	w.until("the bytes are removed", func() bool { return len(w.stored()) == 0 })

	links = w.announce(pending)
	w.mustSend(links.Put, pending.text, http.StatusOK)
	_, failed, err := w.newStore(t).Table().UpdateItem(t.Context(), "test", table.UploadKey("seattle", sending, pending.id), table.Update{
		Expression: "SET #ttl = :past", Names: map[string]string{"#ttl": table.TTL}, Values: table.Item{":past": table.Number(1)},
	})
	if failed || err != nil {
		t.Fatal(failed, err)
	}
	c := &serveCmd{data: data{Data: w.dir}, disk: &diskWatch{log: slog.New(slog.DiscardHandler), folder: w.dir}}
	stop, err := c.startSweep(t.Context(), slog.New(slog.DiscardHandler), w.engine(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	w.until("the expired upload is removed", func() bool { return w.row(pending) == nil && len(w.stored()) == 0 })
	const clean = "0 files of messages, 0 of them missing; 0 uploads of them to be put back; 0 uploads without a message to be removed; 0 stored files without an owner to be removed\n"
	if got := repairedFiles(t, w.dir, "--dry-run"); got != clean {
		t.Errorf("repair: %s", got)
	}
}

// pictureID is the id of the pictures of the tests.
const pictureID = "0189a08d-e01c-7001-8000-000000000000"

// TestRepairAttachments_ComparesBucketAndTable has each difference once, and a file without one.
func TestRepairAttachments_ComparesBucketAndTable(t *testing.T) {
	t.Parallel()
	w := newSender(t)
	good, missing, lost := w.newFile(), w.newFile(), w.newFile()
	for _, f := range []sentFile{good, missing, lost} {
		links := w.announce(f)
		w.mustSend(links.Put, f.text, http.StatusOK)
		w.mustSend(links.Preview, f.preview, http.StatusOK)
		w.post(f)
		w.until("the upload is kept", func() bool { return w.row(f)[table.TTL] == nil })
	}
	if err := w.end(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	path := func(f sentFile, suffix string) string {
		key := strings.TrimPrefix(attachment.FileKey("seattle", sending, f.id), "seattle/") + suffix
		return filepath.Join(w.dir, filesFolder, "seattle", url.QueryEscape(key))
	}
	picture := func(user string) string {
		return filepath.Join(w.dir, filesFolder, "_people", url.QueryEscape(user+"/"+pictureID))
	}
	stray := w.newFile()
	index := filepath.Join(w.dir, filesFolder, "_search", "seattle%2Findex")
	for _, folder := range []string{"_people", "_search"} {
		if err := os.MkdirAll(filepath.Join(w.dir, filesFolder, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{path(stray, ""), path(stray, "/preview"), filepath.Join(w.dir, filesFolder, "seattle", ".new-1"), picture("nobody"), picture("shown"), index} {
		if err := os.WriteFile(name, []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	empty := picture("gone")
	for _, name := range []string{path(missing, "/preview"), empty} { // as removed files are
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unused := w.newFile()
	withFolder(t, w.dir, func(db *dynamodb.Client) {
		shown := people.Person{User: "shown", Name: "Ann", Picture: "of ann", PictureID: uuid.MustParse(pictureID), Revision: 1}
		if ok, err := people.NewStore(dynamo.NewTable(db, localTable, nil)).PutPerson(t.Context(), people.Person{}, shown); !ok || err != nil {
			t.Fatal(ok, err)
		}
		rows := dynamo.NewTable(db, localTable, nil)
		item, err := rows.GetItem(t.Context(), "test", table.UploadKey("seattle", sending, good.id), dynamo.Strong)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rows.DeleteItem(t.Context(), "test", table.UploadKey("seattle", sending, lost.id)); err != nil {
			t.Fatal(err)
		}
		delete(item, table.AttrUploadMessage)
		item[table.SK] = table.UploadKey("seattle", sending, unused.id)[table.SK]
		if _, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(localTable), Item: item}); err != nil {
			t.Fatal(err)
		}
	})
	const found = "3 files of messages, 1 of them missing; 1 uploads of them %[1]sput back; 1 uploads without a message %[1]sremoved; 3 stored files without an owner %[1]sremoved\n"
	for range 2 {
		if got := repairedFiles(t, w.dir, "--dry-run"); got != fmt.Sprintf(found, "to be ") {
			t.Errorf("a dry run: %s", got)
		}
	}
	if got, want := repairedFiles(t, w.dir), fmt.Sprintf(found, ""); got != want {
		t.Errorf("a run: %s, want %s", got, want)
	}
	if left, err := filepath.Glob(filepath.Join(w.dir, filesFolder, "_people", "*")); err != nil || len(left) != 2 || left[0] != empty || left[1] != picture("shown") {
		t.Errorf("the pictures %q are left, %v", left, err)
	}
	if _, err := os.Stat(index); err != nil {
		t.Errorf("the index of searches is gone: %v", err)
	}
	w.server = serve(t, w.dir)
	if w.row(lost) == nil || w.row(unused) != nil {
		t.Error("the upload is not put back, or the unused one is there")
	}
	w.read(good)
	w.read(lost)
	if got, want := repairedFiles(t, w.dir), "3 files of messages, 1 of them missing; 0 uploads of them put back; 0 uploads without a message removed; 0 stored files without an owner removed\n"; got != want {
		t.Errorf("a second run, while the server runs: %s", got)
	}
	out, err := command(t, "repair", "attachments", "--table", "x").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "--bucket and --table belong together") {
		t.Errorf("without a bucket: %v, %s", err, out)
	}
}

// withFolder runs a function with the engine of a folder that no server uses.
func withFolder(t testing.TB, dir string, do func(*dynamodb.Client)) {
	t.Helper()
	e, err := folder.Own(t.Context(), folder.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Stop(context.Background()) }()
	do(dynamo.LocalClient(e.Endpoint()))
}

// TestWithFiles_TakesAnyTime sends and reads a file more slowly than the server's limits allow for
// other requests. Only a transfer that stalls ends.
func TestWithFiles_TakesAnyTime(t *testing.T) {
	t.Parallel()
	const limit, parts, pause = 200 * time.Millisecond, 10, 50 * time.Millisecond
	part := bytes.Repeat([]byte("x"), 1<<10)
	files := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, err := io.ReadAll(r.Body)
		if err != nil || len(got) != parts*len(part) {
			http.Error(w, fmt.Sprint(len(got), err), http.StatusBadRequest)
			return
		}
		for range parts {
			time.Sleep(pause)
			if _, err := w.Write(part); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	})
	for stall, want := range map[time.Duration]bool{time.Minute: true, pause / 2: false} {
		server := httptest.NewUnstartedServer(withFiles(files, http.NotFoundHandler(), stall))
		server.Config.ReadHeaderTimeout, server.Config.ReadTimeout, server.Config.WriteTimeout = time.Minute, limit, limit
		server.Start()
		t.Cleanup(server.Close)
		conn, err := net.Dial("tcp", server.Listener.Addr().String()) //nolint:noctx // it ends with the test
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn, "PUT %s/x HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n", filesPath, parts*len(part))
		for range parts {
			time.Sleep(pause)
			_, _ = conn.Write(part)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		var body []byte
		if err == nil {
			body, err = io.ReadAll(answer.Body)
			_ = answer.Body.Close()
		}
		if ok := err == nil && answer.StatusCode == http.StatusOK && len(body) == parts*len(part); ok != want {
			t.Errorf("a transfer that may stall for %v: %v, %v, want %t", stall, answer, err, want)
		}
	}
}
