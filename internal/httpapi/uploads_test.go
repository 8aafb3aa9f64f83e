package httpapi_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
)

// uploadID returns the id of a file that a client made at the start.
func uploadID(n byte) string { return chat.NewUUID(start, [10]byte{9: n}).String() }

// TestPostUpload_NamesTheFieldAtFault announces files that break a rule, of which nothing is stored
// or counted: the day allows one file.
func TestPostUpload_NamesTheFieldAtFault(t *testing.T) {
	t.Parallel()
	limits := attachment.Limits{FileBytes: 1 << 20, DayBytes: 1 << 30, DayFiles: 1, Types: []string{"image/*", "application/pdf"}}
	a := newAPI(t, func(o *app.Options) { o.FileLimits = limits })
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	long := func(n int) string { return strings.Repeat("x", n) }
	for field, changes := range map[string][]string{
		"id":     {`{"id":"x"}`, `{"id":"e7cbcf4e-8b53-4a6b-9f5a-30a7a7c4f6a1"}`},
		"bytes":  {`{"bytes":0}`, `{"bytes":-1}`, `{"bytes":1048577}`, `{"bytes":1.5}`, `{"bytes":"5"}`},
		"sha256": {`{"sha256":""}`, `{"sha256":"aGVsbG8="}`, `{"sha256":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"}`},
		"type": {
			`{"type":""}`, `{"type":"image"}`, `{"type":"Image/PNG"}`, `{"type":"image/png; q=1"}`, `{"type":"image/` + long(80) + `"}`,
			`{"type":"text/html"}`, `{"type":"application/pdfx"}`,
		},
		"name": {
			`{"name":""}`, `{"name":"."}`, `{"name":".."}`, `{"name":"../plan.png"}`, `{"name":"C:\\plan.png"}`, `{"name":"plan\u0000.png"}`, `{"name":"a\r\nb"}`,
			`{"name":"plan\u202egnp.exe"}`, `{"name":"\u2066plan"}`, `{"name":"a\u2028b"}`, `{"name":"` + strings.Repeat("😀", 300) + `"}`, `{"name":"` + long(121) + `"}`,
		},
		"width":          {`{"width":0}`, `{"width":65537}`, `{"width":-4}`},
		"height":         {`{"height":0}`, `{"height":65537}`},
		"alt":            {`{"alt":"` + long(501) + `"}`, `{"alt":"` + strings.Repeat("é", 251) + `"}`},
		"placeholder":    {`{"placeholder":"#"}`, `{"placeholder":"` + strings.Repeat("aaaa", 14) + `"}`},
		"preview.type":   {`{"preview":{"type":"image/svg+xml","bytes":5,"sha256":"` + fileSum + `"}}`},
		"preview.bytes":  {`{"preview":{"type":"image/png","bytes":65537,"sha256":"` + fileSum + `"}}`},
		"preview.sha256": {`{"preview":{"type":"image/png","bytes":5,"sha256":"x"}}`},
		"expires":        {`{"expires":"never"}`},
	} {
		for _, change := range changes {
			got := a.do(t, "POST", "/rooms/seattle/uploads", announcement(uploadID(1), change))
			checkProblem(t, change, got)
			if errors := fmt.Sprint(got.body["errors"]); got.status != 422 || !strings.Contains(errors, "location:"+field+" ") {
				t.Errorf("%.100s: %d %s, want the field %s", change, got.status, got.text, field)
			}
		}
	}
	ahead := chat.NewUUID(start.Add(3*time.Second), [10]byte{1}).String()
	if got := a.want(t, 409, "POST", "/rooms/seattle/uploads", announcement(ahead)); got.body["type"] != "/problems/clock-skew" {
		t.Error(got.text)
	}
	a.want(t, 201, "POST", "/rooms/seattle/uploads", announcement(uploadID(1), `{"name":"Plan (2) – größer 😀.PNG"}`))
	a.want(t, 429, "POST", "/rooms/seattle/uploads", announcement(uploadID(2)))
}

// TestPostUpload_CountsADay announces files until the day's number or bytes are used up. A retry is
// no further file, and the next day in UTC begins anew.
func TestPostUpload_CountsADay(t *testing.T) {
	t.Parallel()
	for name, limits := range map[string]attachment.Limits{
		"files": {FileBytes: 10, DayBytes: 1000, DayFiles: 3},
		"bytes": {FileBytes: 10, DayBytes: 3*int64(len(fileText)) + 1, DayFiles: 1000},
	} {
		now := start
		a := newAPI(t, func(o *app.Options) { o.FileLimits, o.Clock = limits, func() time.Time { return now } })
		for _, room := range []string{"seattle", "tacoma"} {
			a.want(t, 201, "PUT", "/rooms/"+room, "")
		}
		announce := func(n int, headers ...string) answer {
			return a.do(t, "POST", "/rooms/"+[]string{"seattle", "tacoma"}[n%2]+"/uploads", announcement(uploadID(byte(n))), headers...)
		}
		for n := range 20 {
			got := announce(n)
			if n < 3 && got.status != 201 {
				t.Errorf("%s, file %d: %d %s", name, n, got.status, got.text)
			}
			if n >= 3 && (got.status != 429 || got.body["limit"] != "uploads" || got.header.Get("Retry-After") != "43200") {
				t.Errorf("%s, file %d: %d, Retry-After %s, %s", name, n, got.status, got.header.Get("Retry-After"), got.text)
			}
		}
		if got := announce(2); got.status != 200 || got.header.Get("Idempotent-Replay") != "true" {
			t.Errorf("%s: a retry is answered %d %s", name, got.status, got.text)
		}
		if got := announce(2, userHeader, "bob"); got.status != 201 {
			t.Errorf("%s: another person is answered %d %s", name, got.status, got.text)
		}
		now = now.Add(12 * time.Hour)
		if got := announce(3); got.status != 201 {
			t.Errorf("%s: the next day is answered %d %s", name, got.status, got.text)
		}
	}
}

// endless is a body that never ends.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// TestPostMessage_NamesTheFileAtFault posts messages with files that it cannot have. None is
// stored, and none keeps a file from another message.
func TestPostMessage_NamesTheFileAtFault(t *testing.T) {
	t.Parallel()
	now := start
	a := newAPI(t, func(o *app.Options) { o.Clock = func() time.Time { return now } })
	for _, room := range []string{"seattle", "tacoma"} {
		a.want(t, 201, "PUT", "/rooms/"+room, "")
	}
	const sound, taken, others, elsewhere, unsent, half, wrong, old = 1, 2, 3, 4, 5, 6, 7, 8
	a.upload(t, "seattle", uploadID(old), "amsg")
	now = now.Add(47*time.Hour + time.Second)
	a.upload(t, "seattle", uploadID(sound), "amsg")
	a.upload(t, "seattle", uploadID(taken), "amsg")
	a.upload(t, "seattle", uploadID(others), "bob")
	a.upload(t, "tacoma", uploadID(elsewhere), "amsg")
	announce := func(n byte) announced {
		return a.want(t, 201, "POST", "/rooms/seattle/uploads", announcement(uploadID(n))).links(t)
	}
	announce(unsent)
	a.bucket.Send(t, *announce(half).Put, []byte(fileText)) // without its preview
	link := announce(wrong).Put
	for _, other := range []string{"HELLO", "hell", "hello!", ""} {
		if status := a.bucket.Send(t, *link, []byte(other)); status != 400 && status != 403 {
			t.Errorf("the bucket answers %d to %q", status, other)
		}
	}
	if status := a.bucket.SendFrom(*link, endless{}, -1); status != 403 {
		t.Errorf("the bucket answers %d to a body that never ends", status)
	}
	ids := func(all ...byte) string {
		var list []string
		for _, n := range all {
			list = append(list, `"`+uploadID(n)+`"`)
		}
		return `{"text":"","attachments":[` + strings.Join(list, ",") + `]}`
	}
	a.want(t, 201, "POST", "/rooms/seattle/messages", ids(taken))
	many := make([]byte, 21)
	for i := range many {
		many[i] = byte(100 + i)
	}
	const field = "attachments"
	for name, tt := range map[string]struct{ body, field, rule string }{
		"no id":           {`{"text":"","attachments":["x"]}`, field + "[0]", "must be"},
		"unknown":         {ids(sound, 99), field + "[1]", "must be the id of an upload of yours in this room"},
		"another's":       {ids(sound, others), field + "[1]", "must be the id of an upload of yours in this room"},
		"of another room": {ids(sound, elsewhere), field + "[1]", "must be the id of an upload of yours in this room"},
		"bound":           {ids(sound, taken), field + "[1]", "must not be in another message"},
		"not sent":        {ids(sound, unsent), field + "[1]", "must be uploaded before the message is posted"},
		"no preview":      {ids(sound, half), field + "[1]", "must be uploaded before the message is posted"},
		"other bytes":     {ids(sound, wrong), field + "[1]", "must be uploaded before the message is posted"},
		"expired":         {ids(sound, old), field + "[1]", "must be uploaded again, because it has expired"},
		"twice":           {ids(sound, sound), field + "[1]", "must differ from the others"},
		"too many":        {ids(many...), field, "20"},
		"no text, none":   {ids(), "text", "must have a visible character"},
		"an empty poll":   {strings.TrimSuffix(ids(sound), "}") + `,"poll":{"options":["a","b"]}}`, "text", "must have a visible character"},
	} {
		got := a.do(t, "POST", "/rooms/seattle/messages", tt.body)
		checkProblem(t, name, got)
		if errors := fmt.Sprint(got.body["errors"]); got.status != 422 || !strings.Contains(errors, "location:"+tt.field+" ") || !strings.Contains(errors, tt.rule) {
			t.Errorf("%s: %d %s", name, got.status, got.text)
		}
	}
	if items := a.want(t, 200, "GET", "/rooms/seattle/messages", "").body["items"].([]any); len(items) != 1 {
		t.Errorf("%d messages are stored, want 1", len(items))
	}
	a.want(t, 201, "POST", "/rooms/seattle/messages", ids(sound))
}
