package main

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"example.com/parley/client"
)

// newClient returns a client of the public package.
func newClient(t *testing.T, url, token string) *client.Client {
	t.Helper()
	c, err := client.New(url, client.Fixed(token), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestClient_ResumesAndRefuses follows one room from a position, and sends requests that are
// refused.
func TestClient_ResumesAndRefuses(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	c := newClient(t, s.url, tokenOf(t, dir, "amsg"))
	ctx, cancel := context.WithTimeout(t.Context(), readyTime)
	defer cancel()
	if _, err := c.Do(ctx, client.Call{Method: http.MethodPut, Path: "/rooms/seattle", Body: struct{}{}, Want: []int{http.StatusCreated}}); err != nil {
		t.Fatal(err)
	}
	sender := &client.Sender{Client: c}
	stop := errors.New("enough")
	next := func(since, text string) (end string) {
		if _, err := sender.PostDraft(ctx, "seattle", client.Draft{Text: text, Mentions: []string{"bob"}}); err != nil {
			t.Fatal(err)
		}
		begun := since
		err := c.Follow(ctx, client.Following{Rooms: map[string]string{"seattle": since}, Handle: func(n client.News) error {
			if begun == "" && (len(n.Changes) > 0 || n.Since == "") {
				t.Errorf("it begins with %+v", n)
			}
			begun = n.Since
			for _, change := range n.Changes {
				if change.Message != nil && change.Message.Text == text {
					end = n.Since
					return stop
				}
				if since != "" {
					t.Errorf("after the position, there is %s", change.Raw)
				}
			}
			return nil
		}})
		if !errors.Is(err, stop) {
			t.Fatalf("%s: %v", text, err)
		}
		return end
	}
	next(next("", "one"), "two")
	var refused *client.Refusal
	err := c.Follow(ctx, client.Following{Rooms: map[string]string{"nowhere": ""}, Handle: func(client.News) error { return nil }})
	if !errors.As(err, &refused) || refused.Status != http.StatusNotFound || refused.Type == "" || refused.Detail == "" || refused.Passing() {
		t.Errorf("a hidden room: %v", err)
	}
}

// counter counts the requests that pass, by the last parts of their paths, and the answers 304.
type counter struct {
	mu   sync.Mutex
	sent map[string]int
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	part := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent[part]++
	if err == nil && res.StatusCode == http.StatusNotModified {
		c.sent[part+" unchanged"]++
	}
	return res, err
}

// count returns how many requests have passed.
func (c *counter) count(part string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent[part]
}

// TestClient_HearsRoomsWithoutASocket polls the heads of all rooms, which are mostly unchanged.
func TestClient_HearsRoomsWithoutASocket(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	bob, robot := tokenOf(t, dir, "bob"), tokenOf(t, dir, "robot")
	direct := messageID(t, mustCall(t, 201, "POST", s.url+"/rooms", bob, `{"direct":["robot"]}`))
	sent := &counter{sent: map[string]int{}}
	c, err := client.New(s.url, client.Fixed(robot), sent)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), readyTime)
	defer cancel()
	heard, enough, ended := "", errors.New("enough"), make(chan error, 1)
	go func() {
		ended <- c.Follow(ctx, client.Following{Socket: "ws://127.0.0.1:1/ws", Handle: func(n client.News) error {
			for _, c := range n.Changes {
				if c.Message != nil {
					heard = n.Room + " " + c.Message.Text
					return enough
				}
			}
			return nil
		}})
	}()
	waitFor(t, "unchanged heads", func() bool { return sent.count("heads unchanged") > 1 })
	mustCall(t, 201, "POST", s.url+"/rooms/"+direct+"/messages", bob, `{"text":"one"}`)
	if err := <-ended; !errors.Is(err, enough) || heard != direct+" one" {
		t.Errorf("heard %q, ended with %v", heard, err)
	}
	if n := sent.count("changes"); n > 3 {
		t.Errorf("the feed was read %d times, want only after changes", n)
	}
}
