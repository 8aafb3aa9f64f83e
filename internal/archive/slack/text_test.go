package slack

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func testNames() nameTable {
	return nameTable{
		users:    map[string]string{"U1": "ada", "U2": ""},
		channels: map[string]string{"C1": "general"},
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ why, text, want string }{
		{"plain text stays", "a *bold* :smile: `x`", "a *bold* :smile: `x`"},
		{"the three entities are decoded", "1 &lt; 2 &amp;&amp; 3 &gt; 2", "1 < 2 && 3 > 2"},
		{"entities are decoded once", "&amp;lt; &amp;amp;", "&lt; &amp;"},
		{"no other entities are decoded", "&quot;&nbsp;&#39;", "&quot;&nbsp;&#39;"},
		{"a mention is a handle", "hi <@U1>!", "hi @ada!"},
		{"a mention ignores its label", "hi <@U1|old>!", "hi @ada!"},
		{"a user without an entry is the raw id", "<@U7> <@U7|eve> <@U2>", "@U7 @U7 @U2"},
		{"a channel is its name", "<#C1|general> <#C1> <#C1|> <#C9>", "#general #general #general #C9"},
		{"a label of a channel wins", "<#C1|as-it-was>", "#as-it-was"},
		{"a call is its name", "<!here> <!channel> <!everyone|everyone> <!group>", "@here @channel @everyone @group"},
		{"a group is its label", "<!subteam^S1|@devs> <!subteam^S1>", "@devs @S1"},
		{"a date is its label", "<!date^1577836800^{date}|1 Jan> <!date^1577836800^{date}>", "1 Jan 1577836800"},
		{"a link is its address", "<http://x.example> <https://x.example/a|a>", "http://x.example https://x.example/a"},
		{"an address is decoded", "<http://x.example/?a=1&amp;b=2|x>", "http://x.example/?a=1&b=2"},
		{"a mail link is its address", "<mailto:ada@x.example|ada@x.example>", "mailto:ada@x.example"},
		{"decoded entities are not markup", "&lt;@U1&gt;", "<@U1>"},
		{"other brackets stay", "< <> <b> <@> <#|x> a<b <|x> <@U1", "< <> <b> <@> <#|x> a<b <|x> <@U1"},
		{"markup ends within its line", "<http://x\n>", "<http://x\n>"},
		{"markup within a stray bracket is read", "<<@U1>", "<@ada"},
	} {
		if got := testNames().decode(c.text); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.why, c.text, got, c.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"<@U1|x>", "&lt;&amp;", "<!date^1^x|y>", "<#C1|>", "<<>", "<http://x|y>"} {
		f.Add(seed)
	}
	names := testNames()
	f.Fuzz(func(t *testing.T, text string) {
		got := names.decode(text)
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q became %q", text, got)
		}
		if !strings.ContainsAny(text, "<&") && got != text {
			t.Errorf("%q became %q", text, got)
		}
		// The decoded text, stored by Slack, is decoded to itself.
		stored := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(got)
		if again := names.decode(stored); again != got {
			t.Errorf("%q was stored and became %q", got, again)
		}
	})
}
