package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	teamFixture  = "../../internal/archive/slack/testdata/team"
	slackFixture = "../../internal/archive/slack/testdata/export"
	filesFixture = "../../internal/archive/slack/testdata/files"
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

// wantCount checks one counter of a report, which omits counters that are 0.
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
	wantCount(t, report, "imported", "10")
	wantCount(t, report, "already there", "0")
	wantCount(t, report, "channel_join", "1")
	wantCount(t, report, "conflict", "0")
	if show := "serve --data " + dir + " runs, open http://127.0.0.1:8080/ and sign in as one of 3 people, such as ada."; !strings.Contains(report, show) {
		t.Errorf("the import does not end with the address of the page:\n%s", report)
	}
	if !strings.Contains(lines, "file=general/2020-01-01.json record=9") || strings.ContainsAny(lines, "\r\x1b") || !strings.Contains(lines, "reading 0.0 MB, without files above 64 MB") {
		t.Errorf("log:\n%s", lines)
	}
	s := serve(t, dir)
	page := mustCall(t, 200, "GET", s.url+"/rooms/lab-2/messages", tokenOf(t, dir, "eve"), "")
	if !strings.Contains(page, `"two"`) {
		t.Error(page)
	}
}

// An import carries over everything that the API then shows, under the subjects of a map of
// people.
func TestImport_TeamInTheAPI(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	people := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(people, []byte("from,to\nU1,e129\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"slack", teamFixture, "--data", dir, "--people", people}
	report, lines, err := runImport(t, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	for name, count := range map[string]string{
		"imported": "21", "skipped": "3", "parts left out": "7", "reactions added": "4", "people added": "8", "members added": "5",
	} {
		wantCount(t, report, name, count)
	}
	s := serve(t, dir)
	token := tokenOf(t, dir, "e129")
	page := mustCall(t, 200, "GET", s.url+"/rooms/general/messages?limit=200", token, "")
	for _, want := range []string{
		`"editedAt":"2024-03-04T09:01:10.000Z"`, `"text":"The place is full, let us go at one"`, `"text":"is hungry"`, `"metadata":{"me":true}`,
		`"user":"B9"`, `"metadata":{"bot":{"id":"B9","name":"Deploy Hook"}}`,
		`"url":"https://files.example/T1-F1/menu.png?v=2"`, `"user":"e129"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no message has %s in\n%s", want, page)
		}
	}
	if strings.Contains(page, `"text":"Yes, @Ada Lovelace"`) || !strings.Contains(page, `"text":"The place is full, let us go at one"`) {
		t.Error("the room lists replies, or does not list broadcasts")
	}
	const root = "018e08b1-e4e2-70c8-94c3-10b6972f3f38~e129"
	wantReplies(t, s.url+"/rooms/general/messages/"+root, token)
	wantReadThread(t, s.url, token)
	wantReactions(t, s.url+"/rooms/general/messages/"+root, token)
	wantReadMention(t, s.url, token)
	if strings.Contains(page, "xoxe") || strings.Contains(page, `"user":"U1"`) {
		t.Error(page)
	}
	if p := mustCall(t, 200, "GET", s.url+"/people/me", token, ""); !strings.Contains(p, `"name":"Ada Lovelace"`) {
		t.Error(p)
	}
	if p := mustCall(t, 200, "GET", s.url+"/people/B6", token, ""); !strings.Contains(p, `"kind":"bot"`) {
		t.Error(p)
	}
	if p := mustCall(t, 200, "GET", s.url+"/rooms/dev/members", token, ""); !strings.Contains(p, `"user":"e129"`) {
		t.Error(p)
	}

	report, lines, err = runImport(t, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	for name, count := range map[string]string{
		"imported": "0", "already there": "21", "reactions already there": "4", "people already there": "8", "members already there": "5",
	} {
		wantCount(t, report, name, count)
	}
}

// Private channels are imported on demand only, and the command says what that means.
func TestImport_PrivateOnDemand(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	for _, c := range []struct {
		flags   []string
		skipped string
	}{{nil, "2"}, {[]string{"--private"}, "0"}} {
		report, lines, err := runImport(t, append([]string{"slack", slackFixture, "--data", dir}, c.flags...)...)
		if err != nil {
			t.Fatalf("%v\n%s", err, lines)
		}
		wantCount(t, report, "not a public channel", c.skipped)
		if said := strings.Contains(lines, "so can whoever can read the table"); said != (c.flags != nil) {
			t.Errorf("with %q:\n%s", c.flags, lines)
		}
	}
}

// A list of people is written without a data folder, and its form is a map.
func TestImport_ListOfPeople(t *testing.T) {
	t.Parallel()
	list, lines, err := runImport(t, "slack", teamFixture, "--list-people")
	if err != nil || !strings.HasPrefix(list, "id,handle,name,email,subject\nU1,ada,Ada Lovelace,ada@people.example,\n") {
		t.Fatalf("%v\n%s%s", err, lines, list)
	}
	people := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(people, []byte(strings.Replace(list, "example,\n", "example,e129\n", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := dataDir(t)
	if report, lines, err := runImport(t, "slack", teamFixture, "--data", dir, "--people", people); err != nil || !strings.Contains(report, "such as Ada Lovelace") {
		t.Fatalf("%v\n%s%s", err, lines, report)
	}
	s := serve(t, dir)
	if p := mustCall(t, 200, "GET", s.url+"/people/me", tokenOf(t, dir, "e129"), ""); !strings.Contains(p, `"name":"Ada Lovelace"`) || !strings.Contains(p, `"handle":"ada"`) {
		t.Error(p)
	}
}

// Downloaded files of an export become attachments, whose links work.
func TestImport_FilesInTheAPI(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	report, lines, err := runImport(t, "slack", filesFixture, "--data", dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	wantCount(t, report, "files not found", "6")
	if !strings.Contains(report, "6 files are not in the export") {
		t.Error(report)
	}
	if report, lines, err = runImport(t, "slack", filesFixture, "--files", filesFixture, "--data", dir); err != nil {
		t.Fatalf("%v\n%s", err, lines)
	}
	for name, count := range map[string]string{"already there": "4", "files added": "4", "files not found": "2"} {
		wantCount(t, report, name, count)
	}
	s := serve(t, dir)
	token := tokenOf(t, dir, "eve")
	var page struct {
		Items []struct {
			ID          string
			Text        string
			Attachments []struct{ ID, Name string }
		}
	}
	if err := json.Unmarshal([]byte(mustCall(t, 200, "GET", s.url+"/rooms/general/messages?order=asc", token, "")), &page); err != nil {
		t.Fatal(err)
	}
	plan := page.Items[0]
	if plan.Text != "The **plan**" || len(plan.Attachments) != 2 || plan.Attachments[0].Name != "plan.png" {
		t.Fatalf("%+v", plan)
	}
	var links struct {
		Items []struct{ URL, Preview string }
	}
	text := mustCall(t, 200, "POST", s.url+"/rooms/general/attachments/links", token, `{"messages":["`+plan.ID+`"]}`)
	if err := json.Unmarshal([]byte(text), &links); err != nil || len(links.Items) != 2 || links.Items[0].Preview == "" {
		t.Fatalf("%s, %v", text, err)
	}
	want, err := os.ReadFile(filesFixture + "/__uploads/F01PLAN/plan.png")
	if err != nil {
		t.Fatal(err)
	}
	if got := mustCall(t, 200, "GET", s.url+links.Items[0].URL, "", ""); got != string(want) {
		t.Errorf("the file has %d bytes, want %d", len(got), len(want))
	}
	list := mustCall(t, 200, "GET", s.url+"/rooms/general/attachments", token, "")
	for _, name := range []string{"plan.png", ".._notes.txt", "table.csv", "photo.jpg"} {
		if !strings.Contains(list, `"`+name+`"`) {
			t.Errorf("%s is not listed in %s", name, list)
		}
	}
}

// The feed function follows an import when a server runs.
const (
	feedWithin = time.Minute
	feedPoll   = 50 * time.Millisecond
)

// wantReplies waits until a message states the replies of its thread, and the thread lists them,
// including broadcasts.
func wantReplies(t *testing.T, root, token string) {
	t.Helper()
	type replies struct {
		Count  int
		Users  []string
		LastAt string
	}
	want := replies{Count: 4, Users: []string{"U3", "e129", "U2"}, LastAt: "2024-03-05T09:05:00.006Z"}
	var m struct{ Replies replies }
	for end := time.Now().Add(feedWithin); m.Replies.Count < want.Count && time.Now().Before(end); time.Sleep(feedPoll) {
		if err := json.Unmarshal([]byte(mustCall(t, 200, "GET", root, token, "")), &m); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(want, m.Replies); d != "" {
		t.Errorf("the replies of the message (-want +got):\n%s", d)
	}
	var page struct {
		Items []struct {
			Text       string
			ShowInRoom bool
		}
	}
	if err := json.Unmarshal([]byte(mustCall(t, 200, "GET", root+"/replies?order=asc", token, "")), &page); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range page.Items {
		got = append(got, fmt.Sprintf("%s: %v", r.Text, r.ShowInRoom))
	}
	all := []string{
		"Yes, @Ada Lovelace: false", "The place is full, let us go at one: true", "one more for lunch: false", "a broadcast of an older export: true",
	}
	if !slices.Equal(got, all) {
		t.Errorf("the thread lists %q, want %q", got, all)
	}
}

// wantReadThread checks that a person follows the two imported threads, one of which has lost its
// first message, and that they have read them.
func wantReadThread(t *testing.T, address, token string) {
	t.Helper()
	page := mustCall(t, 200, "GET", address+"/people/me/threads", token, "")
	if strings.Count(page, `"unread":`) != 2 || strings.Count(page, `"unread":0`) != 2 || strings.Count(page, `"deletedAt":`) != 1 {
		t.Errorf("the threads of a person after an import: %s", page)
	}
}

// wantReadMention waits until the list of a person has their imported mention, which is not unread.
func wantReadMention(t *testing.T, address, token string) {
	t.Helper()
	var page string
	for end := time.Now().Add(feedWithin); !strings.Contains(page, `"Yes, @Ada Lovelace"`) && time.Now().Before(end); time.Sleep(feedPoll) {
		page = mustCall(t, 200, "GET", address+"/people/me/mentions", token, "")
	}
	rooms := mustCall(t, 200, "GET", address+"/people/me/rooms", token, "")
	if strings.Count(page, `"mentions":["e129"]`) != 1 || !strings.Contains(rooms, `"mentions":0`) || regexp.MustCompile(`"(?:mentions|unread)":[1-9]`).MatchString(rooms) {
		t.Errorf("the mentions are %s\nin the rooms %s", page, rooms)
	}
}

// wantReactions waits until the first message of the thread has the right reaction counts.
func wantReactions(t *testing.T, address, token string) {
	t.Helper()
	var m struct {
		Reactions []struct {
			Emoji string
			Count int
		}
	}
	for end := time.Now().Add(feedWithin); len(m.Reactions) < 3 && time.Now().Before(end); time.Sleep(feedPoll) {
		text := mustCall(t, 200, "GET", address, token, "")
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
	}
	counts := map[string]int{}
	for _, r := range m.Reactions {
		counts[r.Emoji] = r.Count
	}
	if want := map[string]int{"👍": 2, "👏🏼": 1, "❤️": 1}; !maps.Equal(counts, want) {
		t.Errorf("reactions %v, want %v", counts, want)
	}
}

func TestImport_WhileAServerRuns(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	for _, want := range []struct{ path, imported, already, notices string }{
		{ircFixture, "3", "0", "0"}, {ircFixture, "0", "3", "0"}, {filepath.Dir(ircFixture), "8", "3", "2"},
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
		"no such map":              {[]string{"slack", slackFixture, "--people", "absent.csv"}, "--people"},
		"an invalid map":           {[]string{"slack", slackFixture, "--people", "import_test.go"}, "line 1 of the map of people"},
		"no such files":            {[]string{"slack", slackFixture, "--files", "absent"}, "absent"},
		"a bucket without a table": {[]string{"slack", slackFixture, "--files", ".", "--bucket", "b"}, "--table"},
		"no such log":              {[]string{"irc", "--room", "test", "absent.txt"}, "absent.txt"},
		"no log in a folder":       {[]string{"irc", "--room", "test", "."}, "date"},
		"no log":                   {[]string{"irc", "--room", "test", "import_test.go"}, "no line has a form"},
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
