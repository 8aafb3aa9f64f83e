package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/outgoing"
)

// signingSecret returns a secret for signatures.
func signingSecret() []byte { return []byte("each receiver has a secret, as here") }

// hookRequest is the body of a request to a receiver.
type hookRequest struct {
	Type      string
	Timestamp time.Time
	Data      struct {
		ID    string
		Items []struct {
			ID, Since string
			Changes   []struct {
				Seq     int64
				Type    string
				Message *struct {
					Text    string
					Blocked bool
				}
			}
		}
	}
}

// receiver checks the requests of chat listen, and refuses the first of them.
type receiver struct {
	t   *testing.T
	url string

	mu    sync.Mutex
	fails int      // the requests that are refused still
	tried []string // the ids of all requests
	got   map[string][]string
	next  map[string]int64 // the number of the next change of each room
}

func newReceiver(t *testing.T, fails int) *receiver {
	r := &receiver{t: t, fails: fails, got: map[string][]string{}, next: map[string]int64{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, err := io.ReadAll(in.Body)
	if err != nil {
		r.t.Error(err)
	}
	id := in.Header.Get("Webhook-Id")
	r.tried = append(r.tried, id)
	seconds, _ := strconv.ParseInt(in.Header.Get("Webhook-Timestamp"), 10, 64)
	at := time.Unix(seconds, 0)
	if want := outgoing.Sign(id, at, body, signingSecret()); in.Header.Get("Webhook-Signature") != want {
		r.t.Errorf("the signature of %s is not %s", in.Header, want)
	}
	var request hookRequest
	if err := json.Unmarshal(body, &request); err != nil {
		r.t.Errorf("%v: %s", err, body)
	}
	if request.Type != "changes" || request.Data.ID != id || request.Timestamp.Truncate(time.Second).Unix() != seconds {
		r.t.Errorf("%s\n%s", in.Header, body)
	}
	if r.fails > 0 {
		if r.fails--; r.fails == 0 {
			panic(http.ErrAbortHandler) // no answer
		}
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	r.take(request)
}

// take keeps the changes of a request.
func (r *receiver) take(request hookRequest) {
	for _, room := range request.Data.Items {
		for _, c := range room.Changes {
			if next := r.next[room.ID]; next != 0 && c.Seq != next || room.Since == "" {
				r.t.Errorf("change %d of %s after %q, want %d", c.Seq, room.ID, room.Since, next)
			}
			r.next[room.ID] = c.Seq + 1
			text := c.Type
			if c.Message != nil {
				text += " " + c.Message.Text
				if c.Message.Blocked {
					r.t.Error("a change contains whom its reader has blocked")
				}
			}
			r.got[room.ID] = append(r.got[room.ID], text)
		}
	}
}

// received returns the types and texts of the received changes of a room.
func (r *receiver) received(room string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got[room])
}

// requests returns the ids of all requests.
func (r *receiver) requests() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.tried)
}

// TestListenCmd_ForwardsEachChangeInOrder lets a receiver refuse the first two requests and not
// answer the third. It receives all changes, also of a blocked person and of more than one request.
func TestListenCmd_ForwardsEachChangeInOrder(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir, "--send-rate", "100000")
	ann, bob := tokenOf(t, dir, "ann"), tokenOf(t, dir, "bob")
	post := func(room, text string) {
		t.Helper()
		mustCall(t, 201, "POST", s.url+"/rooms/"+room+"/messages", ann, fmt.Sprintf(`{"text":%q}`, text))
	}
	for _, room := range []string{"seattle", "tacoma"} {
		mustCall(t, 201, "PUT", s.url+"/rooms/"+room, ann, `{}`)
		post(room, "too old")
		waitForHead(t, s.url+"/rooms/"+room, ann, 3)
	}
	if status, text, err := call(t.Context(), "PUT", s.url+"/people/me/blocks/ann", bob, ""); err != nil || status >= 300 {
		t.Fatalf("block: %d %s %v", status, text, err)
	}
	r := newReceiver(t, 3)
	p := startCommand(t, "listen", "--url", s.url, "--as", "bob", "--data", dir,
		"--room", "seattle", "--room", "tacoma", "--to", r.url, "--secret", outgoing.FormatSecret(signingSecret()))
	p.wait(t, p.logs, "chat: live\n")
	want := map[string][]string{}
	for i := range 120 {
		room := []string{"seattle", "tacoma"}[i%2]
		text := fmt.Sprintf("note %d", i)
		post(room, text)
		want[room] = append(want[room], "message.created "+text)
	}
	for _, room := range []string{"seattle", "tacoma"} {
		waitFor(t, "all changes", func() bool { return len(r.received(room)) >= len(want[room]) })
		if diff := cmp.Diff(want[room], r.received(room)); diff != "" {
			t.Errorf("%s: %s\n%s", room, diff, p.logs)
		}
	}
	if ids := slices.Compact(r.requests()); len(ids) != len(r.requests())-3 {
		t.Errorf("the requests are %q, want four tries of the first", r.requests())
	}
	p.interrupt(t)
	for _, says := range []string{"500 Internal Server Error; trying again in 1s", "trying again in 2s"} {
		if !strings.Contains(p.logs.String(), says) {
			t.Errorf("no %q in %s", says, p.logs)
		}
	}
	if lines := strings.Count(p.out.String(), "\n"); lines != 120 || strings.Contains(p.out.String(), "note") {
		t.Errorf("%d lines:\n%s", lines, p.out)
	}
}

func TestListenCmd_PrintsChangesAndEnds(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	token := tokenOf(t, dir, "amsg")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", token, `{}`)
	waitForHead(t, s.url+"/rooms/seattle", token, 2)
	args := []string{"--url", s.url, "--as", "amsg", "--data", dir, "--room", "seattle"}
	silent := newReceiver(t, 1_000)
	printing := startCommand(t, append([]string{"listen"}, args...)...)
	forwarding := []string{"listen", "--to", silent.url, "--secret", outgoing.FormatSecret(signingSecret())}
	refused := startCommand(t, append(forwarding, args...)...)
	for _, p := range []*tailing{printing, refused} {
		p.wait(t, p.logs, "chat: live\n")
	}
	id := messageID(t, mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", token, `{"text":"secret"}`))
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle/members/ann", token, `{"role":"member"}`)
	printing.wait(t, printing.out, "ann")
	want := "seattle 3 message.created " + id + "\nseattle 4 member.changed ann\n"
	if got := withoutTimes(printing.out.String()); !strings.HasPrefix(got, want) { // a system message follows
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
	refused.wait(t, refused.logs, "trying again")
	printing.interrupt(t)
	refused.interrupt(t)
}

func TestListenCmd_ChecksItsFlags(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	for says, args := range map[string][]string{
		"--to must begin with https://":   {"--room", "seattle", "--to", "http://example.com/hook"},
		"--to must not contain a private": {"--room", "seattle", "--to", "https://10.0.0.1/hook"},
		"--secret must be whsec_":         {"--room", "seattle", "--to", "https://example.com/", "--secret", "short"},
		"--secret needs --to":             {"--room", "seattle", "--secret", outgoing.FormatSecret(signingSecret())},
		"room":                            {"--to", "https://example.com/"},
	} {
		args = append([]string{"listen", "--as", "amsg", "--data", dir}, args...)
		out, err := command(t, args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), says) {
			t.Errorf("%v: %v, want %q in %s", args, err, says, out)
		}
	}
}
