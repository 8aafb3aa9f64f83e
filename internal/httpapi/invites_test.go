package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestUseInvite_DeadTokensAnswerAlike compares the responses to tokens that are unknown,
// malformed, used up or revoked, or whose room is deleted or archived. They must be equal byte by
// byte and in their calls to the store. The bearer is a stranger, or banned from the room.
func TestUseInvite_DeadTokensAnswerAlike(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	invite := func(in place) answer {
		return m.want(t, 201, "POST", "/rooms/"+in.room+"/invites", `{"maxUses":1}`, userHeader, "owner")
	}
	for _, private := range []bool{false, true} {
		in, archived, deleted := m.room(t, private, false), m.room(t, private, false), m.room(t, private, false)
		used, revoked, live := invite(in), invite(in), invite(in)
		m.want(t, 201, "POST", "/invites/"+used.body["token"].(string), "", userHeader, guest)
		m.want(t, 204, "DELETE", "/rooms/"+in.room+"/invites/"+revoked.body["id"].(string), "", userHeader, "owner")
		m.want(t, 200, "PUT", "/rooms/"+archived.room, `{"archived":true}`, userHeader, "owner")
		m.want(t, 204, "DELETE", "/rooms/"+deleted.room, "", userHeader, "owner")
		tokens := map[string]string{
			"used up": used.body["token"].(string), "revoked": revoked.body["token"].(string), "malformed": "A%20b",
			"archived": archived.token, "deleted": deleted.token,
		}
		for what, token := range tokens {
			m.answersAsUnknown(t, what, token, "stranger")
		}
		m.answersAsUnknown(t, "live, for one who is banned", live.body["token"].(string), "banned")
	}
}

func (m *matrix) answersAsUnknown(t *testing.T, what, token, caller string) {
	t.Helper()
	before := m.calls.Load()
	one := m.want(t, 404, "POST", "/invites/"+token, "", userHeader, caller)
	between := m.calls.Load()
	other := m.want(t, 404, "POST", "/invites/mfrggzdfmztwq2lkmfrggzdfmztwq2lk", "", userHeader, caller)
	after := m.calls.Load()
	if one.text != other.text || fmt.Sprint(one.header) != fmt.Sprint(other.header) {
		t.Errorf("%s: %v %s\nan unknown token: %v %s", what, one.header, one.text, other.header, other.text)
	}
	if between-before != after-between {
		t.Errorf("%s: %d calls, and %d for an unknown token", what, between-before, after-between)
	}
}

// TestPostInvite_TokenIsShownOnce checks that the token is in one response, and in no other
// response or log line.
func TestPostInvite_TokenIsShownOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	made := a.want(t, 201, "POST", "/rooms/seattle/invites", `{"role":"moderator","maxUses":2}`, userHeader, "owner")
	token, _ := made.body["token"].(string)
	if len(token) != 32 || made.body["expires"] != "2018-09-05T12:00:00.000Z" || made.body["uses"] != 0.0 {
		t.Fatalf("created %s", made.text)
	}
	checkProblem(t, "too long", a.want(t, 422, "POST", "/rooms/seattle/invites", `{"expires":"2018-10-05T12:00:00Z"}`, userHeader, "owner"))
	in := a.want(t, 201, "POST", "/invites/"+token, "", userHeader, "bob")
	again := a.want(t, 200, "POST", "/invites/"+token, "", userHeader, "bob")
	if in.text != again.text || in.body["role"] != "moderator" || in.body["room"] != "seattle" {
		t.Errorf("bob comes in as %s, and once more as %s", in.text, again.text)
	}
	a.want(t, 404, "POST", "/invites/"+token+"x", "", userHeader, "carl")
	for _, path := range []string{"/rooms/seattle/invites", "/rooms/seattle/audit", "/rooms/seattle/members", "/rooms/seattle/changes"} {
		if got := a.want(t, 200, "GET", path, "", userHeader, "owner"); strings.Contains(got.text, token) {
			t.Errorf("%s shows the token: %s", path, got.text)
		}
	}
	if got := a.want(t, 200, "GET", "/rooms/seattle/invites", "", userHeader, "owner"); !strings.Contains(got.text, `"uses":1`) {
		t.Errorf("the list is %s", got.text)
	}
	if logs := a.logs.String(); strings.Contains(logs, token) || !strings.Contains(logs, "POST /invites/{token}") {
		t.Errorf("the log is\n%s", logs)
	}
}

// TestPutMember_PromotesOnlyMembers checks that the response names the field.
func TestPutMember_PromotesOnlyMembers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "", userHeader, "owner")
	got := a.want(t, 409, "PUT", "/rooms/seattle/members/bob", `{"role":"moderator"}`, userHeader, "owner")
	checkProblem(t, "a stranger is promoted", got)
	if !strings.Contains(got.text, `"location":"role"`) || !strings.Contains(got.text, "add them with the role member first") {
		t.Errorf("the answer is %s", got.text)
	}
}
