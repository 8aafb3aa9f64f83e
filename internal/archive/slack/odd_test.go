package slack

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
)

// TestOpen_FilesAsTheyLieAbout opens exports that archivers and tools have changed. Each has one
// message.
func TestOpen_FilesAsTheyLieAbout(t *testing.T) {
	t.Parallel()
	const general = "general/2020-01-01.json"
	named := func(name string) string { return `[{"id": "C1", "name": "` + name + `"}]` }
	const bom = "\uFEFF"
	for why, files := range map[string][]string{
		"a folder around it":        {"acme/channels.json", oneChannel, "acme/" + general, oneMessage},
		"two folders around it":     {"a/b/channels.json", oneChannel, "a/b/" + general, oneMessage},
		"backslashes":               {`channels.json`, oneChannel, `general\2020-01-01.json`, oneMessage},
		"backslashes in a folder":   {`acme\channels.json`, oneChannel, `acme\general\2020-01-01.json`, oneMessage},
		"a byte order mark":         {"channels.json", bom + oneChannel, "users.json", bom + `[{"id": "U1", "name": "ada"}]`, general, bom + oneMessage},
		"a decomposed folder":       {"channels.json", named("général"), norm.NFD.String("général") + "/2020-01-01.json", oneMessage},
		"a decomposed list":         {"channels.json", named(norm.NFD.String("ゲーム")), "ゲーム/2020-01-01.json", oneMessage},
		"a folder named by an id":   {"channels.json", oneChannel, "C1/2020-01-01.json", oneMessage},
		"an entry that is replaced": {"channels.json", `[]`, general, `[]`, "channels.json", oneChannel, general, oneMessage},
		"empty days":                {"channels.json", oneChannel, general, oneMessage, "general/2020-01-02.json", "", "general/2020-01-03.json", "null", "general/2020-01-04.json", "[]"},
		"a canvas":                  {"channels.json", oneChannel, general, oneMessage, "general/canvas_in_the_conversation.json", `[{"id": "F1"}]`},
		"half a pair": {"channels.json", `[{"id": "C1", "name": "general", "topic": {"value": "\ud83d"}}]`, "users.json", `[{"id": "U1", "name": "ada", "profile": {"title": "\ud83d"}}]`,
			general, `[{"type": "message", "user": "U1", "text": "hi", "ts": "1577836800.000001", "attachments": [{"from_url": "https://x.example", "text": "\udc00"}]}]`},
		"a channel of a strange form": {"channels.json", `[{"id": "C1", "name": "general", "members": 7}]`, general, oneMessage},
		"a team of a grid":            {"org_users.json", `[{"id": "U1", "name": "ada"}]`, "teams/blue/channels.json", oneChannel, "teams/blue/" + general, oneMessage},
	} {
		a := openExport(t, zipOf(t, files...))
		var messages, others []archive.Record
		for r := range a.Records() {
			if r.Skip == "" {
				messages = append(messages, r)
			} else if r.Skip != Canvas {
				others = append(others, r)
			}
		}
		if len(messages) != 1 || messages[0].Text != "hi" || messages[0].User != "U1" || len(others) > 0 || len(a.Rooms) != 1 || a.Rooms[0].Channel != "C1" {
			t.Errorf("%s: %+v, %+v, rooms %+v", why, messages, others, a.Rooms)
		}
	}
}

// TestOpen_SharedChannelOfAGrid reads two teams that share a channel, and have one of the same
// name.
func TestOpen_SharedChannelOfAGrid(t *testing.T) {
	t.Parallel()
	const day, both = "/2020-01-01.json", `[{"id": "C1", "name": "shared"}, {"id": "%s", "name": "general"}]`
	a := openExport(t, zipOf(t,
		"org_users.json", `[{"id": "W1", "name": "ada", "profile": {"email": "ada@example.com"}}, {"id": "U1", "name": "ada", "profile": {"email": "Ada@example.com"}}]`,
		"teams/blue/channels.json", strings.Replace(both, "%s", "C2", 1), "teams/red/channels.json", strings.Replace(both, "%s", "C3", 1),
		"teams/blue/shared"+day, oneMessage, "teams/red/shared"+day, oneMessage, "teams/blue/general"+day, oneMessage, "teams/red/general"+day, oneMessage,
	))
	ids := map[string]int{}
	for r := range a.Records() {
		ids[string(r.Room)+" "+r.ID().String()]++
	}
	if len(ids) != 3 || len(a.Rooms) != 3 {
		t.Errorf("messages %v in %+v", ids, a.Rooms)
	}
	if !slices.ContainsFunc(a.Notes, func(n archive.Note) bool { return strings.Contains(n.Text, `"W1" and "U1" are probably one person`) }) {
		t.Errorf("notes are %+v", a.Notes)
	}
	mapped := openWith(t, zipOf(t, "users.json", `[{"id": "W1", "profile": {"email": "a@b.example"}}, {"id": "U1", "profile": {"email": "a@b.example"}}]`, "channels.json", oneChannel),
		Options{People: []archive.Mapping{{From: "U1", To: "s"}, {From: "W1", To: "s"}}})
	if len(mapped.Notes) > 0 {
		t.Errorf("mapped ids have the notes %+v", mapped.Notes)
	}
}

// TestOpen_EntryThatCannotBeOpened loses only the entry.
func TestOpen_EntryThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	const unknownMethod = 97
	for _, f := range []struct {
		name, text string
		method     uint16
	}{{"channels.json", oneChannel, zip.Store}, {"general/2020-01-01.json", oneMessage, unknownMethod}, {"users.json", "[]", unknownMethod}, {"general/2020-01-02.json", oneMessage, zip.Store}} {
		w, err := z.CreateRaw(&zip.FileHeader{Name: f.name, Method: f.method, UncompressedSize64: uint64(len(f.text)), CompressedSize64: uint64(len(f.text))})
		if err == nil {
			_, err = w.Write([]byte(f.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "export.zip")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got := map[archive.Reason]int{}
	a := openExport(t, path)
	for r := range a.Records() {
		got[r.Skip]++
	}
	if got[archive.BadFile] != 1 || got[""] != 1 || len(a.Notes) == 0 {
		t.Errorf("records by skip: %v, notes %+v", got, a.Notes)
	}
}

// TestMapPeople_HandleOfSeveralPeople needs their ids.
func TestMapPeople_HandleOfSeveralPeople(t *testing.T) {
	t.Parallel()
	path := zipOf(t, "channels.json", oneChannel, "users.json", `[{"id": "U1", "name": "alex"}, {"id": "U2", "name": "alex"}, {"id": "alex", "name": "ben"}, {"id": "U4", "name": "kim"}, {"id": "U5", "name": "kim"}]`)
	for from, want := range map[string]chat.UserID{"alex": "s", "U2": "U1"} { // an id precedes a handle
		a, err := Open(path, Options{People: []archive.Mapping{{From: from, To: want}}})
		if err != nil {
			t.Errorf("%s: %v", from, err)
			continue
		}
		_ = a.Close()
	}
	if _, err := Open(path, Options{People: []archive.Mapping{{From: "kim", To: "s"}}}); err == nil || !strings.Contains(err.Error(), "several people, U4 and U5") {
		t.Errorf("%v", err)
	}
}
