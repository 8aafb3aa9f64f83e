package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestServe_ExplainsAFailedStart starts servers that cannot run. Each prints one line with its reason
// and advice, and exits with status 1.
func TestServe_ExplainsAFailedStart(t *testing.T) {
	t.Parallel()
	file, damaged, foreign, later := filepath.Join(t.TempDir(), "file"), t.TempDir(), t.TempDir(), t.TempDir()
	for path, text := range map[string]string{
		file: "", filepath.Join(foreign, "engine.db"): strings.Repeat("not a database ", 1000), filepath.Join(later, "format"): "99\n",
		filepath.Join(damaged, "engine.db"): strings.Repeat("not a database ", 1000) + "INDEX _stream_records_in_order TRIGGER _stream_records_trim",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct{ addr, dir, says string }{
		"no port":            {"8080", dataDir(t), "--addr must be an address of this machine, such as 127.0.0.1:8080: "},
		"no number":          {"127.0.0.1:http-", dataDir(t), "--addr must be an address of this machine"},
		"another machine":    {"203.0.113.7:8080", dataDir(t), "--addr must be an address of this machine"},
		"a file as a folder": {"127.0.0.1:0", file, "not a directory; choose another one with --data DIR"},
		"a later version":    {"127.0.0.1:0", later, "has format 99 of a later version of Parley"},
		"a file of others":   {"127.0.0.1:0", foreign, "lacks the index or the trigger of its stream, so another program created it: choose another folder with --data DIR"},
		"a damaged file":     {"127.0.0.1:0", damaged, "is damaged: put back a copy of the folder, or choose another"},
	} {
		out, err := command(t, "serve", "--addr", tt.addr, "--data", tt.dir).CombinedOutput()
		wantLine(t, name, out, err, tt.says)
	}
}

func wantLine(t *testing.T, name string, out []byte, err error, says string) {
	t.Helper()
	exit := &exec.ExitError{}
	text := string(out)
	if !errors.As(err, &exit) || exit.ExitCode() != exitFailed || !strings.Contains(text, says) || strings.Count(text, "\n") != 1 {
		t.Errorf("%s: %v\n%s", name, err, text)
	}
}

// TestServe_ExplainsAFullDisk limits the size of the engine's files: first so that the server cannot
// start, then so that it cannot store all messages.
func TestServe_ExplainsAFullDisk(t *testing.T) {
	dir, program := dataDir(t), enginePath(t)
	limitEngine(t, program, "80") // blocks of 512 bytes
	out, err := command(t, "serve", "--addr", "127.0.0.1:0", "--data", dir).CombinedOutput()
	wantLine(t, "at the start", out, err, "cannot be written: its disk is full or broken")

	limitEngine(t, program, "800")
	s := serve(t, dir) // the failed start has left a folder that can be used
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	const enough = 200 // messages of 3 KB
	status := 0
	for range enough {
		if status, _, err = call(t.Context(), "POST", s.url+"/rooms/seattle/messages", token, `{"text":"`+strings.Repeat("x", 3000)+`"}`); status == 503 {
			break
		}
		time.Sleep(pollInterval)
	}
	if said := s.logs.String(); status != 503 || strings.Count(said, "the disk is full or broken: nothing is stored") != 1 {
		t.Errorf("the last status is %d, %v:\n%s", status, err, said)
	}
}

// enginePath returns the engine's program, as an absolute path.
func enginePath(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob("../../node_modules/@dynoxide/*/dynoxide")
	if path := os.Getenv("DYNOXIDE_BIN"); path != "" {
		found = []string{path}
	}
	if err != nil || len(found) == 0 {
		t.Fatalf("the engine is not installed: %v", err)
	}
	path, err := filepath.Abs(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// limitEngine limits the size of files that the engine may write. Writes beyond it fail.
func limitEngine(t *testing.T, program, blocks string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "engine")
	script := "#!/bin/sh\ntrap '' XFSZ\nulimit -f " + blocks + "\nexec '" + program + "' \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DYNOXIDE_BIN", path)
}

// TestServe_InterruptedStartEndsQuietly ends the context while the engine starts and the tables are
// created.
func TestServe_InterruptedStartEndsQuietly(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond} {
		ctx, cancel := context.WithCancel(t.Context())
		stop := time.AfterFunc(after, cancel)
		var out, logs lockedBuffer
		if status := run(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--data", dataDir(t)}, &out, &logs); status != exitDone || logs.String() != "" {
			t.Errorf("interrupted after %v: status %d\n%s", after, status, logs.String())
		}
		stop.Stop()
		cancel()
	}
}
