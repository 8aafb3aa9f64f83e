package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/test/nightly"
)

const (
	// deaths and nightlyDeaths are the number of times that a program is killed.
	deaths, nightlyDeaths = 8, 60
	// away and nightlyAway are the number of changes while the index is away.
	away, nightlyAway = 300, 10_000
)

// said is a message as the author knows it.
type said struct{ id, room, text string }

// speaker is a person who posts, edits and deletes at random.
type speaker struct {
	t          *testing.T
	url, token string
	rooms      []string
	random     *rand.Rand
	n          int
	messages   []said // that exist
	words      func(n int) string
	replies    bool // some posts are replies
}

func newSpeaker(t *testing.T, s *server, random *rand.Rand, rooms ...string) *speaker {
	t.Helper()
	k := &speaker{t: t, url: s.url, token: tokenOf(t, s.dir, "bob"), rooms: rooms, random: random, replies: true}
	k.words = func(n int) string { return fmt.Sprintf("note %d", n) }
	for _, room := range rooms {
		mustCall(t, 201, "PUT", s.url+"/rooms/"+room, k.token, `{}`)
	}
	return k
}

// post posts a message, or a reply to root unless that is empty. It returns the message's text.
func (k *speaker) post(room, root string) string {
	k.t.Helper()
	k.n++
	m := said{room: room, text: k.words(k.n)}
	body := fmt.Sprintf(`{"text":%q}`, m.text)
	if root != "" {
		body = fmt.Sprintf(`{"text":%q,"thread":%q}`, m.text, root)
	}
	var posted struct{ ID, Thread string }
	if err := json.Unmarshal([]byte(mustCall(k.t, 201, "POST", k.url+"/rooms/"+room+"/messages", k.token, body)), &posted); err != nil {
		k.t.Fatal(err)
	}
	m.id = posted.ID
	k.messages = append(k.messages, m)
	return m.text
}

// change changes something at random.
func (k *speaker) change() {
	k.t.Helper()
	room := k.rooms[k.random.IntN(len(k.rooms))]
	choice := k.random.IntN(10)
	if choice < 5 || len(k.messages) == 0 {
		k.post(room, "")
		return
	}
	i := k.random.IntN(len(k.messages))
	m := k.messages[i]
	path := k.url + "/rooms/" + m.room + "/messages/" + m.id
	switch {
	case choice < 6:
		status, text, err := call(k.t.Context(), "GET", path, k.token, "")
		if err != nil || status != http.StatusOK {
			k.t.Fatalf("%d, %v: %s", status, err, text)
		}
		if k.replies && !strings.Contains(text, `"thread"`) { // replies have no replies
			k.post(m.room, m.id)
		}
	case choice < 9:
		k.n++
		k.messages[i].text = k.words(k.n)
		in := request{token: k.token, body: fmt.Sprintf(`{"text":%q}`, k.messages[i].text), ifMatch: "*"}
		if status, text, err := callIf(k.t.Context(), "PATCH", path, in); err != nil || status != http.StatusOK {
			k.t.Fatalf("%d, %v: %s", status, err, text)
		}
	default:
		mustCall(k.t, 200, "DELETE", path, k.token, "")
		k.messages = slices.Delete(k.messages, i, i+1)
	}
}

// changes changes something several times.
func (k *speaker) changes(n int) {
	k.t.Helper()
	for range n {
		k.change()
	}
}

// TestIndex_IsCompleteAfterKillsAndAbsence kills the index of examples/index while it stores, and
// keeps it away from many changes. At the end it has each message once, with its last text.
func TestIndex_IsCompleteAfterKillsAndAbsence(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "--send-rate", "100000")
	random := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	k := newSpeaker(t, s, random, "seattle", "tacoma", "doomed")
	file := filepath.Join(t.TempDir(), "index.db")
	m := newMortal(t, s, "index", "-db", file)
	finder := buildExample(t, "index/find")
	find := func() (lines []string) {
		out, err := exec.Command(finder, "note", file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		lines = strings.Split(strings.TrimSpace(string(out)), "\n")
		slices.Sort(lines)
		return lines
	}
	isComplete := func() {
		t.Helper()
		m.start(t, 0, survives)
		for _, room := range k.rooms { // the last message of a room follows all others
			last := k.post(room, "")
			waitFor(t, "the last message", func() bool {
				return slices.ContainsFunc(find(), func(line string) bool { return strings.HasSuffix(line, " "+last) })
			})
		}
		var want []string
		for _, m := range k.messages {
			want = append(want, m.id+" "+m.room+" bob "+m.text)
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, find()); diff != "" {
			t.Fatalf("the index differs from the rooms:\n%s\n%s", diff, m.logs)
		}
		m.kill(t)
	}
	for range nightly.Times(deaths, nightlyDeaths) {
		k.changes(10)
		m.die(t, random, func() { k.changes(10) })
	}
	isComplete()

	k.changes(nightly.Times(away, nightlyAway))
	mustCall(t, 204, "DELETE", s.url+"/rooms/doomed", k.token, "")
	k.messages = slices.DeleteFunc(k.messages, func(m said) bool { return m.room == "doomed" })
	k.rooms = k.rooms[:2]
	waitFor(t, "the changes wait", func() bool {
		return strings.Contains(mustCall(t, 200, "GET", s.url+"/hooks/index", m.token, ""), `"waiting":3`)
	})
	for range nightly.Times(deaths, nightlyDeaths) { // each stores the same hundred changes
		m.dieAt(t, random, 2, whileWorking, func() {})
	}
	m.die(t, random, func() {})
	isComplete()

	m.lose("seattle")
	k.replies = false // the counts of replies, by which the index finds them, may be behind
	k.changes(30)
	m.die(t, random, func() {})
	isComplete()
	if m.resets() == 0 {
		t.Error("no room was read again")
	}
}

// TestCommands_RepliesOnceThroughKills kills the bot of examples/commands while it replies: each command
// has one reply.
func TestCommands_RepliesOnceThroughKills(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "--send-rate", "100000")
	random := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	k := newSpeaker(t, s, random, "seattle", "tacoma")
	k.words = func(n int) string {
		if n%3 == 0 {
			return fmt.Sprintf("hello %d", n)
		}
		return fmt.Sprintf("!ping %d", n)
	}
	m := newMortal(t, s, "commands")
	say := func() {
		for range 3 {
			k.post(k.rooms[random.IntN(len(k.rooms))], "")
		}
	}
	for range nightly.Times(deaths, nightlyDeaths/4) { // a page has all messages
		say()
		m.die(t, random, say)
	}
	m.start(t, 0, survives)
	for _, room := range k.rooms {
		k.n += 3 - k.n%3 // the next message is a command
		last := "pong" + strings.TrimPrefix(k.post(room, ""), "!ping")
		waitFor(t, "the last reply", func() bool {
			return slices.Contains(answersIn(t, s.url+"/rooms/"+room, k.token), last)
		})
		var want []string
		for _, m := range k.messages {
			if n, isCommand := strings.CutPrefix(m.text, "!ping"); isCommand && m.room == room {
				want = append(want, "pong"+n)
			}
		}
		got := answersIn(t, s.url+"/rooms/"+room, k.token)
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the replies differ from the commands:\n%s\n%s", diff, m.logs)
		}
	}
	m.kill(t)
}

// TestModerator_DeletesEachBadMessage kills the moderator of examples/moderator while it works: only
// messages with a forbidden word are deleted, also in rooms whose owner did not appoint it.
func TestModerator_DeletesEachBadMessage(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "--send-rate", "100000")
	random := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	k := newSpeaker(t, s, random, "seattle", "tacoma")
	k.words = func(n int) string {
		if n%4 == 0 {
			return fmt.Sprintf("Buy %d, no Spam!", n)
		}
		return fmt.Sprintf("spammers sold %d", n)
	}
	for _, role := range []string{"member", "moderator"} {
		body := fmt.Sprintf(`{"role":%q}`, role)
		status, text, err := call(t.Context(), "PUT", s.url+"/rooms/tacoma/members/moderator", k.token, body)
		if err != nil || status >= 300 {
			t.Fatalf("%d, %v: %s", status, err, text)
		}
	}
	m := newMortal(t, s, "moderator", "spam", "scam")
	say := func() {
		for range 6 {
			k.post(k.rooms[random.IntN(len(k.rooms))], "")
		}
	}
	for range nightly.Times(deaths, nightlyDeaths/4) { // a page has all messages
		say()
		m.die(t, random, say)
	}
	m.start(t, 0, survives)
	for _, room := range k.rooms {
		k.n += 3 - k.n%4 // the next message is bad
		k.post(room, "")
		last := k.messages[len(k.messages)-1]
		waitFor(t, "the last deletion", func() bool {
			return strings.Contains(mustCall(t, 200, "GET", s.url+"/rooms/"+room+"/messages/"+last.id, k.token, ""), `"deletedAt"`)
		})
	}
	m.kill(t)
	by := map[string]string{"seattle": "bob", "tacoma": "moderator"}
	for _, said := range k.messages {
		text := mustCall(t, 200, "GET", s.url+"/rooms/"+said.room+"/messages/"+said.id, k.token, "")
		bad := strings.HasPrefix(said.text, "Buy")
		if bad != strings.Contains(text, `"deletedAt"`) || bad && !strings.Contains(text, fmt.Sprintf(`"deletedBy":%q`, by[said.room])) {
			t.Errorf("%q in %s is %s", said.text, said.room, text)
		}
	}
}
