package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/tally"
)

// newPoll posts a poll as amsg, and returns its path.
func (c *counted) newPoll(poll string) string {
	c.t.Helper()
	body := `{"text":"When?","poll":{"options":["Tuesday","Wednesday","Friday"]` + poll + `}}`
	return "/rooms/seattle/messages/" + c.want(c.t, 201, "POST", "/rooms/seattle/messages", body).body["id"].(string)
}

func (c *counted) vote(status int, message, choices, user string) answer {
	c.t.Helper()
	return c.want(c.t, status, "PUT", message+"/vote", `{"choices":[`+choices+`]}`, userHeader, user)
}

// poll returns the poll of a message as a person sees it: votes by option, with * for their own.
func (c *counted) poll(message, user string) string {
	c.t.Helper()
	p, ok := c.want(c.t, 200, "GET", message, "", userHeader, user).body["poll"].(map[string]any)
	if !ok {
		return "none"
	}
	text := fmt.Sprintf("%v:", p["voters"])
	for _, o := range p["options"].([]any) {
		o := o.(map[string]any)
		text += fmt.Sprintf(" %v", o["votes"])
		if o["me"] == true {
			text += "*"
		}
	}
	return text
}

func TestPutVote_ReplacesTheFormerOne(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	m := c.newPoll("")
	for _, v := range []struct{ choices, user string }{{"0", "bob"}, {"2", "carl"}, {"2", "bob"}, {"2", "bob"}} {
		c.vote(204, m, v.choices, v.user)
	}
	if got := c.poll(m, "bob"); got != "0: 0 0 0" {
		t.Errorf("before the count: %s", got)
	}
	c.count(m)
	for user, want := range map[string]string{"bob": "2: 0 0 2*", "amsg": "2: 0 0 2"} {
		if got := c.poll(m, user); got != want {
			t.Errorf("%s sees %s, want %s", user, got, want)
		}
	}
	if page := c.want(t, 200, "GET", "/rooms/seattle/messages", "", userHeader, "bob").text; !strings.Contains(page, `"votes":2,"me":true`) {
		t.Errorf("a page does not say whose vote is one's own: %s", page)
	}
	c.want(t, 204, "DELETE", m+"/vote", "", userHeader, "bob")
	c.want(t, 204, "DELETE", m+"/vote", "", userHeader, "dave") // none
	c.count(m)
	if got := c.poll(m, "bob"); got != "1: 0 0 1" {
		t.Errorf("after one was taken back: %s", got)
	}
}

func TestPutVote_ChecksChoices(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	one, several, plain := c.newPoll(""), c.newPoll(`,"multiple":true`), c.post("amsg")
	for _, tt := range []struct {
		message, choices string
		status           int
	}{
		{one, "0,1", 422}, {one, "", 422}, {one, "3", 422}, {one, "-1", 422}, {one, "1.5", 422},
		{several, "2,0", 204}, {several, "0,0", 422}, {several, "0,1,2,3", 422},
		{plain, "0", 404}, {"/rooms/seattle/messages/" + goodID + "~amsg", "0", 404},
	} {
		c.vote(tt.status, tt.message, tt.choices, "bob")
	}
	c.count(several)
	if got := c.poll(several, "bob"); got != "1: 1* 0 1*" {
		t.Errorf("several choices: %s", got)
	}
}

func TestPutVote_EndsWithThePoll(t *testing.T) {
	t.Parallel()
	now := start
	c := &counted{t: t}
	c.api = newAPI(t, func(o *app.Options) {
		c.store, o.Clock = o.Store.(tally.Store), func() time.Time { return now }
	})
	c.want(t, 201, "PUT", "/rooms/seattle", "")
	m := c.newPoll(`,"endsAt":"2018-08-29T13:00:00Z"`)
	now = start.Add(time.Hour - time.Millisecond)
	c.vote(204, m, "1", "bob")
	now = start.Add(time.Hour)
	c.vote(409, m, "0", "bob")
	c.want(t, 409, "DELETE", m+"/vote", "", userHeader, "bob")
	c.count(m)
	if got := c.poll(m, "bob"); got != "1: 0 1* 0" {
		t.Errorf("after the end: %s", got)
	}
}

// TestPatchMessage_QuestionStaysOnceSomebodyVoted edits a poll before, during and after a vote. All but
// the question can be edited meanwhile.
func TestPatchMessage_QuestionStaysOnceSomebodyVoted(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	m := c.newPoll("")
	edit := func(status int, body string) answer {
		t.Helper()
		return c.want(t, status, "PATCH", m, body)
	}
	edit(200, `{"text":"When shall we meet?"}`)
	c.vote(204, m, "0", "bob")
	c.count(m)
	got := edit(409, `{"text":"Shall we dismiss bob?"}`)
	checkProblem(t, m, got)
	if want := "people have voted, so the poll's question stays; delete the message and post another poll"; !strings.Contains(strings.ToLower(got.text), want) {
		t.Errorf("the answer is %s", got.text)
	}
	edit(409, `{"text":"Shall we dismiss bob?","metadata":{"a":1}}`)
	if text := c.want(t, 200, "GET", m, "").body["text"]; text != "When shall we meet?" {
		t.Errorf("the question is %q", text)
	}
	edit(200, `{"text":"When shall we meet?"}`) // changes nothing
	edit(200, `{"metadata":{"a":1}}`)
	c.want(t, 204, "DELETE", m+"/vote", "", userHeader, "bob")
	c.count(m)
	edit(200, `{"text":"Where shall we meet?"}`)
}

func TestListVotes_PagesUnlessAnonymous(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	m, secret := c.newPoll(""), c.newPoll(`,"anonymous":true`)
	for i, user := range []string{"bob", "carl", "dave"} {
		c.vote(204, m, fmt.Sprint(i), user)
		c.vote(204, secret, "0", user)
	}
	first := c.want(t, 200, "GET", m+"/votes?limit=2", "")
	second := c.want(t, 200, "GET", m+"/votes?limit=2&cursor="+first.body["next"].(string), "")
	want := `{"items":[{"user":"bob","choices":[0]},{"user":"carl","choices":[1]}],"next":` + ` {"items":[{"user":"dave","choices":[2]}]}`
	if got := first.text[:strings.Index(first.text, `"next":`)+7] + " " + second.text; got != want {
		t.Errorf("listed %s", got)
	}
	c.want(t, 403, "GET", secret+"/votes", "")
	c.want(t, 404, "GET", c.post("amsg")+"/votes", "")
}

func TestDeleteMessage_RemovesThePoll(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	m := c.newPoll("")
	c.want(t, 200, "PATCH", m, `{"text":"When then?"}`)
	c.vote(204, m, "1", "bob")
	c.count(m)
	if got := c.poll(m, "bob"); got != "1: 0 1* 0" {
		t.Errorf("after an edit: %s", got)
	}
	c.want(t, 200, "DELETE", m, "")
	c.count(m)
	if got := c.poll(m, "bob"); got != "none" {
		t.Errorf("after the deletion: %s", got)
	}
	c.vote(409, m, "0", "bob")
	c.want(t, 404, "GET", m+"/votes", "")
}

func TestPostMessage_ChecksThePoll(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	long := strings.Repeat("é", chat.MaxPollOption/2)
	for poll, status := range map[string]int{
		`"options":["a"]`:                                          422,
		`"options":["a","a"]`:                                      422,
		`"options":["a",""]`:                                       422,
		`"options":["a","` + long + `x"]`:                          422,
		`"options":["a","` + long + `"]`:                           201,
		`"options":["0","1","2","3","4","5","6","7","8","9"]`:      201,
		`"options":["0","1","2","3","4","5","6","7","8","9","10"]`: 422,
		`"options":["a","b"],"endsAt":"2018-08-29T12:00:00Z"`:      422,
		`"options":["a","b"],"endsAt":"2019-08-30T12:00:00Z"`:      201,
		`"options":["a","b"],"endsAt":"2019-08-30T12:00:01Z"`:      422,
		`"options":["a","b"],"endsAt":"tomorrow"`:                  422,
		`"options":["a","b"],"endsAt":"0001-01-01T00:00:00Z"`:      422,
		`"options":["a","b"],"closed":true`:                        422,
	} {
		c.want(t, status, "POST", "/rooms/seattle/messages", `{"text":"?","poll":{`+poll+`}}`)
	}
	id := chat.NewUUID(start, [10]byte{9}).String()
	send := func(status int, poll string) {
		c.want(t, status, "POST", "/rooms/seattle/messages", `{"id":"`+id+`","text":"?","poll":{`+poll+`}}`)
	}
	send(201, `"options":["a","b"]`)
	send(200, `"options":["a","b"]`)
	send(409, `"options":["b","a"]`)
	send(409, `"options":["a","b"],"multiple":true`)
}
