package slack

import (
	"testing"

	"github.com/go-json-experiment/json"

	"example.com/parley/internal/slacktext"
)

// TestWords converts messages whose words are not in their text.
func TestWords(t *testing.T) {
	t.Parallel()
	n := slacktext.Names{Users: map[string]string{"U1": "ada"}, Shown: map[string]string{"U1": "Ada L"}, Channels: map[string]string{"C1": "general"}}
	const rich = `"blocks": [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": `
	for why, c := range map[string]struct{ record, want string }{
		"a rich text": {`{` + rich + `[{"type": "text", "text": "so "}, {"type": "text", "text": "bold ", "style": {"bold": true, "italic": true}},
			{"type": "text", "text": "x", "style": {"code": true}}, {"type": "user", "user_id": "U1"}, {"type": "channel", "channel_id": "C1"},
			{"type": "link", "url": "https://a.example/", "text": "page"}, {"type": "emoji", "name": "wave"}, {"type": "broadcast", "range": "here"},
			{"type": "from the future", "text": " new"}]}]}]}`, "so **_bold_** `x`@Ada L#general[page](https://a.example/)👋@here new"},
		"lists, quotes and code": {`{"blocks": [{"type": "rich_text", "elements": [
			{"type": "rich_text_list", "style": "ordered", "elements": [
				{"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]}, {"type": "rich_text_section", "elements": [{"type": "text", "text": "two"}]}]},
			{"type": "rich_text_list", "style": "bullet", "indent": 1, "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "in"}]}]},
			{"type": "rich_text_quote", "elements": [{"type": "text", "text": "said\nso"}]},
			{"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "a *b*"}]}]}]}`, "1. one\n2. two\n  - in\n> said\n> so\n```\na *b*\n```"},
		"the blocks of a program instead of its notice": {`{"bot_id": "B1", "text": "New deploy", "blocks": [
			{"type": "header", "text": {"type": "plain_text", "text": "Deploy :tada:"}}, {"type": "divider"},
			{"type": "section", "text": {"type": "mrkdwn", "text": "*done* by <@U1>"}, "fields": [{"type": "mrkdwn", "text": "*Branch*\nmain"}, {"type": "plain_text", "text": "a < b"}],
				"accessory": {"type": "image", "image_url": "https://a.example/a.png", "alt_text": "a chart"}},
			{"type": "context", "elements": [{"type": "image", "image_url": "https://a.example/i.png", "alt_text": "icon"}, {"type": "mrkdwn", "text": "by *CI*"}]},
			{"type": "image", "image_url": "https://a.example/g.png", "title": {"type": "plain_text", "text": "Graph"}, "alt_text": "g"},
			{"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Stop"}}]}]}`,
			"**Deploy 🎉**\n**done** by @Ada L\n**Branch**\nmain\na < b\n[a chart](https://a.example/a.png)\n[icon](https://a.example/i.png) by **CI**\n[Graph](https://a.example/g.png)"},
		"a person's text instead of its blocks": {`{"user": "U1", "text": "*hi*", ` + rich + `[{"type": "text", "text": "hi", "style": {"bold": true}}]}]}]}`, "**hi**"},
		"words behind a stand-in":               {`{"user": "U1", "text": "This content can't be displayed.", ` + rich + `[{"type": "text", "text": "here"}]}]}]}`, "here"},
		"a stand-in only":                       {`{"user": "U1", "text": "This content can't be displayed."}`, ""},
		"titles and fields with a fallback": {`{"bot_id": "B1", "text": "", "attachments": [{"fallback": "build", "pretext": "CI", "title": "Build 7", "title_link": "https://ci.example/7",
			"text": "passed", "fields": [{"title": "Branch", "value": "main"}, {"title": "", "value": "x"}], "footer": "ci"}]}`,
			"CI\n[Build 7](https://ci.example/7)\npassed\nBranch: main\nx\nci"},
		"an attachment with a text":  {`{"bot_id": "B1", "text": "alert", "attachments": [{"text": "disk full"}]}`, "alert\ndisk full"},
		"only a fallback":            {`{"bot_id": "B1", "attachments": [{"fallback": "*ready*"}]}`, "**ready**"},
		"a stand-in for a fallback":  {`{"bot_id": "B1", "attachments": [{"fallback": "[no preview available]", "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "the words"}}]}]}`, "the words"},
		"only a picture":             {`{"bot_id": "B1", "attachments": [{"image_url": "https://x.example/a.gif"}]}`, "https://x.example/a.gif"},
		"only a link":                {`{"bot_id": "B1", "attachments": [{"from_url": "https://x.example/", "service_name": "X"}]}`, "https://x.example/"},
		"a preview with a text":      {`{"user": "U1", "text": "see <https://x.example/>", "attachments": [{"from_url": "https://x.example/", "title": "X"}]}`, "see https://x.example/"},
		"a shared message":           {`{"user": "U1", "text": "look", "attachments": [{"is_msg_unfurl": true, "from_url": "https://acme.example/p1", "author_name": "Ben", "text": "one\ntwo"}]}`, "look\n> [Ben](https://acme.example/p1):\n> one\n> two"},
		"a shared message in blocks": {`{"user": "U1", "text": "", "attachments": [{"is_share": true, "author_name": "Ben", "fallback": "[no preview available]", "message_blocks": [{"message": {` + rich + `[{"type": "text", "text": "hi"}]}]}]}}]}]}`, "> Ben:\n> hi"},
		"the comment of a file":      {`{"user": "U1", "text": "<@U1> uploaded a file", "file": {"id": "F1", "initial_comment": {"comment": "the *plan*"}}}`, "@Ada L uploaded a file\nthe **plan**"},
		"a table":                    {`{"bot_id": "B1", "blocks": [{"type": "table", "rows": [[{"type": "raw_text", "text": "a"}, {"type": "raw_text", "text": "b"}], [{"type": "raw_text", "text": "c"}, {"type": "raw_text", "text": "d"}]]}]}`, "a | b\nc | d"},
		"markdown":                   {`{"bot_id": "B1", "blocks": [{"type": "markdown", "text": "**as it is**"}]}`, "**as it is**"},
	} {
		var m message
		if err := json.Unmarshal([]byte(c.record), &m, slacktext.Lenient()); err != nil {
			t.Errorf("%s: %v", why, err)
			continue
		}
		if got, _ := words(n, m); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", why, got, c.want)
		}
	}
}

// TestReadMessage_KeepsWhatCanBeRead reads records of which a part has an unknown form.
func TestReadMessage_KeepsWhatCanBeRead(t *testing.T) {
	t.Parallel()
	for record, complete := range map[string]bool{
		`{"user": "U1", "ts": "1.2", "text": "a", "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "b"}}]}`:                          true,
		`{"user": "U1", "ts": 1.2, "thread_ts": 7, "text": "a", "blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "b"}}]}`:            true,
		`{"user": "U1", "ts": "1.2", "text": "a", "files": 7, "blocks": [{"type": 9}, {"type": "section", "text": {"type": "mrkdwn", "text": "b"}}]}`: false,
	} {
		m, all, err := readMessage([]byte(record))
		if err != nil || all != complete || m.TS != "1.2" || m.Text != "a" || (slacktext.Names{}).Blocks(m.Blocks) != "b" {
			t.Errorf("%s: %+v, %v, %v", record, m, all, err)
		}
	}
}
