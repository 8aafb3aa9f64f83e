package demo

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/reaction"
)

// maxDemoFile is the size of a small file.
const maxDemoFile = 100 << 10

func read(t *testing.T) Week {
	t.Helper()
	w, err := Built()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestBuilt_IsATeamOfADozen(t *testing.T) {
	w := read(t)
	messages, public, private, direct := 0, 0, 0, 0
	for _, r := range w.Rooms {
		messages += len(r.Messages)
		switch {
		case r.Direct:
			direct++
		case r.Private:
			private++
		default:
			public++
		}
	}
	if len(w.People) != 12 || messages < 350 || messages > 600 || public < 8 || private != 1 || direct < 3 {
		t.Errorf("%d people, %d messages, rooms: %d public, %d private, %d direct", len(w.People), messages, public, private, direct)
	}
	for _, p := range w.People {
		if _, err := people.NewPerson(p.User, people.Draft{Name: p.Name, Title: &p.Title, Status: &p.Status}); err != nil {
			t.Errorf("%s: %v", p.User, err)
		}
	}
}

// TestBuilt_IsComplete checks what the services would not refuse, too: that people are in the rooms
// in which they act, and that things happen in order.
func TestBuilt_IsComplete(t *testing.T) {
	w := read(t)
	s := &scene{filler: &filler{week: w, Options: Options{Now: time.Now()}}, now: time.Now()}
	for _, r := range w.Rooms {
		for _, user := range r.Favorite {
			if !slices.Contains(r.Members, user) {
				t.Errorf("%s.txt is a favorite of %s, who is no member", r.File, user)
			}
		}
		for i, m := range r.Messages {
			fault := func(what string, of any) { t.Errorf("%s.txt:%d: %s: %v", r.File, m.Line, what, of) }
			texts := []string{m.Text}
			for _, e := range m.Edits {
				texts = append(texts, e.Text)
			}
			acting := slices.Concat([]chat.UserID{m.By}, m.ReadBy, m.SavedBy)
			for _, text := range texts {
				posted, mentions := s.text(text)
				if err := chat.CheckText(posted); err != nil || strings.Contains(posted, "{+") {
					fault("text", posted)
				}
				acting = append(acting, mentions.Users...)
			}
			for _, x := range m.Reactions {
				if _, err := reaction.Key(x.Emoji); err != nil {
					fault("reaction", err)
				}
				acting = append(acting, x.By...)
			}
			for _, f := range m.Files {
				if file, err := f.read(); err != nil || len(file) > maxDemoFile {
					fault("file", fmt.Sprint(f.Name, ": ", len(file), " bytes, ", err))
				}
				if (pictures[f.Name] != nil) != (f.Alt != "") {
					fault("a picture and its description", f)
				}
			}
			for _, o := range m.Poll {
				acting = append(acting, o.By...)
			}
			if m.PinnedBy != "" {
				acting = append(acting, m.PinnedBy)
			}
			for _, user := range acting {
				if !slices.Contains(r.Members, user) {
					fault("not a member", user)
				}
			}
			if m.Reply && i == 0 {
				fault("a reply to nothing", m.Text)
			}
		}
	}
}

// TestMoment_KeepsTheOrder fills no store: it compares times for a visitor at each hour of a week.
func TestMoment_KeepsTheOrder(t *testing.T) {
	w := read(t)
	start := time.Date(2026, 11, 23, 0, 5, 0, 0, time.FixedZone("", 3600))
	for hour := range 7 * 24 {
		now := start.Add(time.Duration(hour) * time.Hour)
		for _, r := range w.Rooms {
			var last, root time.Time
			for _, m := range r.Messages {
				at := m.At.on(now)
				after := &last
				if m.Reply {
					after = &root
				} else {
					root = at
				}
				if at.Before(*after) || at.After(now) || now.Sub(at) > 11*24*time.Hour {
					t.Fatalf("at %s %s.txt:%d is at %s, after %s", now, r.File, m.Line, at, *after)
				}
				*after = at
				for _, e := range m.Edits {
					if !e.At.on(now).After(at) {
						t.Fatalf("at %s %s.txt:%d is edited before it is sent", now, r.File, m.Line)
					}
				}
			}
		}
	}
}

func TestDayName(t *testing.T) {
	for _, tt := range []struct{ day, word, want string }{
		{"2026-11-26", "tomorrow", "tomorrow"},
		{"2026-11-27", "tomorrow", "on Monday"},
		{"2026-11-27", "yesterday", "yesterday"},
		{"2026-11-30", "yesterday", "Friday"},
		{"2026-11-26", "+3", "Tuesday"},
		{"2026-11-26", "-4", "Friday"},
	} {
		now, err := time.Parse(time.DateOnly, tt.day)
		if err != nil {
			t.Fatal(err)
		}
		if got := dayName(tt.word, now); got != tt.want {
			t.Errorf("on %s, %s is %q, want %q", tt.day, tt.word, got, tt.want)
		}
	}
}

func TestRead_NamesTheLineOfAFault(t *testing.T) {
	const head = "name: A\nmembers: ann\n\n== 2 workdays ago\n\n09:00 ann\nHello\n"
	for text, want := range map[string]string{
		head:                              "",
		head + "+ 👍 bob\n":                `a.txt:8: nobody is called "bob"`,
		head + "\n09:01 bob\nHi\n":        `a.txt:9: nobody is called "bob"`,
		"names: A\n" + head:               `a.txt:1: unknown setting "names"`,
		head + "+ 👍 ann\nmore\n":          `a.txt:11: "more" follows the details of a message`,
		head + "== today\n\n09:30 ann\nx": "a.txt:10: today's 09:30 may be in the future",
		head + "```\n10:00 bob\n```\n":    "",
	} {
		_, err := Read(fstest.MapFS{"people.txt": {Data: []byte("ann | Ann | Title\n")}, "a.txt": {Data: []byte(text)}})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
