package httpapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/emoji"
	"example.com/parley/internal/tally"
)

// counted is an API with the counts of the feed function.
type counted struct {
	*api
	t     *testing.T
	store tally.Store
}

func newCounted(t *testing.T) *counted {
	c := &counted{t: t}
	c.api = newAPI(t, func(o *app.Options) { c.store = o.Store.(tally.Store) })
	c.want(t, 201, "PUT", "/rooms/seattle", "")
	return c
}

// post returns the path of a new message.
func (c *counted) post(user string) string {
	c.t.Helper()
	return "/rooms/seattle/messages/" + c.want(c.t, 201, "POST", "/rooms/seattle/messages", `{"text":"x"}`, userHeader, user).body["id"].(string)
}

func (c *counted) react(status int, method, message, text, user string) answer {
	c.t.Helper()
	return c.want(c.t, status, method, message+"/reactions/"+url.PathEscape(text), "", userHeader, user)
}

// count counts a message as the feed function does.
func (c *counted) count(message string) {
	c.t.Helper()
	id, err := chat.ParseMessageID(message[strings.LastIndex(message, "/")+1:])
	if err == nil {
		_, err = tally.NewCounter(c.store).Count(c.t.Context(), "seattle", id)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// shown returns the reactions of a message as a person sees them.
func (c *counted) shown(path, user string) string {
	c.t.Helper()
	text := c.want(c.t, 200, "GET", path, "", userHeader, user).text
	_, after, ok := strings.Cut(text, `"reactions":`)
	if !ok {
		return ""
	}
	return after[:strings.Index(after, "]")+1]
}

func TestPutReaction_ShowsCountsAndOnesOwn(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	m := c.post("amsg")
	for _, form := range []string{"❤", "❤\uFE0F"} {
		c.react(200, "PUT", m, form, "bob")
	}
	c.react(200, "PUT", m, "❤\uFE0F", "amsg")
	c.react(200, "PUT", m, "#\uFE0F\u20E3", "bob")
	c.react(200, "DELETE", m, "👍", "bob") // none
	if got := c.shown(m, "bob"); got != "" {
		t.Errorf("before the count: %s", got)
	}
	c.count(m)
	const heart, keycap = "❤\uFE0F", "#\uFE0F\u20E3"
	both := `[{"emoji":"` + keycap + `","count":1%s},{"emoji":"` + heart + `","count":2%s}]`
	for user, want := range map[string]string{
		"bob": fmt.Sprintf(both, `,"me":true`, `,"me":true`), "amsg": fmt.Sprintf(both, "", `,"me":true`), "carl": fmt.Sprintf(both, "", ""),
	} {
		for _, path := range []string{m, "/rooms/seattle/messages", "/rooms/seattle/messages?user=amsg"} {
			if got := c.shown(path, user); got != want {
				t.Errorf("%s shows %s %s, want %s", path, user, got, want)
			}
		}
	}
	list := m + "/reactions?emoji=" + url.QueryEscape("❤")
	first := c.want(t, 200, "GET", list+"&limit=1&include=people", "")
	next, _ := first.body["next"].(string)
	second := c.want(t, 200, "GET", list+"&limit=1&cursor="+next, "")
	if !strings.HasPrefix(first.text, `{"items":[{"user":"amsg"}]`) || !strings.Contains(first.text, `"people":{"amsg":`) || second.text != `{"items":[{"user":"bob"}]}` {
		t.Errorf("pages %s and %s", first.text, second.text)
	}
	c.want(t, 400, "GET", m+"/reactions?emoji="+url.QueryEscape("👍")+"&cursor="+next, "")

	c.react(200, "DELETE", m, "❤", "bob")
	c.count(m)
	if got, want := c.shown(m, "bob"), `[{"emoji":"`+keycap+`","count":1,"me":true},{"emoji":"`+heart+`","count":1}]`; got != want {
		t.Errorf("after it was taken back: %s, want %s", got, want)
	}
	c.want(t, 200, "DELETE", m, "", "If-Match", "*")
	if got := c.shown(m, "bob"); got != "" {
		t.Errorf("a deleted message has the reactions %s", got)
	}
	if got := c.want(t, 200, "GET", list, "").text; got != `{"items":[]}` {
		t.Errorf("who reacted to a deleted message: %s", got)
	}
	c.react(409, "PUT", m, "👍", "bob")
	c.react(200, "DELETE", m, keycap, "bob")
}

// TestPutReaction_AnswersTheCounts reads the counts of the answers, before and after the feed
// function has counted.
func TestPutReaction_AnswersTheCounts(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	m := c.post("amsg")
	for i, step := range []struct{ method, emoji, user, want string }{
		{"PUT", "👍", "amsg", `{"items":[{"emoji":"👍","count":1,"me":true}]}`},
		{"PUT", "👍", "amsg", `{"items":[{"emoji":"👍","count":1,"me":true}]}`},
		{"PUT", "🎉", "bob", `{"items":[{"emoji":"👍","count":1},{"emoji":"🎉","count":1,"me":true}]}`},
		{"PUT", "🎉", "carl", `{"items":[{"emoji":"👍","count":1},{"emoji":"🎉","count":2,"me":true}]}`},
		{"DELETE", "👍", "bob", `{"items":[{"emoji":"👍","count":1},{"emoji":"🎉","count":2}]}`},
		{"DELETE", "👍", "amsg", `{"items":[{"emoji":"🎉","count":2}]}`},
	} {
		if got := c.react(200, step.method, m, step.emoji, step.user); got.text != step.want {
			t.Errorf("step %d, %s %s by %s: %s, want %s", i, step.method, step.emoji, step.user, got.text, step.want)
		}
		c.count(m)
	}
	c.react(200, "PUT", m, "🚀", "bob")
	if got, want := c.react(200, "PUT", m, "🚀", "bob").text, `{"items":[{"emoji":"🎉","count":2},{"emoji":"🚀","count":1,"me":true}]}`; got != want {
		t.Errorf("a retry before the count: %s, want %s", got, want)
	}
}

func TestPutReaction_RefusesWhatIsNoEmoji(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	m := c.post("amsg")
	for _, text := range []string{"a", ":party:", "👍👍", "%", "1", strings.Repeat("👍", 11)} {
		for _, method := range []string{"PUT", "DELETE"} {
			if got := c.react(422, method, m, text, "bob"); !strings.Contains(got.text, `"location":"emoji"`) && !strings.Contains(got.text, "path.emoji") {
				t.Errorf("%s %q: %s", method, text, got.text)
			}
		}
	}
	if got := c.react(422, "PUT", m, ":party:", "bob"); !strings.Contains(got.text, "custom emoji such as :party: do not exist here") {
		t.Errorf("a custom emoji: %s", got.text)
	}
	c.react(404, "PUT", "/rooms/seattle/messages/"+freshID+"~amsg", "👍", "bob")
	c.react(404, "DELETE", "/rooms/seattle/messages/"+freshID+"~amsg", "👍", "bob")
	c.want(t, 404, "GET", "/rooms/seattle/messages/"+freshID+"~amsg/reactions?emoji="+thumb, "")
	c.want(t, 422, "GET", m+"/reactions", "")
}

// TestPutReaction_HasLimits fills a message with kinds of emoji, and one emoji with people.
func TestPutReaction_HasLimits(t *testing.T) {
	t.Parallel()
	c := newCounted(t)
	m := c.post("amsg")
	var kinds []string
	for r := rune(0x1F600); len(kinds) <= chat.MaxEmoji; r++ {
		if key, ok := emoji.Key(string(r)); ok {
			kinds = append(kinds, key)
		}
	}
	for _, kind := range kinds[:chat.MaxEmoji] {
		c.react(200, "PUT", m, kind, "bob")
	}
	c.count(m)
	c.react(409, "PUT", m, kinds[chat.MaxEmoji], "bob")
	c.react(200, "PUT", m, kinds[0], "carl")
	c.react(200, "DELETE", m, kinds[0], "carl")
	if n := strings.Count(c.shown(m, "carl"), "emoji"); n != chat.MaxEmoji {
		t.Errorf("%d kinds are shown", n)
	}

	full := c.post("amsg")
	id, err := chat.ParseMessageID(full[strings.LastIndex(full, "/")+1:])
	if err != nil {
		t.Fatal(err)
	}
	after := chat.Tally{Version: 1, Reactions: []chat.ReactionCount{{Emoji: "👍", Count: chat.MaxReactions}}}
	if ok, err := c.store.PutTally(t.Context(), "seattle", id, after); !ok || err != nil {
		t.Fatal(ok, err)
	}
	c.react(409, "PUT", full, "👍", "bob")
	c.react(200, "PUT", full, "👎", "bob")
}
