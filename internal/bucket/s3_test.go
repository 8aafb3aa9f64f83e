//go:build deploy

package bucket_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

const (
	// gateway is the binary of an S3 gateway by other people, which make test-deploy builds.
	gateway = "../../bin/versitygw"
	// gatewayStart bounds its start, which takes a tenth of a second.
	gatewayStart = time.Minute
)

// TestContract_S3KeepsIt compares with an implementation of S3 that is not ours.
func TestContract_S3KeepsIt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files, metadata := filepath.Join(dir, "files"), filepath.Join(dir, "metadata")
	for _, folder := range []string{filepath.Join(files, "bucket"), metadata} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), gateway, "--access", contractKeys.AccessKeyID, "--secret", contractKeys.SecretAccessKey,
		"--port", address, "--region", contractRegion, "posix", "--sidecar", metadata, files)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatalf("start the gateway; did make test-deploy build it? %v", err)
	}
	defer func() { _ = cmd.Wait() }() // it is killed
	defer func() { _ = cmd.Process.Kill() }()
	ctx, cancel := context.WithTimeout(t.Context(), gatewayStart)
	defer cancel()
	for {
		var d net.Dialer
		if c, err := d.DialContext(ctx, "tcp", address); err == nil {
			_ = c.Close()
			break
		}
		if ctx.Err() != nil {
			t.Fatal("the gateway does not start")
		}
		time.Sleep(10 * time.Millisecond)
	}
	contract(t, "http://"+address+"/bucket", http.DefaultTransport)
}
