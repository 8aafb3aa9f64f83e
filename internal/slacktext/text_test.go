package slacktext

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"example.com/parley/internal/emoji"
)

func testNames() Names {
	return Names{
		Users:    map[string]string{"U1": "ada", "U2": ""},
		Channels: map[string]string{"C1": "general"},
	}
}

func TestNames_Decode(t *testing.T) {
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
		if got := testNames().Decode(c.text); got != c.want {
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
		got := names.Decode(text)
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q became %q", text, got)
		}
		if !strings.ContainsAny(text, "<&") && got != text {
			t.Errorf("%q became %q", text, got)
		}
		// The decoded text, stored by Slack, is decoded to itself.
		stored := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(got)
		if again := names.Decode(stored); again != got {
			t.Errorf("%q was stored and became %q", got, again)
		}
	})
}

func TestNames_Markdown(t *testing.T) {
	t.Parallel()
	names := testNames()
	names.Shown = map[string]string{"U1": "Ada Lovelace"}
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
		if got := names.Markdown(c.text); got != c.want {
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
		if got := names.Markdown(text); got != text {
			t.Fatalf("%q became %q", text, got)
		}
		code := rapid.StringMatching("[a-z0-9 .,:*_~()\\[\\]&;#@|+-]+").Draw(t, "code")
		if got := names.Markdown("`" + strings.ReplaceAll(code, "&", "&amp;") + "`"); got != "`"+code+"`" {
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
		got := names.Markdown(text)
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q became %q", text, got)
		}
		if !strings.ContainsAny(text, "<&*~:`") && got != text {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestEmojiKey(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"+1": "👍", "thumbsup": "👍", "heart": "❤", "simple_smile": "🙂", "flag-de": "🇩🇪",
		"clap::skin-tone-3": "👏🏼", "+1::skin-tone-6": "👍🏿", "woman-running::skin-tone-2": "🏃🏻\u200D♀",
		"people_holding_hands::skin-tone-2-4": "🧑🏻\u200D🤝\u200D🧑🏽", "handshake::skin-tone-5": "🤝🏾",
		"rocket::skin-tone-3": "🚀", "clap::skin-tone-9": "👏", "clap::upside-down": "👏", "v::skin-tone-4": "✌🏽",
		"party-gopher": "", "": "", "::skin-tone-3": "", "skin-tone-3": "",
	} {
		if got, ok := EmojiKey(name); ok != (want != "") || ok && got != want {
			t.Errorf("EmojiKey(%q) = %q, %v, want %q", name, got, ok, want)
		}
	}
}

// TestShortNames_AreEmoji checks that a reaction with any of Slack's names can be stored, except
// for the names of single tones.
func TestShortNames_AreEmoji(t *testing.T) {
	t.Parallel()
	if n := len(shortNames()); n < 1900 {
		t.Errorf("%d names", n)
	}
	for name, text := range shortNames() {
		if _, ok := emoji.Key(text); !ok && !strings.HasPrefix(name, skinTonePrefix) {
			t.Errorf("%s is %q, which is no emoji", name, text)
		}
	}
}
