package main

import (
	"strings"
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
