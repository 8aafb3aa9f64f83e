package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/local/file"
)

// work are the flags of a command that goes through a whole table: it is bounded, and can be
// interrupted and resumed.
type work struct {
	ReadUnits float64 `default:"200" help:"Consume at most this many read units a second."`
	Budget    float64 `help:"Stop the scan after this many read units; --resume goes on."`
	Resume    bool    `help:"Go on where an interrupted run has stopped."`
	Progress  string  `type:"path" help:"The file that says how far a run has come. By default it is named after the command and the table."`
}

func (w *work) check() error {
	if w.ReadUnits <= 0 {
		return errors.New("--read-units must be greater than 0")
	}
	if w.Budget < 0 {
		return errors.New("--budget must not be negative")
	}
	return nil
}

// job is a run of such a command, and the file of its progress.
type job struct {
	path  string
	again string // the command line that goes on
}

// begin finds the progress of a run: it reads the file into progress where the run goes on, and
// makes sure that there is none otherwise.
func (w *work) begin(name string, t *target, command string, progress any) (job, error) {
	j := job{path: w.Progress, again: command + t.flags() + " --resume"}
	if j.path == "" {
		j.path = fmt.Sprintf("parley-%s-%s.json", name, tableName(t))
	} else {
		j.again += " --progress " + quoted(j.path)
	}
	text, err := os.ReadFile(filepath.Clean(j.path))
	switch {
	case !w.Resume && err == nil:
		return j, fmt.Errorf("%s has the progress of a run that did not end: go on with %s, or remove the file", j.path, j.again)
	case !w.Resume && errors.Is(err, os.ErrNotExist):
		return j, nil
	case errors.Is(err, os.ErrNotExist):
		return j, fmt.Errorf("there is nothing to resume: no file %s", j.path)
	case err != nil:
		return j, err
	}
	if err := json.Unmarshal(text, progress); err != nil {
		return j, fmt.Errorf("%s is not the progress of this command: %w", j.path, err)
	}
	return j, nil
}

// save keeps the progress; it replaces the file in one step.
func (j job) save(progress any) error {
	text, err := json.Marshal(progress)
	if err != nil {
		return err
	}
	return file.Write(j.path, text)
}

// end removes the progress of a run that is done, and otherwise says how to go on.
func (j job) end(w io.Writer, failed error) error {
	if failed == nil {
		if err := os.Remove(j.path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	if _, err := os.Stat(j.path); err == nil {
		fmt.Fprintf(w, "not done; to go on: %s\n", j.again)
	}
	return failed
}

func tableName(t *target) string {
	if t.Table == "" {
		return localTable
	}
	return t.Table
}

// flags are those by which the same table is found again.
func (t *target) flags() string {
	var b strings.Builder
	for _, f := range [][2]string{{"--table", t.Table}, {"--region", t.Region}, {"--profile", t.Profile}} {
		if f[1] != "" {
			b.WriteString(" " + f[0] + " " + quoted(f[1]))
		}
	}
	if t.Table == "" {
		b.WriteString(" --data " + quoted(t.Data))
	}
	return b.String()
}

// parseSince reads a time, or how long ago it was.
func parseSince(flag, text string, now time.Time) (time.Time, error) {
	if ago, err := time.ParseDuration(text); err == nil && ago > 0 {
		return now.Add(-ago).UTC().Truncate(time.Millisecond), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s %q is neither a time as in 2026-01-31T12:00:00Z nor how long ago, as in 36h", flag, text)
	}
	if at.After(now) {
		return time.Time{}, fmt.Errorf("%s %q is in the future", flag, text)
	}
	return at.UTC(), nil
}
