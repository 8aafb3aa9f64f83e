package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/local/folder"
	"example.com/parley/internal/scan"
)

// runRepair runs a repair and returns its output.
func runRepair(t testing.TB, args ...string) (string, error) {
	t.Helper()
	out, err := command(t, append([]string{"feed", "repair"}, args...)...).CombinedOutput()
	return string(out), err
}

// dirWithoutStream returns a data folder with a room and n messages, whose table has no stream.
func dirWithoutStream(t testing.TB, n int) (dir string) {
	t.Helper()
	dir = dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	if err := s.end(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	e, err := folder.Own(t.Context(), folder.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Stop(context.Background()) }()
	db := dynamo.LocalClient(e.Endpoint())
	_, err = db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
		TableName: aws.String(localTable), StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(false)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		postTo(t, localStore(e.Endpoint()), "seattle", i)
	}
	return dir
}

func TestFeedRepair_WithAndWithoutAServer(t *testing.T) {
	t.Parallel()
	const messages = 3
	var want []string
	for range messages {
		want = append(want, "message.created amsg 1")
	}
	for _, served := range []bool{true, false} {
		t.Run(fmt.Sprintf("server running: %v", served), func(t *testing.T) {
			t.Parallel()
			dir := dirWithoutStream(t, messages)
			if served {
				serve(t, dir)
			}
			for _, line := range []string{
				"3 messages read, 0 of their changes present, 3 appended; the replies and reactions of 3 messages were counted\n",
				"3 messages read, 3 of their changes present, 0 appended\n",
			} {
				if out, err := runRepair(t, "--room", "seattle", "--data", dir); err != nil || out != line {
					t.Errorf("%q, %v, want %q", out, err, line)
				}
			}
			e, err := folder.Join(t.Context(), folder.Config{Dir: dir})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = e.Stop(context.Background()) }()
			_, tail, err := localStore(e.Endpoint()).FeedFrom(t.Context(), "seattle", 1, messages+2)
			if err != nil || len(tail) < 2 {
				t.Fatal(tail, err)
			}
			if got := describe(tail[len(tail)-1].Changes); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestFeedRepair_ErrorStatesTheReason(t *testing.T) {
	t.Parallel()
	for why, c := range map[string]struct {
		args []string
		says string
	}{
		"no room":                  {nil, "--room"},
		"an invalid room":          {[]string{"--room", "#"}, "room"},
		"an unknown room":          {[]string{"--room", "nowhere"}, "there is no such room"},
		"a region without a table": {[]string{"--room", "seattle", "--region", "eu-west-1"}, "--table"},
		"no credentials":           {[]string{"--room", "seattle", "--table", "t"}, "AWS_"},
		"an invalid folder":        {[]string{"--room", "seattle", "--data", filepath.Join(os.DevNull, "x")}, "folder"},
	} {
		if !slices.Contains(c.args, "--data") {
			c.args = append(c.args, "--data", dataDir(t))
		}
		if out, err := runRepair(t, c.args...); err == nil || !strings.Contains(out, c.says) {
			t.Errorf("%s: %v\n%s", why, err, out)
		}
	}
}

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

// TestTargetRate_HasALimitInAnAccount has none for a data folder, unless a flag states one.
func TestTargetRate_HasALimitInAnAccount(t *testing.T) {
	t.Parallel()
	local, deployed, five := &target{}, &target{Table: "chat"}, 5.0
	for _, tt := range []struct {
		t    *target
		flag *float64
		want float64
	}{{local, nil, math.Inf(1)}, {deployed, nil, 200}, {local, &five, 5}, {deployed, &five, 5}} {
		rate := tt.t.rate(tt.flag)
		if rate != tt.want {
			t.Errorf("the rate is %v, want %v", rate, tt.want)
		}
		if text := estimate(scan.Cost{Items: 3, Units: 10}, rate); strings.Contains(text, " or more") == math.IsInf(rate, 1) {
			t.Errorf("at %v a scan is described as %q", rate, text)
		}
	}
}

// TestReadUnits_MustBePositive refuses a limit with which a command would never end.
func TestReadUnits_MustBePositive(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"search", "verify"}, {"room", "purge", "seattle"}} {
		out, err := command(t, append(args, "--data", dataDir(t), "--read-units", "0")...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--read-units must be greater than 0") {
			t.Errorf("%q: %v\n%s", args, err, out)
		}
	}
}
