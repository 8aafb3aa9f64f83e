package table

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/policy"
)

func aPart() document.Part {
	return document.Part{
		Room: "seattle", Document: "charter", ID: "preamble", Version: 10,
		Text: "We, the people", SavedBy: "amsg", SavedAt: noon,
	}
}

func aDocument() document.Document {
	return document.Document{
		Room: "seattle", ID: "charter", Title: "The charter", CreatedBy: "amsg", CreatedAt: noon,
		Allowed: policy.Document{Read: policy.ForMembers, Write: policy.ForOwners},
	}
}

func TestDocumentPK_MatchesTheChart(t *testing.T) {
	t.Parallel()
	metadata, permissions := DocumentItems(aDocument())
	version, newest := PartItems(aPart())
	for name, pair := range map[string][2]string{
		"metadata":           {keyOf(metadata), "d#seattle#charter metadata"},
		"permissions":        {keyOf(permissions), "d#seattle#charter permissions"},
		"a version":          {keyOf(version), "d#seattle#charter v10_preamble"},
		"the newest copy":    {keyOf(newest), "d#seattle#charter v0_preamble"},
		"index key":          {text(metadata, IndexPK) + " " + text(metadata, IndexSK), "d#seattle charter"},
		"permissions' index": {text(permissions, IndexPK), ""},
		"a version's index":  {text(version, IndexPK), ""},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", name, pair[0], pair[1])
		}
	}
}

func keyOf(item Item) string { return text(item, PK) + " " + text(item, SK) }

func text(item Item, name string) string {
	r := Reader{Item: item}
	return r.OptionalText(name)
}

func slugs() *rapid.Generator[string] {
	return rapid.StringMatching(`[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?`)
}

func TestParseDocument_ReadsBackDocumentItems(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		audiences := rapid.IntRange(int(policy.AsRoom), int(policy.ForOwners))
		doc := document.Document{
			Room: chat.RoomID(slugs().Draw(t, "room")), ID: document.ID(slugs().Draw(t, "document")),
			Title: rapid.String().Draw(t, "title"), CreatedBy: users().Draw(t, "maker"), CreatedAt: times().Draw(t, "made"),
			Allowed: policy.Document{
				Read: policy.Audience(audiences.Draw(t, "read")), Write: policy.Audience(audiences.Draw(t, "write")),
			},
		}
		got, err := ParseDocument(DocumentItems(doc))
		if err != nil || got != doc {
			t.Fatalf("%v\n%s", err, cmp.Diff(doc, got))
		}
		part := document.Part{
			Room: doc.Room, Document: doc.ID, ID: document.PartID(slugs().Draw(t, "part")),
			Version: rapid.IntRange(1, chat.MaxVersion).Draw(t, "version"), Text: rapid.String().Draw(t, "text"),
			SavedBy: users().Draw(t, "by"), SavedAt: times().Draw(t, "saved"),
		}
		version, newest := PartItems(part)
		for _, item := range []Item{version, newest} {
			if got, err := ParsePart(item); err != nil || got != part {
				t.Fatalf("%v\n%s", err, cmp.Diff(part, got))
			}
		}
	})
}

func TestParseDocument_ReadsNewerItems(t *testing.T) {
	t.Parallel()
	metadata, permissions := DocumentItems(aDocument())
	version, _ := PartItems(aPart())
	for _, item := range []Item{metadata, permissions, version} {
		item[attrVersion], item["new"] = Number(schemaVersion+1), Text("attribute")
	}
	delete(permissions, attrRead)
	permissions[attrWrite] = Text("guests") // of a later day
	got, err := ParseDocument(metadata, permissions)
	if want := (policy.Document{Read: policy.AsRoom, Write: policy.ForOwners}); err != nil || got.Allowed != want {
		t.Errorf("permissions %+v, %v, want %+v", got.Allowed, err, want)
	}
	if _, err := ParsePart(version); err != nil {
		t.Error(err)
	}
}

func TestParsePart_RefusesInvalidItems(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(Item){
		"another type":              func(i Item) { i[attrType] = Text(DocumentKind) },
		"a version under another":   func(i Item) { i[SK] = Text("v9_preamble") },
		"a version with a zero":     func(i Item) { i[SK] = Text("v010_preamble") },
		"a version below zero":      func(i Item) { i[SK] = Text("v-1_preamble") },
		"no part":                   func(i Item) { i[SK] = Text("v10_") },
		"a part with a separator":   func(i Item) { i[SK] = Text("v10_a_b") },
		"a room as partition":       func(i Item) { i[PK] = Text("r#seattle") },
		"a partition of two fields": func(i Item) { i[PK] = Text("d#seattle") },
		"no number":                 func(i Item) { delete(i, attrNumber) },
		"number zero":               func(i Item) { i[SK], i[attrNumber] = Text("v0_preamble"), Number(0) },
		"no text":                   func(i Item) { delete(i, attrText) },
		"two versions ahead":        func(i Item) { i[attrVersion] = Number(schemaVersion + 2) },
	} {
		item, _ := PartItems(aPart())
		change(item)
		if _, err := ParsePart(item); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	metadata, permissions := DocumentItems(aDocument())
	if _, err := ParseDocument(permissions, metadata); err == nil {
		t.Error("permissions are read as metadata")
	}
	if _, err := ParseDocument(metadata, nil); err == nil {
		t.Error("a document without permissions is read")
	}
}

// The newest copy must be found by its prefix, and be no version.
func TestNewestPrefix_MatchesNoNumberedVersion(t *testing.T) {
	t.Parallel()
	for version := range 200 {
		sk := PartSK(version, "v0")
		if got := len(sk) > len(NewestPrefix) && sk[:len(NewestPrefix)] == NewestPrefix; got != (version == 0) {
			t.Errorf("%s begins with %s: %v", sk, NewestPrefix, got)
		}
	}
}

func FuzzParseDocumentKeys(f *testing.F) {
	f.Add("d#seattle#charter")
	f.Add("v10_preamble")
	f.Add("v0_a")
	f.Add("v00_a")
	f.Fuzz(func(t *testing.T, s string) {
		if room, doc, err := ParseDocumentPK(s); err == nil && DocumentPK(room, doc) != s {
			t.Errorf("%q reads as %s %s", s, room, doc)
		}
		if n, part, err := ParsePartSK(s); err == nil && PartSK(n, part) != s {
			t.Errorf("%q reads as %d %s", s, n, part)
		}
	})
}
