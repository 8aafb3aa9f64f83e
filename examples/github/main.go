// Command github posts a line into a room for each event of GitHub's webhooks:
//
//	GITHUB_SECRET=… WEBHOOK=http://127.0.0.1:8080/in/… go run ./examples/github
//
// GITHUB_SECRET is the secret of the webhook at GitHub, whose content type is application/json.
// WEBHOOK is the address of an incoming webhook of the room. LISTEN is the address for GitHub's
// requests, behind a server with TLS: 127.0.0.1:8090 by default.
//
// It stores nothing, and answers GitHub after the message is posted. GitHub lists all other
// deliveries as failed. A repeated delivery posts nothing more.
package main

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// subject is an issue, a pull request, a release, or a workflow's run.
type subject struct {
	Number                  int
	Title, Name, Conclusion string
	URL                     string `json:"html_url"`
}

// event has the fields of all events that are posted.
type event struct {
	Action, Ref, Compare string
	Commits              []struct{ Message string }
	Issue, Release       subject
	Pull                 subject `json:"pull_request"`
	Run                  subject `json:"workflow_run"`
	Repository, Sender   struct{ Name, Login string }
}

// line returns the text for an event and the key of its thread, or an empty text.
func (e event) line(kind string) (text, thread string) {
	s, what := subject{}, e.Action
	switch kind + " " + e.Action {
	case "push ":
		if n := len(e.Commits); n > 0 { // none when a branch is deleted
			what = fmt.Sprintf("pushed %d to %s:", n, strings.TrimPrefix(e.Ref, "refs/heads/"))
			s = subject{URL: e.Compare, Title: e.Commits[n-1].Message}
		}
	case "issues opened", "issues closed", "issues reopened":
		s = e.Issue
	case "pull_request opened", "pull_request closed", "pull_request reopened":
		s = e.Pull
	case "release published":
		s = e.Release
	case "workflow_run completed":
		if e.Run.Conclusion == "failure" {
			s, what = e.Run, "failed:"
		}
	}
	if s.URL == "" {
		return "", ""
	}
	if s.Number != 0 {
		what, thread = fmt.Sprint(what, " #", s.Number), s.URL
	}
	title := strings.Split(cmp.Or(s.Title, s.Name), "\n")[0]
	title = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(title)
	return fmt.Sprintf("%s: %s %s <%s|%s>", e.Repository.Name, e.Sender.Login, what, s.URL, title), thread
}

// post posts a text once for each key, and returns the status of the answer. GitHub waits for it
// for 10 seconds.
func post(text, thread, key string) (status int) {
	b, _ := json.Marshal(map[string]string{"text": text, "thread_key": thread})
	r, err := http.NewRequest(http.MethodPost, os.Getenv("WEBHOOK"), strings.NewReader(string(b))) //nolint:gosec // own
	if err == nil {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", key)
		var answer *http.Response
		if answer, err = (&http.Client{Timeout: 8 * time.Second}).Do(r); err == nil { //nolint:gosec // the same
			_ = answer.Body.Close() // nothing is read
			return answer.StatusCode
		}
	}
	log.Print(errors.Unwrap(err)) // without the address, which has a secret
	return http.StatusBadGateway
}

// receive handles a request of GitHub.
func receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 25<<20)) // GitHub sends no more
	mac := hmac.New(sha256.New, []byte(os.Getenv("GITHUB_SECRET")))
	mac.Write(body)
	signature := fmt.Appendf(nil, "sha256=%x", mac.Sum(nil))
	var e event
	switch {
	case err != nil:
		http.Error(w, "the body is too long, or incomplete", http.StatusRequestEntityTooLarge)
	case !hmac.Equal(signature, []byte(r.Header.Get("X-Hub-Signature-256"))):
		http.Error(w, "the signature is not valid", http.StatusUnauthorized)
	case json.Unmarshal(body, &e) != nil:
		http.Error(w, "the body is not an event in JSON", http.StatusBadRequest)
	default:
		if text, thread := e.line(r.Header.Get("X-GitHub-Event")); text != "" {
			w.WriteHeader(post(text, thread, r.Header.Get("X-GitHub-Delivery")))
		}
	}
}

func main() {
	listener, err := net.Listen("tcp", cmp.Or(os.Getenv("LISTEN"), "127.0.0.1:8090"))
	if err != nil || os.Getenv("GITHUB_SECRET") == "" { // which anybody could sign with
		log.Fatal("GITHUB_SECRET must be set, and the address LISTEN free: ", err)
	}
	log.Print("ready http://", listener.Addr())
	log.Fatal((&http.Server{Handler: http.HandlerFunc(receive), ReadTimeout: time.Minute}).Serve(listener))
}
