package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
)

// receiptsOf returns the number of members whose receipt a person sees, in pages.
func receiptsOf(t *testing.T, a *api, room, user string, limit int) (n int) {
	t.Helper()
	path := fmt.Sprintf("%s/members?limit=%d", room, limit)
	for cursor := ""; ; {
		got := a.want(t, 200, "GET", path+cursor, "", userHeader, user)
		n += strings.Count(got.text, `"read":{"message":"`)
		next, ok := got.body["next"].(string)
		if !ok {
			return n
		}
		cursor = "&cursor=" + next
	}
}

// TestListMembers_ShowsReceipts reads a public room of 50 and of 51 members, without receipts, and
// as people who are not in it. Pages and blocks make no difference.
func TestListMembers_ShowsReceipts(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const room = "/rooms/seattle"
	a.want(t, 201, "PUT", room, "", userHeader, "owner")
	for n := range 49 {
		a.want(t, 201, "PUT", fmt.Sprintf("%s/members/me", room), `{"role":"member"}`, userHeader, fmt.Sprintf("m%02d", n))
	}
	id := a.want(t, 201, "POST", room+"/messages", `{"text":"x"}`, userHeader, "owner").body["id"].(string)
	for _, user := range []string{"owner", "m01", "m02", "eve"} {
		a.want(t, 200, "PUT", room+"/read", `{"message":"`+id+`"}`, userHeader, user)
	}
	want := func(what, user string, n int) {
		t.Helper()
		for _, limit := range []int{7, 50, 200} {
			if got := receiptsOf(t, a, room, user, limit); got != n {
				t.Errorf("%s: %s sees %d receipts in pages of %d, want %d", what, user, got, limit, n)
			}
		}
	}
	want("50 members", "owner", 3)
	want("50 members", "m30", 3)
	want("50 members", "eve", 0) // is not in the room
	a.want(t, 200, "PUT", room+"/read", `{"unreadFrom":"`+id+`"}`, userHeader, "m01")
	want("one marks as unread", "m30", 3)
	a.want(t, 204, "PUT", "/people/me/blocks/m30", "", userHeader, "m01")
	want("m01 has blocked m30", "m30", 3)
	a.want(t, 200, "PUT", room, `{"receipts":false}`, userHeader, "owner")
	want("without receipts", "owner", 0)
	a.want(t, 200, "PUT", room, `{"receipts":true}`, userHeader, "owner")
	want("with receipts again", "owner", 3)
	a.want(t, 201, "PUT", room+"/members/me", `{"role":"member"}`, userHeader, "eve")
	want("51 members", "owner", 0)
	a.want(t, 204, "DELETE", room+"/members/m01", "", userHeader, "owner")
	want("50 members, others", "owner", 3)
}

// TestListMembers_DirectRoomShowsReceipts compares the fields of a receipt.
func TestListMembers_DirectRoomShowsReceipts(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	room := "/rooms/" + a.want(t, 201, "POST", "/rooms", `{"direct":["bob"]}`, userHeader, "amsg").body["id"].(string)
	id := a.want(t, 201, "POST", room+"/messages", `{"text":"x"}`, userHeader, "amsg").body["id"].(string)
	a.want(t, 200, "PUT", room+"/read", `{"message":"`+id+`"}`, userHeader, "bob")
	got := a.want(t, 200, "GET", room+"/members", "", userHeader, "amsg")
	if want := `"read":{"message":"` + id + `","at":"2018-08-29T12:00:00.000Z"}`; strings.Count(got.text, want) != 1 {
		t.Errorf("%s, want %s once", got.text, want)
	}
	a.want(t, 404, "GET", room+"/members", "", userHeader, "eve")
}
