package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/parley/internal/follow"
)

// tailing is a running command that shows changes.
type tailing struct {
	cmd       *exec.Cmd
	out, logs *lockedBuffer
	done      chan error
}

func startTail(t *testing.T, args ...string) *tailing {
	t.Helper()
	return startCommand(t, append([]string{"tail"}, args...)...)
}

func startCommand(t *testing.T, args ...string) *tailing {
	t.Helper()
	p := &tailing{cmd: command(t, args...), out: &lockedBuffer{}, logs: &lockedBuffer{}, done: make(chan error, 1)}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.logs
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() }) // it may have exited
	go func() { p.done <- p.cmd.Wait() }()
	return p
}

// wait waits until a buffer contains a text.
func (p *tailing) wait(t *testing.T, b *lockedBuffer, text string) {
	t.Helper()
	for range int(readyTime / pollInterval) {
		if strings.Contains(b.String(), text) {
			return
		}
		time.Sleep(pollInterval)
	}
	t.Fatalf("no %q in %q\n%s", text, b, p.logs)
}

// interrupt ends the command like Ctrl-C.
func (p *tailing) interrupt(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-p.done:
		if err != nil {
			t.Errorf("the end: %v\n%s", err, p.logs)
		}
	case <-time.After(readyTime):
		t.Fatal("the command does not end")
	}
}

// waitForHead waits until a room's feed has a number of changes. Otherwise the page of messages
// would repeat some.
func waitForHead(t *testing.T, room, token string, head int) {
	t.Helper()
	for range int(readyTime / pollInterval) {
		if strings.Contains(mustCall(t, 200, "GET", room+"/changes", token, ""), fmt.Sprintf(`"head":%d`, head)) {
			return
		}
		time.Sleep(pollInterval)
	}
	t.Fatalf("the feed does not reach %d", head)
}

// messageID returns the id in a response.
func messageID(t *testing.T, text string) string {
	t.Helper()
	var m struct{ ID string }
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m.ID
}

// withoutTimes returns lines without their leading times.
func withoutTimes(lines string) string {
	var b strings.Builder
	for line := range strings.Lines(lines) {
		if begin, rest, ok := strings.Cut(line, " "); ok && len(begin) == len("2006-01-02T15:04:05Z") {
			line = rest
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestTailCmd_ShowsPostsEditsAndDeletions(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, "{}")
	messages := s.url + "/rooms/seattle/messages"
	mustCall(t, 201, "POST", messages, token, `{"text":"too old"}`)
	mustCall(t, 201, "POST", messages, token, `{"text":"before"}`)
	waitForHead(t, s.url+"/rooms/seattle", token, 4)
	p := startTail(t, "--url", s.url, "--as", "bob", "--data", dir, "--lines", "1", "seattle")
	p.wait(t, p.logs, "chat: live\n")
	id := messageID(t, mustCall(t, 201, "POST", messages, token, `{"text":"hello\n12:00:00 bob: forged \u001b[2J\u202e"}`))
	p.wait(t, p.out, "forged")
	mustCall(t, 200, "PATCH", messages+"/"+id, token, `{"text":"good bye"}`)
	p.wait(t, p.out, "good bye")
	mustCall(t, 200, "DELETE", messages+"/"+id, token, "")
	p.wait(t, p.out, "(deleted)")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle/members/ann", token, `{"role":"member"}`)
	p.wait(t, p.out, "ann is member")
	p.interrupt(t)
	want := "amsg: before\namsg: hello\n    12:00:00 bob: forged ␛[2J\ufffd\namsg (edited): good bye\namsg (deleted)\n* ann is member\n"
	if got := withoutTimes(p.out.String()); got != want {
		t.Errorf("shown\n%s\nwant\n%s", got, want)
	}
	if got := p.logs.String(); got != "chat: live\n" {
		t.Errorf("notes: %s", got)
	}
}

// TestTailCmd_FollowsAllRooms shows rooms that amsg is in, and one to which they are added.
func TestTailCmd_FollowsAllRooms(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	bob := tokenOf(t, dir, "bob")
	join := func(room string) {
		mustCall(t, 201, "PUT", s.url+"/rooms/"+room, bob, "{}")
		mustCall(t, 201, "PUT", s.url+"/rooms/"+room+"/members/amsg", bob, `{"role":"member"}`)
	}
	post := func(room, text string) {
		mustCall(t, 201, "POST", s.url+"/rooms/"+room+"/messages", bob, fmt.Sprintf(`{"text":%q}`, text))
	}
	join("seattle")
	p := startTail(t, "--url", s.url, "--as", "amsg", "--data", dir, "--all")
	asJSON := startTail(t, "--url", s.url, "--as", "amsg", "--data", dir, "--all", "--json")
	for _, p := range []*tailing{p, asJSON} {
		p.wait(t, p.logs, "chat: live\n")
	}
	post("seattle", "one")
	p.wait(t, p.out, "one")
	join("tacoma")
	post("tacoma", "two")
	p.wait(t, p.out, "two")
	asJSON.wait(t, asJSON.out, `"two"`)
	for _, want := range []string{"seattle ", "bob: one\n", "tacoma ", "bob: two\n"} {
		if !strings.Contains(p.out.String(), want) {
			t.Errorf("no %q in %s", want, p.out)
		}
	}
	for line := range strings.Lines(asJSON.out.String()) {
		var in struct {
			Room   string
			Change follow.Change
		}
		if err := json.Unmarshal([]byte(line), &in); err != nil || in.Room == "" || in.Change.Seq == 0 {
			t.Errorf("%v: %s", err, line)
		}
	}
	p.interrupt(t)
	asJSON.interrupt(t)
}

func TestTailCmd_HidesBlockedPeopleAndEndsWithTheRoom(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	token, ann := tokenOf(t, dir, "amsg"), tokenOf(t, dir, "ann")
	board := messageID(t, mustCall(t, 201, "POST", s.url+"/rooms", token, `{"visibility":"private","name":"The board"}`))
	for _, user := range []string{"ann", "bob"} {
		mustCall(t, 201, "PUT", s.url+"/rooms/"+board+"/members/"+user, token, `{"role":"member"}`)
	}
	bob := tokenOf(t, dir, "bob")
	status, text, err := call(t.Context(), "PUT", s.url+"/people/me/blocks/ann", bob, "")
	if err != nil || status >= 300 {
		t.Fatalf("block: %d %s %v", status, text, err)
	}
	p := startTail(t, "--url", s.url, "--as", "bob", "--data", dir, board)
	p.wait(t, p.logs, "chat: live\n")
	mustCall(t, 201, "POST", s.url+"/rooms/"+board+"/messages", ann, `{"text":"unheard"}`)
	mustCall(t, 201, "POST", s.url+"/rooms/"+board+"/messages", token, `{"text":"heard"}`)
	p.wait(t, p.out, "amsg: heard")
	if strings.Contains(p.out.String(), "unheard") {
		t.Error("a blocked person is shown")
	}
	status, text, err = call(t.Context(), "DELETE", s.url+"/rooms/"+board+"/members/bob", token, "")
	if err != nil || status >= 300 {
		t.Fatalf("remove: %d %s %v", status, text, err)
	}
	select {
	case err := <-p.done:
		if err == nil || !strings.Contains(p.logs.String(), board+" is no longer open to you") {
			t.Errorf("the end: %v\n%s", err, p.logs)
		}
	case <-time.After(readyTime):
		t.Error("the command continues")
	}
}

func TestTailCmd_ListsRooms(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, `{"name":"Seattle"}`)
	mustCall(t, 201, "PUT", s.url+"/rooms/portland", token, `{}`)
	args := []string{"tail", "--url", s.url, "--as", "amsg", "--data", dir}
	out, err := command(t, args...).Output()
	if err != nil || !strings.Contains(string(out), "seattle   owner") {
		t.Errorf("%v: %q", err, out)
	}
	out, err = command(t, append(args, "--json")...).Output()
	if err != nil || strings.Count(string(out), "\n") != 2 || !json.Valid([]byte(strings.SplitN(string(out), "\n", 2)[0])) {
		t.Errorf("%v: %q", err, out)
	}
	for says, more := range map[string][]string{"404": {"chicago"}, "--lines": {"--lines", "201", "seattle"}, "wss": {"--socket", "ws://chat.example/ws", "seattle"}} {
		if out, err := command(t, append(args, more...)...).CombinedOutput(); err == nil || !strings.Contains(string(out), says) {
			t.Errorf("%v: %v, want %q in %s", more, err, says, out)
		}
	}
}

func TestHarmless_MovesNothingOnATerminal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain é 👩‍👩‍👧": "plain é 👩‍👩‍👧", "a\nb\r\nc": "a\n    b\n    c", "\x1b[2J\a\x00": "␛[2J␇␀", "\u009b2J\u0085\u007f": "\ufffd2J\ufffd␡",
		"\u202eabc\u2066\u2028\t.": "\ufffdabc\ufffd\ufffd .", "\r.": "␍.", "\xff": "\ufffd",
	} {
		if got := harmless(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		safe := harmlessJSON(raw)
		if err := json.Unmarshal([]byte(safe), &back); err != nil || strings.ToValidUTF8(text, "\ufffd") != back || strings.ContainsFunc(safe, isHarmful) {
			t.Errorf("%q becomes the JSON %q: %v", text, safe, err)
		}
	}
}
