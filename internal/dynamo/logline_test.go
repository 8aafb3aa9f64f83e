package dynamo_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/activity"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/tabletest"
)

// auditedTables are the chat table and its log table, on one engine.
type auditedTables struct {
	store *dynamo.Store
	logs  activity.Store
	units map[string]float64
}

func newAuditedTables(t *testing.T, options ...func(*dynamodb.Options)) *auditedTables {
	t.Helper()
	client := dynamo.LocalClient(enginetest.Start(t), options...)
	tabletest.Create(t, client, "chat")
	tabletest.CreateLog(t, client, "log")
	a := &auditedTables{units: map[string]float64{}}
	observe := func(_ context.Context, u dynamo.Usage) { a.units[u.Operation] += u.Units }
	a.store = dynamo.New(client, dynamo.Options{Table: "chat", Clock: time.Now, Observe: observe})
	a.logs = activity.NewStore(dynamo.NewLogTable(client, "log", nil))
	return a
}

var auditOfSeattle = activity.Log{Room: "seattle"}

// line returns a line of seattle's audit at the same instant as all others.
func (a *auditedTables) line(id string) membership.Line {
	return a.logs.LogLine(auditOfSeattle, activity.LogEntry{ID: id, At: lostAt, Type: "member.joined", Expires: lostAt.Add(time.Hour)})
}

func (a *auditedTables) join(t *testing.T, user chat.UserID, line membership.Line) (bool, error) {
	t.Helper()
	m := chat.Membership{Room: "seattle", User: user, Name: "n", Role: policy.Member, JoinedAt: lostAt}
	return a.store.ChangeMembership(t.Context(), membership.Change{After: m, Line: line})
}

// wantLines checks the ids of the lines of seattle's audit, oldest first, one in each microsecond.
func (a *auditedTables) wantLines(t *testing.T, want ...string) {
	t.Helper()
	entries, _, err := a.logs.ReadLog(t.Context(), activity.LogRange{Log: auditOfSeattle, Now: lostAt, Limit: 2 * activity.MaxPerInstant})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, e := range slices.Backward(entries) {
		got = append(got, e.ID)
		if at := lostAt.Add(time.Duration(len(entries)-1-i) * activity.LogStep); !e.At.Equal(at) {
			t.Errorf("the line %s is at %v, want %v", e.ID, e.At, at)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the audit has %v, want %v", got, want)
	}
}

func (a *auditedTables) wantMember(t *testing.T, user chat.UserID, want bool) {
	t.Helper()
	if m, err := a.store.Membership(t.Context(), "seattle", user); err != nil || m.In() != want {
		t.Errorf("%s is a member: %v, %v, want %v", user, m.In(), err, want)
	}
}

// TestChangeMembership_LineIsThereIfTheChangeIs counts the units of a join: 2 of the state, 3 of the
// item that lists read, and 2 of the line.
func TestChangeMembership_LineIsThereIfTheChangeIs(t *testing.T) {
	t.Parallel()
	a := newAuditedTables(t)
	if ok, err := a.join(t, "ann", a.line("1")); !ok || err != nil {
		t.Fatalf("join: %v, %v", ok, err)
	}
	if units := a.units["change membership"]; units != 7 {
		t.Errorf("a join consumes %v write units, want 7", units)
	}
	if ok, err := a.join(t, "ann", a.line("2")); ok || err != nil {
		t.Errorf("a change of a membership that has changed: %v, %v", ok, err)
	}
	a.wantMember(t, "ann", true)
	a.wantLines(t, "1")
}

// TestChangeMembership_LineMovesOnFromATakenInstant lets people join at one microsecond. A change
// that is also refused for other reasons is not repeated.
func TestChangeMembership_LineMovesOnFromATakenInstant(t *testing.T) {
	t.Parallel()
	a := newAuditedTables(t)
	var want []string
	for i := range 4 {
		user := chat.UserID(fmt.Sprint("u", i))
		if ok, err := a.join(t, user, a.line(string(user))); !ok || err != nil {
			t.Fatalf("join: %v, %v", ok, err)
		}
		want = append(want, string(user))
		a.wantMember(t, user, true)
		if ok, err := a.join(t, user, a.line("x")); ok || err != nil {
			t.Errorf("a change of a membership that has changed: %v, %v", ok, err)
		}
	}
	a.wantLines(t, want...)
}

// TestChangeMembership_FullInstantChangesNothing checks that no change is left without its line.
func TestChangeMembership_FullInstantChangesNothing(t *testing.T) {
	t.Parallel()
	a := newAuditedTables(t)
	for n := range activity.MaxPerInstant {
		e := activity.LogEntry{ID: fmt.Sprint(n), At: lostAt, Type: "room.created", Expires: lostAt.Add(time.Hour)}
		if _, _, err := a.logs.AppendLog(t.Context(), auditOfSeattle, e); err != nil {
			t.Fatal(err)
		}
	}
	if ok, err := a.join(t, "ann", a.line("late")); ok || chat.KindOf(err) != chat.Conflict {
		t.Errorf("join: %v, %v, want conflict", ok, err)
	}
	a.wantMember(t, "ann", false)
}

// TestChangeMembership_LostAnswerLeavesOneLine loses the response to the transaction.
func TestChangeMembership_LostAnswerLeavesOneLine(t *testing.T) {
	t.Parallel()
	faults := &loseAnswer{operation: "TransactWriteItems"}
	a := newAuditedTables(t, func(o *dynamodb.Options) { o.HTTPClient = faults })
	if ok, err := a.join(t, "ann", a.line("1")); !ok || err != nil || faults.lost.Load() != 1 {
		t.Errorf("join: %v, %v, %d answers lost", ok, err, faults.lost.Load())
	}
	a.wantMember(t, "ann", true)
	a.wantLines(t, "1")
}

func TestChangeMembership_RefusesALineOfAnotherStore(t *testing.T) {
	t.Parallel()
	a := newAuditedTables(t)
	if ok, err := a.join(t, "ann", "a line"); ok || err == nil {
		t.Errorf("join: %v, %v", ok, err)
	}
	a.wantMember(t, "ann", false)
}
