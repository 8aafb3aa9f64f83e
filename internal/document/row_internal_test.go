package document

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

func aPart() Part {
	return Part{
		Room: "seattle", Document: "charter", ID: "preamble", Version: 10,
		Text: "We, the people", SavedBy: "amsg", SavedAt: start,
	}
}

func aDocument() Document {
	return Document{
		Room: "seattle", ID: "charter", Title: "The charter", CreatedBy: "amsg", CreatedAt: start,
		Allowed: policy.Document{Read: policy.ForMembers, Write: policy.ForOwners},
	}
}

func TestDocumentPK_MatchesTheChart(t *testing.T) {
	t.Parallel()
	metadata, permissions := Items(aDocument())
	version, newest := PartItems(aPart())
	for name, pair := range map[string][2]string{
		"metadata":           {keyOf(metadata), "d#seattle#charter metadata"},
		"permissions":        {keyOf(permissions), "d#seattle#charter permissions"},
		"a version":          {keyOf(version), "d#seattle#charter v10_preamble"},
		"the newest copy":    {keyOf(newest), "d#seattle#charter v0_preamble"},
		"index key":          {text(metadata, table.IndexPK) + " " + text(metadata, table.IndexSK), "d#seattle charter"},
		"permissions' index": {text(permissions, table.IndexPK), ""},
		"a version's index":  {text(version, table.IndexPK), ""},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %s, want %s", name, pair[0], pair[1])
		}
	}
}

func keyOf(item table.Item) string { return text(item, table.PK) + " " + text(item, table.SK) }

func text(item table.Item, name string) string {
	r := table.Reader{Item: item}
	return r.OptionalText(name)
}

func users() *rapid.Generator[chat.UserID] {
	return rapid.Map(slugs(), func(s string) chat.UserID { return chat.UserID(s) })
}

func times() *rapid.Generator[time.Time] {
	return rapid.Map(rapid.Int64Range(0, 1<<42), func(ms int64) time.Time { return time.UnixMilli(ms).UTC() })
}

func slugs() *rapid.Generator[string] {
	return rapid.StringMatching(`[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?`)
}

func TestParseDocument_ReadsBackDocumentItems(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		audiences := rapid.IntRange(int(policy.AsRoom), int(policy.ForOwners))
		doc := Document{
			Room: chat.RoomID(slugs().Draw(t, "room")), ID: ID(slugs().Draw(t, "document")),
			Title: rapid.String().Draw(t, "title"), CreatedBy: users().Draw(t, "maker"), CreatedAt: times().Draw(t, "made"),
			Allowed: policy.Document{
				Read: policy.Audience(audiences.Draw(t, "read")), Write: policy.Audience(audiences.Draw(t, "write")),
			},
		}
		got, err := parse(Items(doc))
		if err != nil || got != doc {
			t.Fatalf("%v\n%s", err, cmp.Diff(doc, got))
		}
		part := Part{
			Room: doc.Room, Document: doc.ID, ID: PartID(slugs().Draw(t, "part")),
			Version: rapid.IntRange(1, chat.MaxVersion).Draw(t, "version"), Text: rapid.String().Draw(t, "text"),
			SavedBy: users().Draw(t, "by"), SavedAt: times().Draw(t, "saved"),
		}
		version, newest := PartItems(part)
		for _, item := range []table.Item{version, newest} {
			if got, err := ParsePart(item); err != nil || got != part {
				t.Fatalf("%v\n%s", err, cmp.Diff(part, got))
			}
		}
	})
}

func TestParseDocument_ReadsNewerItems(t *testing.T) {
	t.Parallel()
	metadata, permissions := Items(aDocument())
	version, _ := PartItems(aPart())
	for _, item := range []table.Item{metadata, permissions, version} {
		item["v"], item["new"] = table.Number(2), table.Text("attribute")
	}
	delete(permissions, attrRead)
	permissions[attrWrite] = table.Text("guests") // of a later day
	got, err := parse(metadata, permissions)
	if want := (policy.Document{Read: policy.AsRoom, Write: policy.ForOwners}); err != nil || got.Allowed != want {
		t.Errorf("permissions %+v, %v, want %+v", got.Allowed, err, want)
	}
	if _, err := ParsePart(version); err != nil {
		t.Error(err)
	}
}

func TestParsePart_RefusesInvalidItems(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(table.Item){
		"another type":              func(i table.Item) { i["type"] = table.Text(table.DocumentKind) },
		"a version under another":   func(i table.Item) { i[table.SK] = table.Text("v9_preamble") },
		"a version with a zero":     func(i table.Item) { i[table.SK] = table.Text("v010_preamble") },
		"a version below zero":      func(i table.Item) { i[table.SK] = table.Text("v-1_preamble") },
		"no part":                   func(i table.Item) { i[table.SK] = table.Text("v10_") },
		"a part with a separator":   func(i table.Item) { i[table.SK] = table.Text("v10_a_b") },
		"a room as partition":       func(i table.Item) { i[table.PK] = table.Text("r#seattle") },
		"a partition of two fields": func(i table.Item) { i[table.PK] = table.Text("d#seattle") },
		"no number":                 func(i table.Item) { delete(i, attrNumber) },
		"number zero":               func(i table.Item) { i[table.SK], i[attrNumber] = table.Text("v0_preamble"), table.Number(0) },
		"no text":                   func(i table.Item) { delete(i, attrText) },
		"two versions ahead":        func(i table.Item) { i["v"] = table.Number(3) },
	} {
		item, _ := PartItems(aPart())
		change(item)
		if _, err := ParsePart(item); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	metadata, permissions := Items(aDocument())
	if _, err := parse(permissions, metadata); err == nil {
		t.Error("permissions are read as metadata")
	}
	if _, err := parse(metadata, nil); err == nil {
		t.Error("a document without permissions is read")
	}
}

func FuzzParseDocumentKeys(f *testing.F) {
	f.Add("d#seattle#charter")
	f.Add("v10_preamble")
	f.Add("v0_a")
	f.Add("v00_a")
	f.Fuzz(func(t *testing.T, s string) {
		if room, doc, err := ParsePK(s); err == nil && PK(room, doc) != s {
			t.Errorf("%q reads as %s %s", s, room, doc)
		}
		if n, part, err := parsePartSK(s); err == nil && partSK(n, part) != s {
			t.Errorf("%q reads as %d %s", s, n, part)
		}
	})
}
