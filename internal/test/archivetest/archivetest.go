// Package archivetest compares the records of archives with golden files.
package archivetest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
)

// Golden compares all that a yields with the golden file at path. If update is set, it writes the
// file first.
func Golden(t *testing.T, a *archive.Archive, path string, update bool) {
	t.Helper()
	var b strings.Builder
	for _, r := range a.Rooms {
		fmt.Fprintf(&b, "room %s, name %q, topic %q, channel %q", r.ID, r.Name, r.Topic, r.Channel)
		for _, is := range []struct {
			name string
			set  bool
		}{{"private", r.Private}, {"archived", r.Archived}} {
			if is.set {
				fmt.Fprintf(&b, ", %s", is.name)
			}
		}
		for _, of := range []struct {
			name  string
			users []chat.UserID
		}{{"of", r.Direct}, {"owners", r.Owners}} {
			if len(of.users) > 0 {
				fmt.Fprintf(&b, ", %s %v", of.name, of.users)
			}
		}
		b.WriteString("\n")
	}
	for _, p := range a.People {
		fmt.Fprintf(&b, "person %+v\n", p)
	}
	for _, m := range a.Members {
		fmt.Fprintf(&b, "member %s of %s\n", m.User, m.Room)
	}
	if len(a.LeftOut) > 0 {
		fmt.Fprintf(&b, "left out %v\n", a.LeftOut)
	}
	for _, n := range a.Notes {
		fmt.Fprintf(&b, "%s: %s\n", place(n.Place), n.Text)
	}
	for r := range a.Records() {
		fmt.Fprintf(&b, "%s: ", place(r.Place))
		if r.Skip != "" {
			fmt.Fprintf(&b, "SKIP %s", r.Skip)
		} else {
			fmt.Fprintf(&b, "%s %s %q %s", r.Room, r.At.Format("2006-01-02 15:04:05.000"), r.Text, r.ID())
		}
		b.WriteString(extras(r))
		if r.Note != "" {
			fmt.Fprintf(&b, " (%s)", r.Note)
		}
		b.WriteString("\n")
	}
	if update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// extras describes a record's contents except its text.
func extras(r archive.Record) string {
	var b strings.Builder
	for _, e := range []struct{ name, value string }{{"bot", r.Bot}, {"metadata", r.Metadata}} {
		if e.value != "" {
			fmt.Fprintf(&b, " %s %s", e.name, e.value)
		}
	}
	for _, user := range r.Others {
		fmt.Fprintf(&b, " or by %s", user)
	}
	if len(r.Mentions) > 0 {
		fmt.Fprintf(&b, " mentions %v", r.Mentions)
	}
	if !r.EditedAt.IsZero() {
		fmt.Fprintf(&b, " edited %s", r.EditedAt.Format("2006-01-02 15:04:05.000"))
	}
	if len(r.Reactions) > 0 {
		fmt.Fprintf(&b, " reactions %v", r.Reactions)
	}
	if r.Missing {
		b.WriteString(" is missing")
	}
	if r.Root {
		b.WriteString(" has a thread")
	}
	if r.Thread != (chat.MessageID{}) {
		fmt.Fprintf(&b, " in the thread of %s", r.Thread)
	}
	if r.ShowInRoom {
		b.WriteString(" and in the room")
	}
	for _, f := range r.Attached {
		fmt.Fprintf(&b, " file %s %q %q", f.Key, f.Name, f.Type)
		if f.Alt != "" {
			fmt.Fprintf(&b, " described as %q", f.Alt)
		}
	}
	if r.NotFound > 0 {
		fmt.Fprintf(&b, " files not found %d", r.NotFound)
	}
	if len(r.LeftOut) > 0 {
		fmt.Fprintf(&b, " left out %v", r.LeftOut)
	}
	return b.String()
}

func place(p archive.Place) string { return fmt.Sprintf("%s:%d", p.File, p.Number) }
