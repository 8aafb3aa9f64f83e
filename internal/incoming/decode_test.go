package incoming_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/incoming"
	"example.com/parley/internal/test/requests"
)

// TestDecode_OtherPrograms decodes the requests of programs as their documentation describes them.
func TestDecode_OtherPrograms(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"grafana": "[[FIRING:1] DiskFull (db-7 critical)](https://grafana.example.com/alerting/list)\n**Firing**\n\nValue: A=97.2\nLabels:\n - alertname = DiskFull\n - instance = db-7\n" +
			"Annotations:\n - summary = The disk is almost full\nSource: https://grafana.example.com/alerting/grafana/d1/view?orgId=1\n\nGrafana v11.2.0",
		"alertmanager": "[[FIRING:2] HighLatency api (prod)](http://alertmanager.example.com/#/alerts?receiver=chat)\n**Alert:** p99 above 2s & rising\n" +
			"**Runbook:** [latency](https://runbooks.example.com/latency)\nSeverity: page\nService: api",
		"uptime-kuma": "Uptime Kuma Alert\n[shop] [🔴 Down] connect ECONNREFUSED\n**Uptime Kuma Alert**\n**Message**\n[shop] connect ECONNREFUSED\n**Time (UTC)**\n2018-08-29 12:00:00",
		"github": "**Build failed ❌**\n**acme/shop** on `main` by [amsg](https://github.com/amsg)\n**Workflow**\nci\n**Commit**\n[1a2b3c4](https://github.com/acme/shop/commit/1a2b3c4)\n" +
			"run [#812](https://github.com/acme/shop/actions/runs/1)",
		"gitlab": "amsg pushed to branch [main](https://gitlab.example.com/acme/shop/commits/main) of [acme/shop](https://gitlab.example.com/acme/shop) " +
			"([Compare changes](https://gitlab.example.com/acme/shop/compare/1a2b...3c4d))\n[3c4d5e6f](https://gitlab.example.com/acme/shop/-/commit/3c4d): Mend the till <again> - Rhianna Cohen",
	}
	for _, r := range requests.All("incoming") {
		program := strings.TrimPrefix(r.Name, "use-incoming-")
		if want[program] == "" {
			continue
		}
		media := "application/json"
		if r.Header["content-type"] != "" {
			media = r.Header["content-type"]
		}
		d, err := incoming.Decode(media, []byte(r.Body))
		if d != (incoming.Draft{Text: want[program]}) || err != nil {
			t.Errorf("%s: %v\n%s\nwant\n%s", program, err, d.Text, want[program])
		}
		delete(want, program)
	}
	for program := range want {
		t.Errorf("%s has no request", program)
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded"
	for what, c := range map[string]struct {
		media, body string
		want        incoming.Draft
	}{
		"a text":                   {"application/json", `{"text":"hi"}`, incoming.Draft{Text: "hi"}},
		"no type":                  {"", `{"text":"hi"}`, incoming.Draft{Text: "hi"}},
		"a wrong type":             {"text/plain; charset=x", `{"text":"hi"}`, incoming.Draft{Text: "hi"}},
		"a form":                   {form, `payload=%7B%22text%22%3A%22a+%2B+b%22%7D`, incoming.Draft{Text: "a + b"}},
		"JSON with a form's type":  {form + "; charset=utf-8", `{"text":"100 %"}`, incoming.Draft{Text: "100 %"}},
		"Slack's marks":            {"", `{"text":"*b* <https://x.example|x> <@U1> <!here> &lt;&amp;&gt;"}`, incoming.Draft{Text: "**b** [x](https://x.example) @U1 @here <&>"}},
		"Markdown":                 {"", `{"text":"**b** [x](https://x.example) 1. a"}`, incoming.Draft{Text: "**b** [x](https://x.example) 1. a"}},
		"no marks":                 {"", `{"text":"*b*","mrkdwn":false}`, incoming.Draft{Text: "*b*"}},
		"a name and a picture":     {"", `{"text":"hi","username":"root","icon_emoji":":x:"}`, incoming.Draft{Text: "hi"}},
		"a key of a thread":        {"", `{"text":"hi","thread_key":"k"}`, incoming.Draft{Text: "hi", Thread: "k"}},
		"a time of a thread":       {"", `{"text":"hi","thread_ts":1535544000.12}`, incoming.Draft{Text: "hi", Thread: "1535544000.12"}},
		"blocks instead":           {"", `{"text":"notice","blocks":[{"type":"section","text":{"type":"mrkdwn","text":"all"}}]}`, incoming.Draft{Text: "all"}},
		"an unknown block":         {"", `{"text":"notice","blocks":[{"type":"new"},7,{"type":[]}]}`, incoming.Draft{Text: "notice"}},
		"a text twice":             {"", `{"text":"a","text":"b"}`, incoming.Draft{Text: "b"}},
		"bytes that are not UTF-8": {"", "{\"text\":\"a\xff\"}", incoming.Draft{Text: "a\uFFFD"}},
		"a longest text":           {"", `{"text":"` + strings.Repeat("x", chat.MaxText) + `"}`, incoming.Draft{Text: strings.Repeat("x", chat.MaxText)}},
	} {
		if d, err := incoming.Decode(c.media, []byte(c.body)); d != c.want || err != nil {
			t.Errorf("%s: %+v, %v, want %+v", what, d, err, c.want)
		}
	}
	long, err := incoming.Decode("", []byte(`{"text":"`+strings.Repeat("é", chat.MaxText)+`"}`))
	if err != nil || len(long.Text) > chat.MaxText || len(long.Text) < chat.MaxText-2 || !utf8.ValidString(long.Text) || !strings.HasSuffix(long.Text, "é\n… (cut)") {
		t.Errorf("%d bytes, %v", len(long.Text), err)
	}
	for _, body := range []string{"", "{", "[]", "null", `"hi"`, "payload={}", "a=b"} {
		_, err := incoming.Decode(form, []byte(body))
		if chat.KindOf(err) != chat.Invalid {
			t.Errorf("%q: %v", body, err)
		}
	}
	for _, body := range []string{`{}`, `{"text":""}`, `{"text":" \n"}`, `{"text":[]}`, `{"attachments":[{"color":"red"}]}`, `{"blocks":[{"type":"divider"}]}`} {
		_, err := incoming.Decode("", []byte(body))
		if chat.KindOf(err) != chat.Invalid || !strings.Contains(err.Error(), "text") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, r := range requests.Incomings {
		f.Add(r.Header["content-type"], []byte(r.Body))
	}
	f.Fuzz(func(t *testing.T, media string, body []byte) {
		d, err := incoming.Decode(media, body)
		if err != nil {
			if chat.KindOf(err) != chat.Invalid {
				t.Error(err)
			}
			return
		}
		if d.Text == "" || len(d.Text) > chat.MaxText || !utf8.ValidString(d.Text) {
			t.Errorf("%q", d.Text)
		}
	})
}
