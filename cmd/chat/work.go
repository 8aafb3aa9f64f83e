package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/file"
	"example.com/parley/internal/scan"
)

// work holds the flags of a command that reads a complete table. Such a command has a budget and
// can be resumed.
type work struct {
	ReadUnits *float64 `help:"Consume at most this many read units per second. By default 200 of a deployed table, and any number of the data folder's."`
	Budget    float64  `help:"Stop the scan after this many read units. Continue with --resume."`
	Resume    bool     `help:"Continue an interrupted run."`
	Progress  string   `type:"path" help:"The progress file. By default it is named after the command and the table."`
}

func (w *work) check() error {
	if w.ReadUnits != nil && *w.ReadUnits <= 0 {
		return errors.New("--read-units must be greater than 0")
	}
	if w.Budget < 0 {
		return errors.New("--budget must not be negative")
	}
	return nil
}

// defaultUnits leaves most of a new table's units a second, which are thousands, to its users.
const defaultUnits = 200

// rate returns the units a second of a command: the flag's value, or the default. It is infinite
// for a data folder, which costs nothing, and whose engine has no limit either.
func (t *target) rate(flag *float64) float64 {
	switch {
	case flag != nil:
		return *flag
	case t.Table == "":
		return math.Inf(1)
	}
	return defaultUnits
}

// limit returns the Observe of a store that keeps its reads within a limiter's rate.
func limit(limiter *scan.RateLimiter) func(context.Context, dynamo.Usage) {
	return func(ctx context.Context, u dynamo.Usage) {
		if !u.Write {
			_ = limiter.Take(ctx, u.Units) // if ctx has ended, the next call fails
		}
	}
}

// estimate describes a scan at a rate of read units a second.
func estimate(c scan.Cost, rate float64) string {
	text := fmt.Sprintf(
		"the scan reads %d items for about %.0f read units ($%.2f)", c.Items, c.Units, scan.Dollars(c.Units),
	)
	if math.IsInf(rate, 1) {
		return text
	}
	return text + fmt.Sprintf(", in %s or more", c.Takes(rate))
}

// job is one run of such a command, with its progress file.
type job struct {
	path   string
	resume string // the command line that resumes the run
}

// begin prepares a run. If the run resumes another one, begin reads its progress file into
// progress. Otherwise it returns an error if the file exists.
func (w *work) begin(name string, t *target, command string, progress any) (job, error) {
	j := job{path: w.Progress, resume: command + t.flags() + " --resume"}
	if j.path == "" {
		j.path = fmt.Sprintf("parley-%s-%s.json", name, tableName(t))
	} else {
		j.resume += " --progress " + quoted(j.path)
	}
	text, err := os.ReadFile(filepath.Clean(j.path))
	switch {
	case !w.Resume && err == nil:
		return j, fmt.Errorf(
			"%s has the progress of an unfinished run: continue it with %s, or remove the file", j.path, j.resume,
		)
	case !w.Resume && errors.Is(err, os.ErrNotExist):
		return j, nil
	case errors.Is(err, os.ErrNotExist):
		return j, fmt.Errorf("there is nothing to resume: %s does not exist", j.path)
	case err != nil:
		return j, err
	}
	if err := json.Unmarshal(text, progress); err != nil {
		return j, fmt.Errorf("%s is not the progress of this command: %w", j.path, err)
	}
	return j, nil
}

// save replaces the progress file atomically.
func (j job) save(progress any) error {
	text, err := json.Marshal(progress)
	if err != nil {
		return err
	}
	return file.Write(j.path, text)
}

// end removes the progress file after a successful run. After a failure it prints the command that
// resumes the run.
func (j job) end(w io.Writer, failed error) error {
	if failed == nil {
		if err := os.Remove(j.path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	if _, err := os.Stat(j.path); err == nil {
		fmt.Fprintf(w, "not finished; to continue: %s\n", j.resume)
	}
	return failed
}

// interrupted returns an error without the steps that led to it if a signal ended the command.
func interrupted(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	return err
}

func tableName(t *target) string {
	if t.Table == "" {
		return localTable
	}
	return t.Table
}

// flags returns the flags that select the same table.
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

// parseSince parses a time or an age.
func parseSince(flag, text string, now time.Time) (time.Time, error) {
	if ago, err := time.ParseDuration(text); err == nil && ago > 0 {
		return now.Add(-ago).UTC().Truncate(time.Millisecond), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{},
			fmt.Errorf("%s %q is neither a time, as in 2026-01-31T12:00:00Z, nor an age, as in 36h", flag, text)
	}
	if at.After(now) {
		return time.Time{}, fmt.Errorf("%s %q is in the future", flag, text)
	}
	return at.UTC(), nil
}
