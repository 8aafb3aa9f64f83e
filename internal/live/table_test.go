package live_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/live"
	"example.com/parley/internal/test/storetest"
	"example.com/parley/internal/test/tabletest"
)

// start is the time at which the tests of rows begin.
var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// createTwice creates tables, which exist the second time.
func createTwice(t testing.TB, client *dynamodb.Client, names ...string) {
	t.Helper()
	for range 2 {
		tabletest.CreateLive(t, client, names...)
	}
}

// TestTable_KeepsTheContract runs on every engine that Parley runs on.
func TestTable_KeepsTheContract(t *testing.T) {
	t.Parallel()
	tabletest.Keeps(t, "live", createTwice, live.NewTable, map[string]func(*testing.T, *live.Table){
		"a subscription is pending until it is activated":             subscriptionIsActivated,
		"a later request takes a subscription from the earlier one":   subscriptionIsTaken,
		"a deletion leaves what has changed":                          deletionIsConditional,
		"an ended subscription stays until it is deleted or replaced": endingIsFinal,
		"the end of a connection is recorded":                         endIsRecorded,
		"a connection leaves rooms, and hears which were active":      leavingNamesActiveRooms,
		"subscriptions are listed by room in pages":                   subscriptionsAreListed,
		"typing is marked once per interval":                          typingIsMarkedOnce,
		"a connection is stored once and read back in full":           connectionIsStoredOnce,
		"a connection has at most 100 rooms":                          connectionIsFull,
		"a connection that is gone is not stored again":               goneConnection,
		"a renewed connection keeps its new end":                      connectionIsRenewed,
		"connections of people with similar ids are separate":         similarConnections,
		"missed rooms are kept with their latest head":                missedRoomsAreKept,
	})
}

// connectionOf returns a connection of amsg.
func connectionOf(id live.ConnectionID) live.Connection {
	return live.Connection{ID: id, User: "amsg", Until: start.Add(2 * time.Hour)}
}

// subscription returns a pending subscription.
func subscription(room chat.RoomID, id live.ConnectionID, attempt string) live.Subscription {
	c := connectionOf(id)
	c.RenewableUntil = c.Until.Add(time.Hour)
	return live.Subscription{Room: room, Connection: c, Mode: live.Counts, Attempt: attempt}
}

func putPending(t *testing.T, s *live.Table, sub live.Subscription) live.Subscription {
	t.Helper()
	if err := s.PutPending(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	return sub
}

func activate(t *testing.T, s *live.Table, sub live.Subscription, want bool) live.Subscription {
	t.Helper()
	if ok, err := s.Activate(t.Context(), sub); ok != want || err != nil {
		t.Errorf("activate %+v: %v, %v, want %v", sub, ok, err, want)
	}
	sub.Active = true
	return sub
}

func byID(a, b live.Subscription) int {
	return strings.Compare(string(a.Connection.ID), string(b.Connection.ID))
}

// wantSubscriptions checks the subscriptions to a room in every way in which they can be read.
func wantSubscriptions(t *testing.T, s *live.Table, room chat.RoomID, want ...live.Subscription) {
	t.Helper()
	all, err := s.Subscriptions(t.Context(), room)
	slices.SortFunc(all, byID)
	slices.SortFunc(want, byID)
	if d := cmp.Diff(want, all); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	for _, sub := range want {
		for _, consistent := range []bool{false, true} {
			got, err := s.SubscriptionsOf(t.Context(), sub.Connection.ID, []chat.RoomID{"elsewhere", room}, consistent)
			if d := cmp.Diff([]live.Subscription{sub}, got); d != "" || err != nil {
				t.Errorf("one, consistent %t: %v (-want +got):\n%s", consistent, err, d)
			}
		}
	}
}

func subscriptionIsActivated(t *testing.T, s *live.Table) {
	sub := subscription("seattle", "c1", "1")
	full := sub
	full.Mode, full.Room, full.Connection = live.Full, "sea", connectionOf("c1") // without renewals
	storetest.SetsEveryField(t, sub, "Active", "Ended")
	activate(t, s, sub, false)
	wantSubscriptions(t, s, "seattle")
	putPending(t, s, sub)
	putPending(t, s, full)
	wantSubscriptions(t, s, "seattle", sub)
	for range 2 { // the second time it is active
		wantSubscriptions(t, s, "seattle", activate(t, s, sub, true))
	}
	wantSubscriptions(t, s, "sea", full)
}

func subscriptionIsTaken(t *testing.T, s *live.Table) {
	first, second := subscription("seattle", "c1", "1"), subscription("seattle", "c1", "2")
	putPending(t, s, first)
	activate(t, s, first, true)
	putPending(t, s, second)
	activate(t, s, first, false)
	wantSubscriptions(t, s, "seattle", second)
}

func deletionIsConditional(t *testing.T, s *live.Table) {
	del := func(want bool, all ...live.Subscription) {
		t.Helper()
		if done, err := s.Delete(t.Context(), all); done != want || err != nil {
			t.Errorf("delete %+v: %v, %v, want %v", all, done, err, want)
		}
	}
	pending, other := putPending(t, s, subscription("seattle", "c1", "1")), putPending(t, s, subscription("seattle", "c2", "2"))
	del(true, subscription("seattle", "c3", "1"), live.Subscription{Room: "seattle", Connection: connectionOf("c3")})
	del(false, subscription("seattle", "c1", "another"))
	active := activate(t, s, pending, true)
	del(false, pending, other)
	wantSubscriptions(t, s, "seattle", active)
	del(true, active, active)
	putPending(t, s, pending)
	del(false, active)
	wantSubscriptions(t, s, "seattle", pending)
	del(true, pending)
	wantSubscriptions(t, s, "seattle")
	del(true)
}

func endingIsFinal(t *testing.T, s *live.Table) {
	end := func(want bool, all ...live.Subscription) {
		t.Helper()
		if done, err := s.End(t.Context(), all); done != want || err != nil {
			t.Errorf("end %+v: %v, %v, want %v", all, done, err, want)
		}
	}
	pending, other := putPending(t, s, subscription("seattle", "c1", "1")), putPending(t, s, subscription("seattle", "c2", "2"))
	absent := subscription("seattle", "c3", "1")
	absent.Active = true
	end(true, absent, subscription("seattle", "c3", "1"))
	end(false, subscription("seattle", "c1", "another"))
	active := activate(t, s, pending, true)
	end(false, pending)
	another := active
	another.Attempt = "another"
	end(false, another)
	end(true, other, active)
	ended := active
	ended.Active, ended.Ended, ended.Attempt = false, true, "ended"
	wantSubscriptions(t, s, "seattle", ended)
	activate(t, s, pending, false)
	end(true, active)
	if _, found, err := s.MarkTyping(t.Context(), "seattle", "c1", start); found || err != nil {
		t.Errorf("an ended subscription types: %v, %v", found, err)
	}
	if left, err := s.Leave(t.Context(), connectionOf("c1"), []chat.RoomID{"seattle"}); len(left) > 0 || err != nil {
		t.Errorf("an ended subscription was active: %v, %v", left, err)
	}
	wantSubscriptions(t, s, "seattle")
	end(true, activate(t, s, putPending(t, s, pending), true))
	wantSubscriptions(t, s, "seattle", activate(t, s, putPending(t, s, pending), true)) // a later request replaces it
	end(true, active)
	if done, err := s.Delete(t.Context(), []live.Subscription{ended}); !done || err != nil {
		t.Errorf("delete: %v, %v", done, err)
	}
	wantSubscriptions(t, s, "seattle")
	end(true)
}

func endIsRecorded(t *testing.T, s *live.Table) {
	for _, want := range []bool{false, true} {
		if gone, err := s.IsGone(t.Context(), "c1"); gone != want || err != nil {
			t.Errorf("gone: %v, %v, want %v", gone, err, want)
		}
		if err := s.PutGone(t.Context(), "c1", start); err != nil {
			t.Fatal(err)
		}
	}
	if gone, err := s.IsGone(t.Context(), "c2"); gone || err != nil {
		t.Errorf("another connection is gone: %v, %v", gone, err)
	}
}

func leavingNamesActiveRooms(t *testing.T, s *live.Table) {
	active := putPending(t, s, subscription("seattle", "c1", "1"))
	activate(t, s, active, true)
	putPending(t, s, subscription("tacoma", "c1", "1"))
	other := putPending(t, s, subscription("seattle", "c2", "1"))
	for _, want := range [][]chat.RoomID{{"seattle"}, nil} { // the second time there is none
		left, err := s.Leave(t.Context(), connectionOf("c1"), []chat.RoomID{"olympia", "seattle", "tacoma"})
		if !slices.Equal(left, want) || err != nil {
			t.Errorf("leave: %v, %v, want %v", left, err, want)
		}
	}
	wantSubscriptions(t, s, "seattle", other)
	wantSubscriptions(t, s, "tacoma")
}

func subscriptionsAreListed(t *testing.T, s *live.Table) {
	var want []live.Subscription
	for n := range 23 {
		want = append(want, putPending(t, s, subscription("seattle", live.ConnectionID(fmt.Sprintf("L0SM9cOF%02d=", n)), "1")))
	}
	putPending(t, s, subscription("seattle-1", "c", "1"))
	wantSubscriptions(t, s, "seattle", want...)
	for _, consistent := range []bool{true, false} {
		var all []live.Subscription
		r := live.SubscriptionRange{Room: "seattle", Limit: 5, Consistent: consistent}
		for {
			page, more, err := s.SomeSubscriptions(t.Context(), r)
			if err != nil || len(page) > 5 {
				t.Fatal(len(page), err)
			}
			all = append(all, page...)
			if !more {
				break
			}
			r.After = page[len(page)-1].Connection.ID
		}
		slices.SortFunc(all, byID)
		if d := cmp.Diff(want, all); d != "" {
			t.Errorf("in pages (-want +got):\n%s", d)
		}
	}
}

func typingIsMarkedOnce(t *testing.T, s *live.Table) {
	mark := func(what string, after time.Duration, wantWait time.Duration, wantFound bool) {
		t.Helper()
		wait, found, err := s.MarkTyping(t.Context(), "seattle", "c1", start.Add(after))
		if wait != wantWait || found != wantFound || err != nil {
			t.Errorf("%s: %v, %v, %v, want %v, %v", what, wait, found, err, wantWait, wantFound)
		}
	}
	mark("no subscription", 0, 0, false)
	sub := putPending(t, s, subscription("seattle", "c1", "1"))
	mark("a pending one", 0, 0, false)
	activate(t, s, sub, true)
	mark("the first time", 0, 0, true)
	mark("a second later", time.Second, live.TypingInterval-time.Second, true)
	mark("a moment too early", live.TypingInterval-time.Millisecond, time.Millisecond, true)
	mark("at the end of the interval", live.TypingInterval, 0, true)
	mark("by a clock that is behind", -time.Hour, live.TypingInterval, true)
	sub.Active = true
	wantSubscriptions(t, s, "seattle", sub)
}
