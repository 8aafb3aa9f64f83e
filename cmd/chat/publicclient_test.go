package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
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

// TestClient_FollowsAllRooms follows all rooms of amsg, who gets one more and is removed from it.
func TestClient_FollowsAllRooms(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	amsg, bob := tokenOf(t, dir, "amsg"), tokenOf(t, dir, "bob")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", bob, "")
	mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", bob, `{"text":"before"}`)

	ctx, cancel := context.WithTimeout(t.Context(), readyTime)
	defer cancel()
	sender := &client.Sender{Client: newClient(t, s.url, bob)}
	post := func(room, text string) {
		if _, err := sender.Post(ctx, room, text); err != nil {
			t.Error(err)
		}
	}
	var got []string
	news := make(chan client.News)
	ended := make(chan error, 1)
	go func() {
		ended <- newClient(t, s.url, amsg).Follow(ctx, client.Following{Handle: func(n client.News) error {
			select {
			case news <- n:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}})
	}()
	wait := func(what string) {
		for !strings.Contains(strings.Join(got, "\n"), what) {
			select {
			case n := <-news:
				for _, c := range n.Changes {
					if c.Message != nil {
						got = append(got, fmt.Sprintf("%s %s: %s", n.Room, c.Message.User, c.Message.Text))
					}
				}
				if n.Removed {
					got = append(got, n.Room+" removed")
				}
			case err := <-ended:
				t.Fatalf("ended before %q: %v", what, err)
			case <-ctx.Done():
				t.Fatalf("%q is missing: %q", what, got)
			}
		}
	}
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle/members/amsg", bob, `{"role":"member"}`)
	post("seattle", "one")
	wait("seattle bob: one")
	mustCall(t, 201, "PUT", s.url+"/rooms/tacoma", bob, "")
	mustCall(t, 201, "PUT", s.url+"/rooms/tacoma/members/amsg", bob, `{"role":"member"}`)
	post("tacoma", "two")
	wait("tacoma bob: two")
	post("seattle", "three")
	wait("seattle bob: three")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if all := strings.Join(got, "\n"); strings.Count(all, "one") != 1 || strings.Count(all, "two") != 1 {
		t.Errorf("a change was reported twice: %q", got)
	}
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
