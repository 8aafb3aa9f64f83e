package slack

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	names := testNames()
	names.shown = map[string]string{"U1": "Ada Lovelace"}
	for _, c := range []struct{ why, text, want string }{
		{"bold has two stars", "a *bold* word, *two words*.", "a **bold** word, **two words**."},
		{"struck text has two tildes", "~old~ new", "~~old~~ new"},
		{"italics stay", "_so_ snake_case_name", "_so_ snake_case_name"},
		{"marks nest", "*_both_* _*both*_ *~all~*", "**_both_** _**both**_ **~~all~~**"},
		{"marks do not cross", "*a ~b* c~", "**a ~b** c~"},
		{"a star within words or spaces stays", "2*3*4, a * b * c, * item", "2*3*4, a * b * c, * item"},
		{"bold ends within its line", "*a\nb*", "*a\nb*"},
		{"bold is not empty", "** **** *", "** **** *"},
		{"Markdown's own bold stays", "**x**", "**x**"},
		{"a backslash before a mark is text", `\*a\* \\_b \d`, `\\**a\\** \\\\_b \d`},
		{"paths stay", "~/a and ~/b", "~/a and ~/b"},
		{"entities are decoded once", "&amp;lt; 1 &lt; 2 &amp;&amp; 3 &gt; 2", "&lt; 1 < 2 && 3 > 2"},
		{"a link has its label", "see <https://x.example/a|the page>.", "see [the page](https://x.example/a)."},
		{"a bold link", "*<https://x.example|x>*", "**[x](https://x.example)**"},
		{"a label that is the address", "<http://x.example|x.example> <http://x.example/|http://x.example>", "http://x.example http://x.example/"},
		{"a bare address", "<https://x.example/?a=1&amp;b=2>, *<https://x.example>*", "https://x.example/?a=1&b=2, **https://x.example**"},
		{"an address within a word", "a<https://x.example>b", "a[https://x.example](https://x.example)b"},
		{"brackets in an address", "<https://x.example/a_(b)|b>", "[b](https://x.example/a_%28b%29)"},
		{"brackets in a label", "<https://x.example|[1] a> <https://x.example|a]>", "[[1] a](https://x.example) a] (https://x.example)"},
		{"emoji in a label", "<https://x.example|:tada: out now>", "[🎉 out now](https://x.example)"},
		{"an address with a user is no link", "<https://a@x.example|x>", "x (https://a@x.example)"},
		{"a mail link", "<mailto:ada@x.example|ada@x.example> <mailto:ada@x.example|Ada>", "ada@x.example Ada (ada@x.example)"},
		{"a mention is the name", "hi <@U1>! <@U1|old>", "hi @Ada Lovelace! @Ada Lovelace"},
		{"a mention of a user without an entry", "<@U7> <@U7|eve>", "@U7 @eve"},
		{"a channel is its name", "<#C1|general> <#C1> <#C9>", "#general #general #C9"},
		{"a call is its name", "<!here> <!channel> <!subteam^S1|@devs>", "@here @channel @devs"},
		{"codes are emoji", ":wave: :+1::tada: so:smile:", "👋 👍🎉 so😄"},
		{"tones are kept", ":wave::skin-tone-2: :wave::skin-tone-9:", "👋🏻 👋"},
		{"custom emoji stay", ":party-gopher: :x y: :: :", ":party-gopher: :x y: :: :"},
		{"times are no emoji", "at 10:100:20, :100:!", "at 10:100:20, 💯!"},
		{"a quote", "&gt; a *b*\n&gt;c\nd", "> a **b**\n> c\nd"},
		{"a quote to the end", "a\n&gt;&gt;&gt; b\nc", "a\n> b\n> c"},
		{"code stays", "`*a* :smile: &lt;b&gt; ~c~` *d*", "`*a* :smile: <b> ~c~` **d**"},
		{"code has the typed words", "`<http://x.example|x.example> <@U1>`", "`x.example @Ada Lovelace`"},
		{"a single tick", "` *a*", "` **a**"},
		{"a block stays", "```*a* :smile:\n&lt;b&gt;```", "```\n*a* :smile:\n<b>\n```"},
		{"a block begins and ends its lines", "run ```a\nb``` then *c*", "run \n```\na\nb\n```\n then **c**"},
		{"a block keeps its blank lines", "```\n\na\n```\nb", "```\n\na\n```\nb"},
		{"an empty block is text", "*a* ``` ```", "**a** ``` ```"},
	} {
		if got := names.markdown(c.text); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.why, c.text, got, c.want)
		}
	}
}

// TestMarkdown_LeavesPlainText converts texts without Slack's marks, and code.
func TestMarkdown_LeavesPlainText(t *testing.T) {
	t.Parallel()
	names := testNames()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zA-Z0-9 .,;!?()\[\]_\-\n/'"äß漢👋]*`).Draw(t, "text")
		if got := names.markdown(text); got != text {
			t.Fatalf("%q became %q", text, got)
		}
		code := rapid.StringMatching("[a-z0-9 .,:*_~()\\[\\]&;#@|+-]+").Draw(t, "code")
		if got := names.markdown("`" + strings.ReplaceAll(code, "&", "&amp;") + "`"); got != "`"+code+"`" {
			t.Fatalf("the code %q became %q", code, got)
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"*a* ~b~ `c` ```d```", "<https://x|y>*", "&gt;&gt;&gt; a\n`", ":wave::skin-tone-2:", "*_~`<:&", "**a*"} {
		f.Add(seed)
	}
	names := testNames()
	f.Fuzz(func(t *testing.T, text string) {
		got := names.markdown(text)
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q became %q", text, got)
		}
		if !strings.ContainsAny(text, "<&*~:`") && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}
