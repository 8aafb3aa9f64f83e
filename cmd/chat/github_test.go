package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// githubSecret signs the requests of GitHub.
const githubSecret = "a secret of both"

// githubEvent is an event and the text that is posted for it. A reply's text begins with "> ".
type githubEvent struct{ kind, body, want string }

// inRepository returns an event of a repository.
func inRepository(kind, fields, want string) githubEvent {
	body := `{"repository":{"name":"parley"},"sender":{"login":"ann"},` + fields + `}`
	return githubEvent{kind: kind, body: body, want: want}
}

func githubEvents() []githubEvent {
	return []githubEvent{
		inRepository("push", `"ref":"refs/heads/main","compare":"https://git.example/c","commits":[{"message":"one"},{"message":"two\n\nmore"}]`,
			"parley: ann pushed 2 to main: [two](https://git.example/c)"),
		inRepository("issues", `"action":"opened","issue":{"number":7,"title":"a < b","html_url":"https://git.example/7"}`,
			"parley: ann opened #7 [a < b](https://git.example/7)"),
		inRepository("pull_request", `"action":"opened","pull_request":{"number":8,"title":"Fix","html_url":"https://git.example/8"}`,
			"parley: ann opened #8 [Fix](https://git.example/8)"),
		inRepository("issues", `"action":"closed","issue":{"number":7,"title":"a < b","html_url":"https://git.example/7"}`,
			"> parley: ann closed #7 [a < b](https://git.example/7)"),
		inRepository("release", `"action":"published","release":{"name":"v1","html_url":"https://git.example/v1"}`,
			"parley: ann published [v1](https://git.example/v1)"),
		inRepository("workflow_run", `"action":"completed","workflow_run":{"name":"Gate","conclusion":"failure","html_url":"https://git.example/r"}`,
			"parley: ann failed: [Gate](https://git.example/r)"),
		inRepository("pull_request", `"action":"closed","pull_request":{"number":8,"title":"Fix","html_url":"https://git.example/8"}`,
			"> parley: ann closed #8 [Fix](https://git.example/8)"),
		inRepository("workflow_run", `"action":"completed","workflow_run":{"name":"Gate","conclusion":"success","html_url":"https://git.example/r"}`, ""),
		inRepository("push", `"ref":"refs/heads/gone","compare":"https://git.example/c","commits":[]`, ""),
		inRepository("ping", `"zen":"Keep it simple"`, ""),
	}
}

// deliver sends an event to a program, and returns the status, or 0 without an answer.
func deliver(t *testing.T, program string, e githubEvent, id, secret string) int {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(e.body))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, program, strings.NewReader(e.body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-GitHub-Event", e.kind)
	r.Header.Set("X-GitHub-Delivery", id)
	r.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close() // nothing is read
	return answer.StatusCode
}

// startGitHub starts the program again, and returns its address.
func startGitHub(t *testing.T, m *mortal, request int, at fate) (address string) {
	t.Helper()
	const ready = "ready "
	before := strings.Count(m.logs.String(), ready)
	m.start(t, request, at)
	waitFor(t, "the program is ready", func() bool {
		logs := m.logs.String()
		_, address, _ = strings.Cut(logs[max(0, strings.LastIndex(logs, ready)):], ready)
		return strings.Count(logs, ready) > before && strings.HasSuffix(address, "\n")
	})
	return strings.TrimSpace(address)
}

// postedIn returns the texts of the messages in the feed of a room, in order.
func postedIn(t *testing.T, room, token string) (texts []string) {
	t.Helper()
	var page struct {
		Items []struct {
			Type    string
			Message struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(mustCall(t, 200, "GET", room+"/changes", token, "")), &page); err != nil {
		t.Fatal(err)
	}
	for _, c := range page.Items {
		switch c.Type {
		case "message.created":
			texts = append(texts, c.Message.Text)
		case "reply.created":
			texts = append(texts, "> "+c.Message.Text)
		}
	}
	return texts
}

// TestGitHub_PostsEachEventOnce kills the program of examples/github at each event, and repeats the
// deliveries.
func TestGitHub_PostsEachEventOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "--send-rate", "100000")
	token, room := tokenOf(t, s.dir, "bob"), s.url+"/rooms/seattle"
	mustCall(t, 201, "PUT", room, token, `{}`)
	var webhook struct{ ID, Secret string }
	if err := json.Unmarshal([]byte(mustCall(t, 201, "POST", room+"/incoming", token, `{"name":"GitHub"}`)), &webhook); err != nil {
		t.Fatal(err)
	}
	m, network := behindNetwork(t, s, "github")
	m.env = []string{"GITHUB_SECRET=" + githubSecret, "WEBHOOK=" + network + "/in/" + webhook.Secret, "LISTEN=127.0.0.1:0"}
	var want []string
	for i, e := range githubEvents() {
		id := fmt.Sprintf("delivery-%d", i)
		if e.want != "" {
			want = append(want, e.want)
			at := []fate{beforeAnswer, afterAnswer, whileWorking}[i%3]
			if status := deliver(t, startGitHub(t, m, 1, at), e, id, githubSecret); status != 0 && at != whileWorking {
				t.Errorf("a program that was killed answered %d", status)
			}
			m.wait(t)
		}
		program := startGitHub(t, m, 0, survives)
		for range 2 {
			if status := deliver(t, program, e, id, githubSecret); status != http.StatusOK {
				t.Errorf("%s: %d\n%s", e.body, status, m.logs)
			}
		}
		m.kill(t)
	}
	program := startGitHub(t, m, 0, survives)
	isRefused := func(want int, e githubEvent, secret string) {
		t.Helper()
		if status := deliver(t, program, e, "other", secret); status != want {
			t.Errorf("%.100s: %d, want %d", e.body, status, want)
		}
	}
	first := githubEvents()[0]
	isRefused(http.StatusUnauthorized, first, "a wrong secret")
	isRefused(http.StatusBadRequest, githubEvent{kind: "push", body: "payload=%7B%7D"}, githubSecret)
	mustCall(t, 204, "DELETE", room+"/incoming/"+webhook.ID, token, "")
	isRefused(http.StatusNotFound, first, githubSecret)
	waitFor(t, "all messages are in the feed", func() bool { return len(postedIn(t, room, token)) >= len(want) })
	if diff := cmp.Diff(want, postedIn(t, room, token)); diff != "" {
		t.Errorf("the room differs from the events:\n%s\n%s", diff, m.logs)
	}
	if strings.Contains(m.logs.String(), webhook.Secret) {
		t.Error("the program logs the webhook's secret")
	}
}
