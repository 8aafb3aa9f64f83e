package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFeedRepairAll_HasABudgetAndResumes(t *testing.T) {
	t.Parallel()
	dir := dirWithoutStream(t, 3)
	progress := filepath.Join(t.TempDir(), "progress.json")
	all := []string{"--all", "--data", dir, "--progress", progress}
	run := func(want string, ok bool, args ...string) {
		t.Helper()
		out, err := runRepair(t, append(append([]string{}, all...), args...)...)
		if !strings.Contains(out, want) || ok != (err == nil) {
			t.Errorf("%q: %v, want %q\n%s", args, err, want, out)
		}
	}
	run("there is nothing to resume", false, "--resume")
	run("the scan reads", false, "--since", "1h", "--budget", "0.1")
	run("has the progress of an unfinished run: continue it with", false, "--since", "1h")
	run("the budget of read units is used up", false, "--resume", "--budget", "0.1")
	run("1 of 1 rooms repaired: 3 messages read, 0 of their changes present, 3 appended", true, "--resume")
	if _, err := os.Stat(progress); !os.IsNotExist(err) {
		t.Errorf("a finished run did not remove its progress file: %v", err)
	}
	run("1 of 1 rooms repaired: 3 messages read, 3 of their changes present, 0 appended", true, "--since", "1h")
	run("neither a time, as in 2026-01-31T12:00:00Z, nor an age", false, "--since", "yesterday")
	run("is in the future", false, "--since", "9999-01-01T00:00:00Z")
}

// TestFeedRepairAll_InterruptedSaysHowToContinue sends an interrupt, like Ctrl-C.
func TestFeedRepairAll_InterruptedSaysHowToContinue(t *testing.T) {
	t.Parallel()
	dir := dirWithoutStream(t, 3)
	progress := filepath.Join(t.TempDir(), "progress.json")
	cmd := command(t, "feed", "repair", "--all", "--since", "1h", "--data", dir, "--progress", progress, "--read-units", "0.01")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range int(readyTime / pollInterval) {
		if _, err := os.Stat(progress); err == nil {
			break
		}
		time.Sleep(pollInterval)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(string(text), "not finished; to continue: ") || !strings.Contains(string(text), " feed repair --all --data "+dir+" --resume --progress "+progress+"\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if out, err := runRepair(t, "--all", "--data", dir, "--resume", "--progress", progress); err != nil || !strings.Contains(out, "3 appended") {
		t.Errorf("resumed run: %v\n%s", err, out)
	}
}
