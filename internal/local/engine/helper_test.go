package engine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// The test binary runs itself as a second process with one of these roles.
const (
	partVar     = "ENGINE_TEST_PART"
	partOwner   = "owner"   // starts an engine on the file named by the first argument
	partOrphan  = "orphan"  // holds the lock like an engine
	partRefuser = "refuser" // the same, and ignores SIGTERM
)

func TestMain(m *testing.M) {
	switch part := os.Getenv(partVar); part {
	case "":
		goleak.VerifyTestMain(m)
		return
	case partOwner:
		e, err := Start(context.Background(), Config{File: os.Args[1], Shared: true, Env: noEndpoint})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(e.Endpoint())
	case partRefuser:
		signal.Ignore(syscall.SIGTERM)
		fallthrough
	case partOrphan:
		fmt.Println("ready")
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // ends when the test ends
}

// startPart runs the test binary in a role and returns its first line.
func startPart(t *testing.T, part, arg string, files ...*os.File) (*os.Process, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], arg)
	cmd.Env = append(os.Environ(), partVar+"="+part)
	cmd.ExtraFiles = files
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
	if err != nil {
		t.Fatalf("%s did not say that it is ready: %v", part, err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }() // wait now, so that a killed process is no zombie
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Process.Kill()
		<-ended
	})
	return cmd.Process, strings.TrimSpace(line)
}

// noEndpoint returns the environment without the address of a running engine.
func noEndpoint(name string) string {
	if name == endpointVar {
		return ""
	}
	return os.Getenv(name)
}

func start(t *testing.T, file string) *Engine {
	t.Helper()
	e, err := Start(t.Context(), Config{File: file, Shared: true, Env: noEndpoint})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Stop(context.Background()) })
	return e
}

func stop(t *testing.T, e *Engine) {
	t.Helper()
	if err := e.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func dataFile(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "engine.db")
}

// call sends a request to the engine without an SDK and returns the body of the response.
func call(t *testing.T, endpoint, operation, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Date", "20200101T000000Z")
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 "+
		"Credential=x/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s = %d %s, %v", operation, resp.StatusCode, answer, err)
	}
	return string(answer)
}

func createTable(t *testing.T, endpoint string) {
	t.Helper()
	call(t, endpoint, "CreateTable", `{"TableName":"kept","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}]}`)
}

func wantTable(t *testing.T, endpoint string) {
	t.Helper()
	if got := call(t, endpoint, "ListTables", "{}"); !strings.Contains(got, `"kept"`) {
		t.Errorf("ListTables = %s, want the existing table", got)
	}
}
