package archive_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// This file reads the real archives independently of the packages under test, in the simplest way.
// The tests in data_test.go compare the results.

// scanned is a message that the scan found.
type scanned struct {
	room, user, text string
	at               int64 // milliseconds
}

// scan holds all messages by room, in order, and the number of skipped records.
type scan struct {
	rooms   map[string][]scanned
	skipped int
}

func (s *scan) add(m scanned) { s.rooms[m.room] = append(s.rooms[m.room], m) }

func newScan() *scan { return &scan{rooms: map[string][]scanned{}} }

var outside = regexp.MustCompile(`[^A-Za-z0-9._@|:+-]`)

func escaped(name string) string {
	return outside.ReplaceAllStringFunc(name, func(s string) string { return fmt.Sprintf("=%02X", s) })
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

var (
	mention = regexp.MustCompile(`<@(\w+)(\|[^>]*)?>`)
	channel = regexp.MustCompile(`<#\w+\|([^>]*)>`)
	call    = regexp.MustCompile(`<!(\w+)(\|[^>]*)?>`)
	link    = regexp.MustCompile(`<(\w+:[^|>]*)(?:\|([^>]*))?>`)
	bold    = regexp.MustCompile(`(^|[\s(])\*([^*\s](?:[^*\n]*[^*\s])?)\*($|[\s).,:?!])`)
	struck  = regexp.MustCompile(`(^|[\s(])~([^~\s](?:[^~\n]*[^~\s])?)~($|[\s).,:?!])`)
	quoted  = regexp.MustCompile(`(?m)^&gt;(?:&gt;&gt;)? ?`)
	web     = regexp.MustCompile(`^(https?://|mailto:)|/$`)
	// ofFile is a link to a file of the export's workspace.
	ofFile = regexp.MustCompile(`\.slack\.com/files/`)
)

// markdownOf returns a link of the export as Markdown.
func markdownOf(markup string) string {
	parts := link.FindStringSubmatch(markup)
	address, label := parts[1], parts[2]
	switch {
	case ofFile.MatchString(address):
		return "[📎 " + label + "](" + address + ")"
	case label == "" || strings.EqualFold(web.ReplaceAllString(label, ""), web.ReplaceAllString(address, "")):
		return strings.TrimPrefix(address, "mailto:")
	}
	return "[" + label + "](" + address + ")"
}

// emojiOfCodes are the names of emoji in the texts of the real export. The import's table is
// generated, and this one is not.
var emojiOfCodes = strings.NewReplacer(
	":simple_smile:", "🙂", ":slightly_smiling_face:", "🙂", ":slightly_frowning_face:", "🙁", ":confused:", "😕",
	":tada:", "🎉", ":+1:", "👍", ":zap:", "⚡", ":100:", "💯", ":disappointed:", "😞", ":smile:", "😄", ":blush:", "😊",
	":clap::skin-tone-3:", "👏🏼", ":rainbow:", "🌈", ":astonished:", "😲", ":confounded:", "😖", ":wink:", "😉",
	":anguished:", "😧", ":smiley_cat:", "😺", ":smiley:", "😃", ":guitar:", "🎸", ":coffee:", "☕\uFE0F", ":computer:", "💻",
	":boom:", "💥", ":ok_hand:", "👌", ":stuck_out_tongue:", "😛",
)

// scanSlack reads the day files of every channel.
func scanSlack(t *testing.T, dir string) *scan {
	t.Helper()
	var users []struct{ ID, Name string }
	readJSON(t, filepath.Join(dir, "users.json"), &users)
	names := map[string]string{}
	for _, u := range users {
		names[u.ID] = u.Name
	}
	folders, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no day files in %s: %v", dir, err)
	}
	s := newScan()
	byRoom := map[string][]string{}
	for _, file := range folders {
		name := filepath.Base(filepath.Dir(file))
		room := strings.Trim(strings.ReplaceAll(name, "_", "-"), "-")
		if _, err := os.Stat(filepath.Join(dir, room)); err == nil && room != name {
			room += "-2"
		}
		byRoom[room] = append(byRoom[room], file)
	}
	for room, files := range byRoom {
		s.scanChannel(t, room, files, names)
	}
	return s
}

func (s *scan) scanChannel(t *testing.T, room string, files []string, names map[string]string) {
	t.Helper()
	type record struct {
		User, Text, TS, Subtype string
		Comment                 struct{ User, Comment string }
	}
	var messages []record
	for _, file := range files {
		var day []record
		readJSON(t, file, &day)
		for _, r := range day {
			if r.Subtype == "file_comment" {
				r.User, r.Text, r.Subtype = r.Comment.User, r.Comment.Comment, ""
			}
			if r.Text == "" || r.Subtype != "" && r.Subtype != "file_share" {
				s.skipped++
			} else {
				messages = append(messages, r)
			}
		}
	}
	slices.SortFunc(messages, func(a, b record) int { return strings.Compare(a.TS, b.TS) })
	for _, r := range messages {
		text := mention.ReplaceAllStringFunc(r.Text, func(m string) string {
			return "@" + names[mention.FindStringSubmatch(m)[1]]
		})
		text = channel.ReplaceAllString(text, "#$1")
		text = call.ReplaceAllString(text, "@$1")
		text = quoted.ReplaceAllString(text, "> ")
		text = bold.ReplaceAllString(text, "$1**$2**$3")
		text = struck.ReplaceAllString(text, "$1~~$2~~$3")
		text = link.ReplaceAllStringFunc(text, markdownOf)
		text = emojiOfCodes.Replace(text)
		text = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(text)
		s.add(scanned{room: room, user: r.User, text: text, at: millisecond(t, r.TS)})
	}
}

// millisecond returns the time in the id of a message. The fraction of a second is its number in
// this second if it is small.
func millisecond(t *testing.T, ts string) int64 {
	t.Helper()
	second, fraction, _ := strings.Cut(ts, ".")
	digits := fraction[:3]
	if digits == "000" {
		digits = fraction[3:]
	}
	ms, err := strconv.ParseInt(second+digits, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return ms
}

var (
	afternoon = regexp.MustCompile(`(?m)^\[(00|1[3-9]|2\d):`)
	timedLine = regexp.MustCompile(`^\[(\d\d):(\d\d)\]`)
	spoken    = regexp.MustCompile(`^\[\d\d:\d\d\] <([^> ]+) ?> (.+)$`)
	acted     = regexp.MustCompile(`^\[\d\d:\d\d\]  \* (\S+) (.+)$`)
)

// scanIRC reads all logs of a folder as one room.
func scanIRC(t *testing.T, dir, room string) *scan {
	t.Helper()
	s := newScan()
	for _, file := range ircFiles(t, dir) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		day, err := time.Parse(time.DateOnly, filepath.Base(file)[:10])
		if err != nil {
			t.Fatal(err)
		}
		late, lastMinute := 0, 0 // in minutes: how far the clock is behind, and the time of the previous line
		step := 24 * 60
		if !afternoon.Match(data) {
			step = 12 * 60
		}
		lines := map[int]int{} // of each minute
		for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
			stamp := timedLine.FindStringSubmatch(line)
			if stamp == nil {
				s.skipped++
				continue
			}
			hour, _ := strconv.Atoi(stamp[1])
			minute, _ := strconv.Atoi(stamp[2])
			minute += 60*hour + late
			for minute < lastMinute-120 {
				late += step
				minute += step
			}
			minute = max(minute, lastMinute)
			lastMinute = minute
			lines[minute]++
			m := spoken.FindStringSubmatch(line)
			if m == nil {
				m = acted.FindStringSubmatch(line)
			}
			if m == nil {
				s.skipped++
				continue
			}
			s.add(scanned{room, escaped(m[1]), m[2], day.UnixMilli() + int64(minute)*60_000 + int64(lines[minute])})
		}
	}
	return s
}

func ircFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no logs in %s: %v", dir, err)
	}
	return files
}
