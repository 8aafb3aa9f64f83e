package main

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestServe_DeletesAPerson deletes a person who follows a room and owns another, while the server
// runs. Their connection is closed, the members of the room see them leave, and when they return
// after the end of the suspension they have nothing.
func TestServe_DeletesAPerson(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	s := serve(t, dir)
	i, err := openIssuer(dir)
	if err != nil {
		t.Fatal(err)
	}
	bob, carl := signs(t, i, "bob", time.Hour), signs(t, i, "carl", time.Hour)
	desk := tokenOf(t, dir, "desk", "--service")
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle", carl(), "{}")
	mustCall(t, 201, "PUT", s.url+"/rooms/portland", bob(), "{}")
	mustCall(t, 201, "PUT", s.url+"/people/me", bob(), `{"name":"Bob of Boston","title":"Chief"}`)
	mustCall(t, 201, "PUT", s.url+"/rooms/seattle/members/me", bob(), `{"role":"member"}`)
	mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", bob(), `{"text":"it stays"}`)
	f := &follower{t: t, url: s.url, room: "seattle", token: bob, steady: true}
	ended := make(chan struct{})
	ctx, end := context.WithCancel(t.Context())
	defer end()
	go func() { defer close(ended); _ = f.session(ctx) }()
	f.await(t, func() bool { return f.sessions == 1 })

	mustCall(t, 202, "DELETE", s.url+"/people/bob", desk, "")
	select {
	case <-ended:
	case <-time.After(readyTime):
		t.Fatalf("the connection is open\n%s", s.logs)
	}
	gone := func() bool {
		status, text, err := call(t.Context(), "DELETE", s.url+"/people/bob/suspension", desk, "")
		if err != nil || status != 204 && status != 409 {
			t.Fatal(status, text, err)
		}
		return status == 204
	}
	for deadline := time.Now().Add(readyTime); !gone(); time.Sleep(pollInterval) {
		if time.Now().After(deadline) {
			t.Fatalf("the deletion does not end\n%s", s.logs)
		}
	}
	mustCall(t, 404, "GET", s.url+"/people/bob", desk, "")
	if members := mustCall(t, 200, "GET", s.url+"/rooms/seattle/members", carl(), ""); strings.Contains(members, "bob") {
		t.Errorf("the members are %s", members)
	}
	if messages := mustCall(t, 200, "GET", s.url+"/rooms/seattle/messages", carl(), ""); !strings.Contains(messages, "it stays") {
		t.Errorf("the messages are %s", messages)
	}
	if room := mustCall(t, 200, "GET", s.url+"/rooms/portland", desk, ""); !strings.Contains(room, `"service":"desk"`) {
		t.Errorf("the room that they owned is %s", room)
	}
	time.Sleep(suspensionTime) // the process's cached account
	if rooms := mustCall(t, 200, "GET", s.url+"/people/me/rooms", bob(), ""); strings.Contains(rooms, `"seattle"`) {
		t.Errorf("they return to %s", rooms)
	}
}
