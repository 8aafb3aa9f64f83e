package main

import (
	"bytes"
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	slackFixture = "../../internal/archive/slack/testdata/export"
	ircFixture   = "../../internal/archive/irc/testdata/logs/2020-02-28_10.txt"
)

// runImport runs an import and returns its report, its log and its error.
func runImport(t testing.TB, args ...string) (report, lines string, err error) {
	t.Helper()
	cmd := command(t, append([]string{"import"}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), err
}

// wantCount checks one counter of a report, which leaves out those that are 0.
func wantCount(t testing.TB, report, name, count string) {
	t.Helper()
	if count == "0" && name != "imported" {
		if strings.Contains(report, name) {
			t.Errorf("%s is in the report\n%s", name, report)
		}
		return
	}
	if !regexp.MustCompile(`(?m)^ *` + name + `: +` + count + `$`).MatchString(report) {
		t.Errorf("%s is not %s in the report\n%s", name, count, report)
	}
}

func TestImport_IsServedByTheNextServer(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	report, lines, err := runImport(t, "slack", slackFixture, "--data", dir, "--shards", "3")
	if err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	wantCount(t, report, "imported", "9")
	wantCount(t, report, "already there", "0")
	wantCount(t, report, "channel_join", "1")
	wantCount(t, report, "conflict", "0")
	if show := ` token --data ` + dir + ` --user import)" 'http://127.0.0.1:8080/rooms/`; !strings.Contains(report, show) {
		t.Errorf("no command shows the newest messages:\n%s", report)
	}
	if !strings.Contains(lines, "file=general/2020-01-01.json record=9") || strings.ContainsAny(lines, "\r\x1b") {
		t.Errorf("log:\n%s", lines)
	}
	s := serve(t, dir)
	page := mustCall(t, 200, "GET", s.url+"/rooms/lab-2/messages", tokenOf(t, dir, "eve"), "")
	if !strings.Contains(page, `"two"`) {
		t.Error(page)
	}
}

func TestImport_WhileAServerRuns(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	for _, want := range []struct{ path, imported, already, notices string }{
		{ircFixture, "3", "0", "0"}, {ircFixture, "0", "3", "0"}, {filepath.Dir(ircFixture), "7", "3", "1"},
	} {
		report, lines, err := runImport(t, "irc", "--room", "test", "--data", dir, want.path)
		if err != nil {
			t.Fatalf("%v\n%s", err, lines)
		}
		wantCount(t, report, "imported", want.imported)
		wantCount(t, report, "already there", want.already)
		wantCount(t, report, "notice", want.notices)
	}
	page := mustCall(t, 200, "GET", s.url+"/rooms/test/messages?user=ada&at=2020-02-28:13", tokenOf(t, dir, "eve"), "")
	if !strings.Contains(page, `"one"`) || strings.Contains(page, `"noon"`) {
		t.Error(page)
	}
}

func TestImport_ErrorStatesTheReason(t *testing.T) {
	t.Parallel()
	for why, c := range map[string]struct {
		args []string
		says string
	}{
		"no such export":           {[]string{"slack", "absent"}, "absent"},
		"not a Slack export":       {[]string{"slack", "."}, "channels.json"},
		"no such log":              {[]string{"irc", "--room", "test", "absent.txt"}, "absent.txt"},
		"no log in a folder":       {[]string{"irc", "--room", "test", "."}, "date"},
		"no date in a name":        {[]string{"irc", "--room", "test", "import_test.go"}, "date"},
		"no room":                  {[]string{"irc", ircFixture}, "--room"},
		"an invalid room":          {[]string{"irc", "--room", "#test", ircFixture}, "room"},
		"too many shards":          {[]string{"irc", "--room", "test", "--shards", "65", ircFixture}, "shards"},
		"an invalid creator":       {[]string{"irc", "--room", "test", "--creator", "a#b", ircFixture}, "creator"},
		"a region without a table": {[]string{"irc", "--room", "test", "--region", "eu-west-1", ircFixture}, "--table"},
	} {
		report, lines, err := runImport(t, append(c.args, "--data", dataDir(t))...)
		if err == nil || report != "" || !strings.Contains(lines, c.says) {
			t.Errorf("%s: %v\n%s%s", why, err, report, lines)
		}
	}
}
