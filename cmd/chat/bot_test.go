package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fate is the point at which a bot is killed.
type fate int

const (
	survives     fate = iota
	beforeAnswer      // it has read a command, and its answer does not reach the server
	afterAnswer       // the server has its answer, and it does not know
	whileWorking      // it has just received a response
)

// killer is a network before a server. It kills the bot behind it when the bot posts.
type killer struct {
	proxy *httputil.ReverseProxy
	args  []string
	logs  *lockedBuffer

	mu    sync.Mutex
	bot   *exec.Cmd
	next  fate
	posts int
}

// newKiller prepares a bot of examples/bot in a room, or in all its rooms, with the given token.
func newKiller(t *testing.T, program, server, room, token string) *killer {
	t.Helper()
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	tokenFile, state := filepath.Join(t.TempDir(), "token"), filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(tokenFile, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := &killer{proxy: httputil.NewSingleHostReverseProxy(target), logs: &lockedBuffer{}}
	address := httptest.NewServer(k)
	t.Cleanup(address.Close)
	k.args = []string{program, "-url", address.URL, "-socket", "ws" + strings.TrimPrefix(server, "http") + "/ws", "-token", tokenFile, "-state", state}
	if room != "" {
		k.args = slices.Insert(k.args, 1, "-room", room)
	}
	t.Cleanup(func() { k.kill(t) })
	return k
}

func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		k.proxy.ServeHTTP(w, r)
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.posts++
	now := k.next
	k.next = survives
	switch now {
	case survives:
		k.proxy.ServeHTTP(w, r)
	case beforeAnswer:
		_ = k.bot.Process.Kill()
		panic(http.ErrAbortHandler)
	case afterAnswer:
		k.proxy.ServeHTTP(discarded{http.Header{}}, r)
		_ = k.bot.Process.Kill()
		panic(http.ErrAbortHandler)
	}
}

// discarded is a response that nobody receives.
type discarded struct{ header http.Header }

func (d discarded) Header() http.Header         { return d.header }
func (d discarded) Write(b []byte) (int, error) { return len(b), nil }
func (d discarded) WriteHeader(int)             {}

// start starts the bot again, which is killed at its next post unless it survives.
func (k *killer) start(t *testing.T, next fate) {
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.next = next
	k.bot = exec.Command(k.args[0], k.args[1:]...)
	k.bot.Stderr = k.logs
	if err := k.bot.Start(); err != nil {
		t.Fatal(err)
	}
}

// kill ends the bot at any point.
func (k *killer) kill(t *testing.T) {
	k.mu.Lock()
	bot := k.bot
	k.mu.Unlock()
	if bot == nil || bot.ProcessState != nil {
		return
	}
	_ = bot.Process.Kill()
	k.wait(t)
}

// wait waits until the bot was killed.
func (k *killer) wait(t *testing.T) {
	t.Helper()
	if err := k.bot.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("the bot ended with %v\n%s", err, k.logs)
	}
}

// TestBot_AnswersEachCommandOnce kills the bot of examples/bot again and again while it answers:
// before the server has an answer, after it, and while it waits.
func TestBot_AnswersEachCommandOnce(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "bot")
	if out, err := exec.Command("go", "build", "-o", program, "../../examples/bot").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := dataDir(t)
	s := serve(t, dir)
	bob, bot, desk := tokenOf(t, dir, "bob"), tokenOf(t, dir, "robot"), tokenOf(t, dir, "desk", "--service")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", bob, `{}`)
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle/members/robot", bob, `{"role":"member"}`)
	mustCall(t, 201, "PUT", s.url+"/rooms/p-games", desk, `{"visibility":"private"}`)
	mustCall(t, 201, "PUT", s.url+"/rooms/p-games/members/bob", desk, `{"role":"member"}`)
	t.Run("all rooms of a member", func(t *testing.T) {
		t.Parallel()
		k := newKiller(t, program, s.url, "", bot)
		answersThroughKills(t, k, s.url+"/rooms/seattle", bob, func() {})
		later := s.url + "/rooms/tacoma" // the bot is added to it later
		mustCall(t, 201, "PUT", later, bob, `{}`)
		k.posts = 0
		answersThroughKills(t, k, later, bob, func() {
			mustCall(t, 201, "PUT", later+"/members/robot", bob, `{"role":"member"}`)
			waitFor(t, "the position in the room", func() bool {
				text, err := os.ReadFile(k.args[len(k.args)-1])
				return err == nil && strings.Contains(string(text), "tacoma")
			})
		})
	})
	t.Run("a service's room, of which it is no member", func(t *testing.T) {
		t.Parallel()
		answersThroughKills(t, newKiller(t, program, s.url, "p-games", desk), s.url+"/rooms/p-games", bob, func() {})
	})
}

// answersThroughKills sends commands as bob, and compares the room's messages at the end. It calls
// begun once the bot is running.
func answersThroughKills(t *testing.T, k *killer, room, bob string, begun func()) {
	k.start(t, survives)
	waitFor(t, "the first position", func() bool {
		_, err := os.Stat(k.args[len(k.args)-1])
		return err == nil
	})
	begun()
	commands := 0
	command := func(text string) {
		mustCall(t, 201, "POST", room+"/messages", bob, fmt.Sprintf(`{"text":%q}`, text))
		commands++
	}
	answered := func() {
		waitFor(t, "the answers", func() bool { return len(answersIn(t, room, bob)) >= commands })
	}
	command("!remind 1s tea")
	commands++ // the reminder itself
	answered()
	for _, at := range []fate{beforeAnswer, afterAnswer, afterAnswer, beforeAnswer, afterAnswer} {
		k.kill(t)
		command("!time") // while there is no bot
		command("!roll 2d6")
		k.start(t, at)
		k.wait(t)
		k.start(t, survives)
		answered()
	}
	k.kill(t)
	k.start(t, survives)
	command("!roll 1000d2")
	answered()
	k.kill(t)
	all := answersIn(t, room, bob)
	if len(all) != commands {
		t.Errorf("%d commands have the answers %q", commands, all)
	}
	if k.posts < commands+5 {
		t.Errorf("%d answers were posted, want at least 5 twice, %d in all", k.posts, commands+5)
	}
	text := strings.Join(all, "\n")
	for part, n := range map[string]int{"It is ": 5, "2d6 is ": 5, "I roll dice if": 1, "I will remind you": 1, "bob: tea": 1} {
		if strings.Count(text, part) != n {
			t.Errorf("want %q %d times:\n%s", part, n, text)
		}
	}
}

// answersIn returns the texts of a room's messages that are not bob's.
func answersIn(t *testing.T, room, bob string) (texts []string) {
	t.Helper()
	var page struct {
		Items []struct{ User, Text string }
	}
	if err := json.Unmarshal([]byte(mustCall(t, 200, "GET", room+"/messages?limit=200", bob, "")), &page); err != nil {
		t.Fatal(err)
	}
	for _, m := range page.Items {
		if m.User != "bob" {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// waitFor waits for a condition.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(readyTime); !holds(); time.Sleep(pollInterval) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}
