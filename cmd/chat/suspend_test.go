package main

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	accounts "example.com/parley/internal/account"
	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// TestSuspend_FromTheCommandLine suspends a person of a deployed table, and ends the suspension.
// The audit has one line for each, though both commands run twice. The person's subscription ends.
func TestSuspend_FromTheCommandLine(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	db := dynamo.LocalClient(endpoint)
	tabletest.Create(t, db, "chat")
	tabletest.CreateLog(t, db, "log")
	tabletest.CreateLive(t, db, "live")
	rows := live.NewTable(dynamo.NewTable(db, "live", nil))
	sub := live.Subscription{Room: "seattle", Connection: live.Connection{ID: "c1", User: "bob", Until: time.Now().Add(time.Hour)}, Attempt: "1"}
	if _, err := rows.AddRooms(t.Context(), sub.Connection, []chat.RoomID{sub.Room}, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := rows.PutPending(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	run := func(ok bool, want string, args ...string) {
		t.Helper()
		cmd := command(t, append([]string{"suspend"}, args...)...)
		cmd.Env = append(cmd.Env, "AWS_ENDPOINT_URL="+endpoint, "AWS_REGION=us-east-1", "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x")
		out, err := cmd.CombinedOutput()
		if !strings.Contains(string(out), want) || ok != (err == nil) {
			t.Errorf("%q: %v, want %q\n%s", args, err, want, out)
		}
	}
	tables := []string{"--table", "chat", "--log-table", "log", "--live-table", "live"}
	run(true, "bob was not suspended", append(tables, "--end", "bob")...)
	run(true, "by chat suspend: spam\n", append(tables, "--reason", "spam", "bob")...)
	run(true, "by chat suspend: spam\n", append(tables, "bob")...)
	if a, err := accounts.NewStore(dynamo.NewTable(db, "chat", nil)).Account(t.Context(), "bob"); err != nil || a.Suspension.Reason != "spam" {
		t.Errorf("the account is %+v, %v", a, err)
	}
	if all, err := rows.Subscriptions(t.Context(), sub.Room); err != nil || len(all) > 0 {
		t.Errorf("subscribed are %+v, %v", all, err)
	}
	run(true, "bob is not suspended any more", append(tables, "--end", "bob")...)
	run(true, "bob was not suspended", append(tables, "--end", "bob")...)
	lines, _, err := activity.NewStore(dynamo.NewLogTable(db, "log", nil)).ReadLog(t.Context(), activity.LogRange{Log: activity.Log{Person: "bob"}, Now: time.Now(), Limit: 9})
	if err != nil || len(lines) != 2 || lines[1].Type != "person.suspended" || lines[1].Detail != "spam" || lines[0].Type != "person.unsuspended" {
		t.Errorf("the audit has %+v, %v", lines, err)
	}
	run(false, "--table needs --log-table", "--table", "chat", "bob")
	run(false, "--table needs --live-table", "--table", "chat", "--log-table", "log", "bob")
	run(false, "--log-table is for a deployed table", "--log-table", "log", "bob")
	run(false, "--live-table is for a deployed table", "--live-table", "live", "bob")
	run(false, "--reason is for a suspension", append(tables, "--end", "--reason", "x", "bob")...)
	run(false, "user:", append(tables, "b#b")...)
	run(false, "reason", append(tables, "--reason", "two\nlines", "bob")...)
}

// suspensionTime is how long a process may use an account that it has read.
const suspensionTime = 5 * time.Second

// TestServe_SuspensionStopsAPerson suspends a person who follows a room while the server runs, by
// a service and by the command. Their connection is closed, no new one begins, and every request
// is refused. Another person notices nothing.
func TestServe_SuspensionStopsAPerson(t *testing.T) {
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
	suspension := s.url + "/people/bob/suspension"
	for _, by := range []struct {
		name          string
		begin, finish func()
	}{
		{"a service", func() { mustCall(t, 200, "PUT", suspension, desk, `{"reason":"spam"}`) }, func() { mustCall(t, 204, "DELETE", suspension, desk, "") }},
		{"the command", func() { runCommand(t, "suspend", "--data", dir, "bob") }, func() { runCommand(t, "suspend", "--data", dir, "--end", "bob") }},
	} {
		f := &follower{t: t, url: s.url, room: "seattle", token: bob, steady: true}
		other := &follower{t: t, url: s.url, room: "seattle", token: carl, steady: true}
		ctx, end := context.WithCancel(t.Context())
		ended := make(chan struct{})
		var follows sync.WaitGroup
		follows.Go(func() { defer close(ended); _ = f.session(ctx) })
		follows.Go(func() { _ = other.session(ctx) })
		f.await(t, func() bool { return f.sessions == 1 })
		other.await(t, func() bool { return other.sessions == 1 })
		mustCall(t, 200, "GET", s.url+"/rooms/seattle", bob(), "")
		by.begin()
		stale := time.After(suspensionTime)
		select {
		case <-ended:
		case <-time.After(readyTime):
			t.Fatalf("%s: the connection is open\n%s", by.name, s.logs)
		}
		if text := mustCall(t, 403, "POST", s.url+"/rooms/seattle/messages", bob(), `{"text":"x"}`); !strings.Contains(text, "/problems/suspended") {
			t.Errorf("%s: %s", by.name, text)
		}
		<-stale
		mustCall(t, 403, "GET", s.url+"/rooms/seattle", bob(), "")
		if err := f.session(ctx); err == nil || !strings.Contains(err.Error(), "403") {
			t.Errorf("%s: a new connection ends with %v", by.name, err)
		}
		mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", carl(), `{"text":"x"}`)
		other.await(t, func() bool { return len(other.seen) > 0 })
		by.finish()
		mustCall(t, 201, "POST", s.url+"/rooms/seattle/messages", bob(), `{"text":"x"}`)
		time.Sleep(suspensionTime) // the process's cached account
		end()
		follows.Wait()
	}
}

// runCommand runs the command, which must succeed.
func runCommand(t *testing.T, args ...string) {
	t.Helper()
	if out, err := command(t, args...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

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
