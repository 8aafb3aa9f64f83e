package table

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
)

func aVersion() chat.Version {
	id := chat.MessageID{UUID: chat.NewUUID(noon, [10]byte{1}), User: "amsg"}
	return chat.Version{Room: "seattle", ID: id, Number: 10, Text: "hello", By: "amsg", At: noon}
}

func keyOf(item Item) string { return text(item, PK) + " " + text(item, SK) }

func text(item Item, name string) string {
	r := Reader{Item: item}
	return r.OptionalText(name)
}

func slugs() *rapid.Generator[string] {
	return rapid.StringMatching(`[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?`)
}

func TestMessageVersionKey_MatchesTheChart(t *testing.T) {
	t.Parallel()
	version, newest := MessageVersionItems(aVersion())
	const pk = "m#seattle#0165858d-fe7b-7100-8000-000000000000~amsg "
	if got := keyOf(version); got != pk+"v10_message" {
		t.Errorf("a version: %s", got)
	}
	if got := keyOf(newest); got != pk+"v0_message" {
		t.Errorf("the newest copy: %s", got)
	}
	if text(version, IndexPK) != "" || text(newest, IndexPK) != "" {
		t.Error("a version is in the index")
	}
}

func TestMessageVersionItems_ReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := chat.Version{
			Room: chat.RoomID(slugs().Draw(t, "room")), ID: ids(times()).Draw(t, "id"),
			Number: rapid.IntRange(1, chat.MaxEdits+1).Draw(t, "number"), Text: rapid.StringN(1, -1, -1).Draw(t, "text"), Metadata: rapid.String().Draw(t, "metadata"),
			By: users().Draw(t, "by"), At: times().Draw(t, "at"),
		}
		version, newest := MessageVersionItems(want)
		for _, item := range []Item{version, newest} {
			if got, err := ParseMessageVersion(item); err != nil || got != want {
				t.Fatalf("%v\n%s", err, cmp.Diff(want, got))
			}
		}
		delete(version, attrText)
		version[attrVersion], version["new"] = Number(schemaVersion+1), Text("attribute")
		want.Text, want.Metadata = "", ""
		if got, err := ParseMessageVersion(version); err != nil || got != want {
			t.Fatalf("of a later day, without its text: %v\n%s", err, cmp.Diff(want, got))
		}
	})
}

func TestParseMessageVersion_RefusesOtherItems(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(Item){
		"another type":             func(i Item) { i[attrType] = Text(PartKind) },
		"a version under another":  func(i Item) { i[SK] = Text("v9_message") },
		"a version with a zero":    func(i Item) { i[SK] = Text("v010_message") },
		"another part":             func(i Item) { i[SK] = Text("v10_reply") },
		"a document as partition":  func(i Item) { i[PK] = Text("d#seattle#charter") },
		"a partition of two":       func(i Item) { i[PK] = Text("m#seattle") },
		"a message without sender": func(i Item) { i[PK] = Text("m#seattle#0165858d-fe7b-7100-8000-000000000000") },
		"a message in capitals":    func(i Item) { i[PK] = Text("m#seattle#0165858D-FE7B-7100-8000-000000000000~amsg") },
		"a room in capitals":       func(i Item) { i[PK] = Text("m#Seattle#0165858d-fe7b-7100-8000-000000000000~amsg") },
		"no number":                func(i Item) { delete(i, attrNumber) },
		"number zero":              func(i Item) { i[SK], i[attrNumber] = Text("v0_message"), Number(0) },
		"two versions ahead":       func(i Item) { i[attrVersion] = Number(schemaVersion + 2) },
	} {
		item, _ := MessageVersionItems(aVersion())
		change(item)
		if _, err := ParseMessageVersion(item); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestParseMessage_WithoutRevisionIsAtItsFirst(t *testing.T) {
	t.Parallel()
	v := aVersion()
	item := MessageItem(chat.Message{Room: v.Room, ID: v.ID, Text: "x", ReceivedAt: noon}, 0)
	if _, ok := item[attrRevision]; ok {
		t.Fatal("a new message carries a revision: this test is of no use")
	}
	m, err := ParseMessage(item)
	if err != nil || m.Revision != 1 || chat.VersionCount(m) != 1 || m.Deleted() || !m.EditedAt.IsZero() {
		t.Errorf("%+v, %v", m, err)
	}
}

func FuzzParseMessageVersionsPK(f *testing.F) {
	v := aVersion()
	f.Add(MessageVersionsPK(v.Room, v.ID))
	f.Add("m##~")
	f.Fuzz(func(t *testing.T, pk string) {
		room, id, err := ParseMessageVersionsPK(pk)
		if err == nil && MessageVersionsPK(room, id) != pk {
			t.Errorf("%q reads as %s %v", pk, room, id)
		}
	})
}

// The newest copy must be found by its prefix, and be no version.
func TestNewestPrefix_MatchesNoNumberedVersion(t *testing.T) {
	t.Parallel()
	for version := range 200 {
		sk := VersionSK(version, "v0")
		if got := len(sk) > len(NewestPrefix) && sk[:len(NewestPrefix)] == NewestPrefix; got != (version == 0) {
			t.Errorf("%s begins with %s: %v", sk, NewestPrefix, got)
		}
	}
}
