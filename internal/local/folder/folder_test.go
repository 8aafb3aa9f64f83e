package folder_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"example.com/parley/internal/local/engine"
	"example.com/parley/internal/local/folder"
)

// ownerVar names a folder. The test binary then runs as a process that owns it.
const ownerVar = "FOLDER_TEST_OWNER"

func TestMain(m *testing.M) {
	dir := os.Getenv(ownerVar)
	if dir == "" {
		goleak.VerifyTestMain(m)
		return
	}
	e, err := folder.Own(context.Background(), config(dir))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(e.Endpoint())
	_, _ = io.Copy(io.Discard, os.Stdin) // ends when the test ends
}

func config(dir string) folder.Config {
	return folder.Config{Dir: dir, Env: func(name string) string {
		if name == "DYNAMODB_ENDPOINT" {
			return ""
		}
		return os.Getenv(name)
	}}
}

// owner is another process that owns a folder.
type owner struct {
	pid      int
	endpoint string
	kill     func() // sends SIGKILL and waits
}

func ownElsewhere(t *testing.T, dir string) owner {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), ownerVar+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://") {
		t.Fatalf("the owner printed %q, %v", line, err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	kill := func() {
		_ = cmd.Process.Kill()
		<-ended
	}
	t.Cleanup(func() {
		_ = in.Close()
		kill()
	})
	return owner{pid: cmd.Process.Pid, endpoint: strings.TrimSpace(line), kill: kill}
}

type way func(context.Context, folder.Config) (*engine.Engine, error)

func open(t *testing.T, in way, dir string) *engine.Engine {
	t.Helper()
	e, err := in(t.Context(), config(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop(context.Background()) })
	return e
}

func stop(t *testing.T, e *engine.Engine) {
	t.Helper()
	if err := e.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func wantInUse(t *testing.T, err error, pid int) {
	t.Helper()
	var inUse *engine.InUseError
	if !errors.As(err, &inUse) || inUse.PID != pid {
		t.Errorf("error = %v, want an InUseError with process %d", err, pid)
	}
}

func TestMake_CreatesAPrivateFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	open(t, folder.Own, dir)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder = %v, %v, want mode 0700", info, err)
	}
}

// TestMake_RefusesALaterFormat checks that a folder of a later format is refused. A folder without a
// format is opened: a power failure may have lost the file.
func TestMake_RefusesALaterFormat(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "1\n": "", "2\n": "has format 2 of a later version of Parley"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "format"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := folder.Make(dir); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("format %q: %v", text, err)
		}
	}
	dir := t.TempDir()
	if err := folder.Make(dir); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "format")); err != nil || string(text) != "1\n" {
		t.Errorf("a folder without a format has %q now, %v", text, err)
	}
}

func TestOwn_SecondOwnerLearnsTheFirstsProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := ownElsewhere(t, dir)
	_, err := folder.Own(t.Context(), config(dir))
	wantInUse(t, err, first.pid)
}

func TestJoin_UsesTheOwnersEngineAndLeavesItRunning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	endpoint := ownElsewhere(t, dir).endpoint
	for range 2 {
		e := open(t, folder.Join, dir)
		if e.Endpoint() != endpoint {
			t.Errorf("Endpoint = %s, want the owner's, %s", e.Endpoint(), endpoint)
		}
		stop(t, e)
	}
	request(t, endpoint, "ListTables", "{}")
}

func TestJoin_WithoutAnOwnerOwnsTheFolderAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := open(t, folder.Join, dir)
	_, err := folder.Own(t.Context(), config(dir))
	wantInUse(t, err, os.Getpid())
	_, err = folder.Join(t.Context(), config(dir))
	wantInUse(t, err, os.Getpid())
	stop(t, e)
	open(t, folder.Own, dir)
}

func TestJoin_WaitsForAStartingOwner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wg sync.WaitGroup
	owned := make(chan *engine.Engine, 1)
	wg.Go(func() {
		e, err := folder.Own(t.Context(), config(dir))
		if err != nil { // a joiner was faster
			wantInUse(t, err, os.Getpid())
		}
		owned <- e
	})
	for range 3 {
		wg.Go(func() {
			e, err := folder.Join(t.Context(), config(dir))
			if err != nil {
				wantInUse(t, err, os.Getpid())
				return
			}
			request(t, e.Endpoint(), "ListTables", "{}")
			_ = e.Stop(t.Context())
		})
	}
	wg.Wait()
	if e := <-owned; e != nil {
		stop(t, e)
	}
}

func TestOwn_TakesOverAKilledOwnersData(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]way{"own": folder.Own, "join": folder.Join} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			killed := ownElsewhere(t, dir)
			request(t, killed.endpoint, "CreateTable", `{"TableName":"kept","BillingMode":"PAY_PER_REQUEST",
				"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
				"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]}`)
			killed.kill()
			e := open(t, in, dir)
			if got := request(t, e.Endpoint(), "ListTables", "{}"); !strings.Contains(got, "kept") {
				t.Errorf("ListTables = %s, want the existing table", got)
			}
		})
	}
}

// request sends a request to the engine without an SDK and returns the body of the response.
func request(t *testing.T, endpoint, operation, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	req.Close = true
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Date", "20200101T000000Z")
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 "+
		"Credential=x/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return ""
	}
	answer, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%s = %d %s, %v", operation, resp.StatusCode, answer, err)
	}
	return string(answer)
}
