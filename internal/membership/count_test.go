package membership_test

import (
	"testing"
	"time"

	"parley/internal/app"
	"parley/internal/chat"
	"parley/internal/dynamo"
	"parley/internal/membership"
	"parley/internal/policy"
	"parley/internal/test/chattest"
	"parley/internal/test/enginetest"
)

// TestCount_IsAMinuteOldAtMost counts in two processes. The one that changes a membership knows it
// at once, the other one after a minute.
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
	want("the creator", 1, 1)
	if err := chattest.SetRole(t, here, "bob", "seattle", "bob", policy.Member); err != nil {
		t.Fatal(err)
	}
	want("bob joins", 2, 1)
	clock.Advance(membership.CountAge - time.Millisecond)
	want("a moment less than a minute", 2, 1)
	clock.Advance(time.Millisecond)
	want("a minute", 2, 2)
	ban := membership.Restriction{Role: policy.Banned, Until: clock.Now().Add(time.Hour)}
	if _, _, err := here.Members.Restrict(t.Context(), "maker", chat.MemberOf{Room: "seattle", User: "bob"}, ban); err != nil {
		t.Fatal(err)
	}
	want("bob is banned for an hour", 1, 2)
	clock.Advance(time.Hour)
	want("the ban has ended", 2, 2)
}
