package membership_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
	"example.com/parley/internal/test/enginetest"
)

// TestCount_IsAMinuteOldAtMost counts in two processes. The process that changes a membership
// counts it immediately, the other process after a minute. In a small room both count it
// immediately.
func TestCount_IsAMinuteOldAtMost(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	here, clock := chattest.NewOn(t, endpoint, func(*app.Options) {})
	store := dynamo.New(dynamo.LocalClient(endpoint), dynamo.Options{Table: chattest.Table, Clock: clock.Now})
	there := app.New(app.Options{Store: store, Clock: clock.Now})
	chattest.CreateRoom(t, here, "seattle", 1)
	want := func(what string, inHere, inThere int) {
		t.Helper()
		a, err := here.Members.Count(t.Context(), "seattle")
		b, err2 := there.Members.Count(t.Context(), "seattle")
		if err != nil || err2 != nil || a != inHere || b != inThere {
			t.Errorf("%s: %d and %d, %v, %v, want %d and %d", what, a, b, err, err2, inHere, inThere)
		}
	}
	join := func(user chat.UserID) {
		t.Helper()
		if err := chattest.SetRole(t, here, user, "seattle", user, policy.Member); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Millisecond)
	}
	want("the creator", 1, 1)
	join("bob")
	want("bob joins", 2, 2)
	for n := 2; n < membership.MaxExact; n++ {
		join(chat.UserID(fmt.Sprint("member-", n)))
	}
	want("a small room", membership.MaxExact, membership.MaxExact)
	join("carol")
	want("a larger room", membership.MaxExact+1, membership.MaxExact+1)
	began := clock.Now()
	join("dan")
	want("dan joins", membership.MaxExact+2, membership.MaxExact+1)
	clock.Advance(membership.CountAge - time.Millisecond - clock.Now().Sub(began))
	want("a moment less than a minute", membership.MaxExact+2, membership.MaxExact+1)
	clock.Advance(time.Millisecond)
	want("a minute", membership.MaxExact+2, membership.MaxExact+2)
	ban := membership.Restriction{Role: policy.Banned, Until: clock.Now().Add(time.Hour)}
	if _, _, err := here.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: "seattle", User: "bob"}, ban); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Millisecond)
	want("bob is banned for an hour", membership.MaxExact+1, membership.MaxExact+2)
	clock.Advance(time.Hour)
	want("the ban has ended", membership.MaxExact+2, membership.MaxExact+2)
}
