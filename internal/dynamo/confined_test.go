package dynamo_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/account"
	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/tabletest"
)

// TestStore_ConfinedReadsWhatDecisionsNeed compares a confined store's reads about a person with
// the complete items. They lack the reasons of moderators and operators, and attributes that only
// lists show.
func TestStore_ConfinedReadsWhatDecisionsNeed(t *testing.T) {
	t.Parallel()
	client := tabletest.Start(t, "chat")
	at := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return at }
	whole := dynamo.New(client, dynamo.Options{Table: "chat", Clock: clock})
	confined := dynamo.New(client, dynamo.Options{Table: "chat", Clock: clock, Confined: true})
	muted := chat.Membership{
		Room: "seattle", User: "bob", Name: "Bob", Role: policy.Muted, Count: 7, JoinedAt: at, Until: at.Add(time.Hour), Reason: "spam",
		Restore: policy.Moderator, By: "maker",
	}
	if ok, err := whole.ChangeMembership(t.Context(), membership.Change{After: muted}); !ok || err != nil {
		t.Fatal(ok, err)
	}
	marker := inbox.ReadMarker{Room: "seattle", User: "bob", Seq: 3, Count: 2}
	if _, err := inbox.NewStore(whole.Table()).PutReadMarker(t.Context(), marker); err != nil {
		t.Fatal(err)
	}
	if err := block.NewService(whole.Table(), clock).Block(t.Context(), "bob", "eve"); err != nil {
		t.Fatal(err)
	}
	if _, err := account.NewStore(whole.Table()).Suspend(t.Context(), "bob", account.Suspension{At: at, By: "desk", Reason: "spam"}); err != nil {
		t.Fatal(err)
	}
	muted.Reason, muted.Count = "", 0
	check := func(what string, err error, got, want any) {
		t.Helper()
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", what, err, d)
		}
	}
	m, err := confined.Membership(t.Context(), "seattle", "bob")
	check("the membership state", err, m, muted)
	m, err = confined.Membership(t.Context(), "tacoma", "bob")
	check("none", err, m, chat.Membership{})
	for _, among := range [][]chat.RoomID{nil, {"tacoma", "seattle"}} {
		all, markers, err := inbox.NewStore(confined.Table()).OwnRooms(t.Context(), "bob", among)
		check("the memberships", err, all, []chat.Membership{muted})
		check("the markers", err, markers, map[chat.RoomID]inbox.ReadMarker{"seattle": marker})
	}
	for _, read := range []func() (account.Account, error){
		func() (account.Account, error) { return account.NewStore(confined.Table()).Account(t.Context(), "bob") },
		func() (account.Account, error) {
			return account.NewStore(confined.Table()).CurrentAccount(t.Context(), "bob")
		},
	} {
		a, err := read()
		check("the account", err, a, account.Account{Suspension: account.Suspension{At: at}})
	}
	blocks := block.NewService(confined.Table(), clock)
	users, err := blocks.Blocks(t.Context(), "bob")
	check("the blocks", err, users, []chat.UserID{"eve"})
	blockers, err := blocks.Blockers(t.Context(), "eve", []chat.UserID{"amsg", "bob"})
	check("the blockers", err, blockers, map[chat.UserID]bool{"bob": true})
}
