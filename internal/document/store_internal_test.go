package document

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/tabletest"
)

// start is the time at which the tests' documents are created.
var start = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// TestStore_KeepsTheContract runs on every engine that Parley runs on.
func TestStore_KeepsTheContract(t *testing.T) {
	t.Parallel()
	tabletest.Keeps(t, "documents", tabletest.Create, func(t *dynamo.Table) store { return store{t} }, map[string]func(*testing.T, store){
		"a document is created once and read back in full":          documentIsCreatedOnce,
		"an update of a document fails if the document has changed": documentUpdateIsConditional,
		"a room's documents are listed by id":                       documentsAreListed,
		"each part has its own versions":                            partsHaveOwnVersions,
		"a saved version is never replaced":                         versionsAreNotReplaced,
		"a page of parts is limited by size":                        partPageIsLimitedBySize,
		"one of eight concurrent writes of a part succeeds":         concurrentPartWrites,
	})
}

func wantNotFound(t *testing.T, err error) {
	t.Helper()
	if chat.KindOf(err) != chat.NotFound {
		t.Errorf("the error is %v, want NotFound", err)
	}
}

func titled(room chat.RoomID, id ID) Document {
	return Document{
		Room: room, ID: id, Title: "Title of " + string(id), CreatedBy: "amsg", CreatedAt: start,
		Allowed: policy.Document{Read: policy.ForMembers, Write: policy.ForModerators},
	}
}

func newDocument(t *testing.T, s store, doc Document) {
	t.Helper()
	if created, err := s.create(t.Context(), doc); err != nil || !created {
		t.Fatalf("create %s: %v, %v", doc.ID, created, err)
	}
}

// part returns a version of a part of the document charter.
func part(id PartID, version int) Part {
	return Part{
		Room: "seattle", Document: "charter", ID: id, Version: version, Text: fmt.Sprintf("%s %d", id, version),
		SavedBy: "amsg", SavedAt: start,
	}
}

func save(t *testing.T, s store, p Part) {
	t.Helper()
	if _, saved, err := s.savePart(t.Context(), p); err != nil || !saved {
		t.Fatalf("save %s %d: %v, %v", p.ID, p.Version, saved, err)
	}
}

func documentIsCreatedOnce(t *testing.T, s store) {
	want := titled("seattle", "charter")
	_, err := s.document(t.Context(), "seattle", "charter")
	wantNotFound(t, err)
	newDocument(t, s, want)
	other := want
	other.Title, other.Allowed.Read = "Other", policy.AsRoom
	if created, err := s.create(t.Context(), other); created || err != nil {
		t.Errorf("creating a document with an existing id: %v, %v", created, err)
	}
	first := part("a", 1)
	if _, _, err := s.saveFirstPart(t.Context(), other, first); chat.KindOf(err) != chat.Conflict {
		t.Errorf("saving the first part of an existing document: %v", err)
	}
	_, err = s.part(t.Context(), first)
	wantNotFound(t, err)
	got, err := s.document(t.Context(), "seattle", "charter")
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
}

func documentUpdateIsConditional(t *testing.T, s store) {
	before := titled("seattle", "charter")
	newDocument(t, s, before)
	after := before
	after.Title, after.Allowed = "New", policy.Document{Read: policy.AsRoom, Write: policy.ForOwners}
	for name, wrong := range map[string]func(*Document){
		"another title":    func(d *Document) { d.Title = "?" },
		"other readers":    func(d *Document) { d.Allowed.Read = policy.ForOwners },
		"other writers":    func(d *Document) { d.Allowed.Write = policy.AsRoom },
		"another document": func(d *Document) { d.ID = "charta" },
		"another room":     func(d *Document) { d.Room = "tacoma" },
	} {
		was, is := before, after
		wrong(&was)
		is.Room, is.ID = was.Room, was.ID
		if ok, err := s.update(t.Context(), was, is); ok || err != nil {
			t.Errorf("%s: updated %v, %v", name, ok, err)
		}
	}
	if got, err := s.document(t.Context(), "seattle", "charter"); err != nil || got != before {
		t.Errorf("failed updates changed the document: %v\n%s", err, cmp.Diff(before, got))
	}
	if ok, err := s.update(t.Context(), before, after); !ok || err != nil {
		t.Fatalf("updated %v, %v", ok, err)
	}
	if got, err := s.document(t.Context(), "seattle", "charter"); err != nil || got != after {
		t.Errorf("%v\n%s", err, cmp.Diff(after, got))
	}
}

func documentsAreListed(t *testing.T, s store) {
	var want []ID
	for n := range 7 {
		doc := titled("seattle", ID(fmt.Sprintf("doc-%d", n)))
		newDocument(t, s, doc)
		want = append(want, doc.ID)
	}
	for _, room := range []chat.RoomID{"seattl", "seattle-1", "s"} {
		newDocument(t, s, titled(room, "other"))
	}
	for limit := 1; limit <= 8; limit++ {
		var got []ID
		for after := (chat.ListPosition{}); ; {
			docs, next, err := s.list(t.Context(), "seattle", after, limit)
			if err != nil || len(docs) > limit {
				t.Fatalf("%d documents, %v", len(docs), err)
			}
			for _, d := range docs {
				got = append(got, d.ID)
				if listed := titled("seattle", d.ID); d.Title != listed.Title || d.CreatedBy != listed.CreatedBy || !d.CreatedAt.Equal(start) {
					t.Errorf("listed document: %+v", d)
				}
			}
			if after = next; next == (chat.ListPosition{}) {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("pages of %d: %v, want %v", limit, got, want)
		}
	}
}

func partsHaveOwnVersions(t *testing.T, s store) {
	doc := titled("seattle", "charter")
	if _, saved, err := s.saveFirstPart(t.Context(), doc, part("a", 1)); err != nil || !saved {
		t.Fatalf("first part: %v, %v", saved, err)
	}
	if got, err := s.document(t.Context(), "seattle", "charter"); err != nil || got != doc {
		t.Errorf("document after its first part: %v\n%s", err, cmp.Diff(doc, got))
	}
	for v := 2; v <= 12; v++ {
		save(t, s, part("a", v))
	}
	save(t, s, part("a-b", 1))
	save(t, s, part("v0", 1))
	other := part("a", 1)
	other.Document = "chart"
	save(t, s, other)

	for limit := 1; limit <= 4; limit++ {
		var got []Part
		for after := (chat.ListPosition{}); ; {
			parts, next, err := s.parts(t.Context(), doc, after, limit)
			if err != nil || len(parts) > limit {
				t.Fatalf("%d parts, %v", len(parts), err)
			}
			got = append(got, parts...)
			if after = next; next == (chat.ListPosition{}) {
				break
			}
		}
		if d := cmp.Diff([]Part{part("a", 12), part("a-b", 1), part("v0", 1)}, got); d != "" {
			t.Errorf("pages of %d (-want +got):\n%s", limit, d)
		}
	}
	for limit := 1; limit <= 13; limit++ {
		got, err := s.versions(t.Context(), part("a", 11), limit)
		var want []Part
		for v := 11; v >= 1 && len(want) < limit; v-- {
			want = append(want, part("a", v))
		}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%d versions: %v (-want +got):\n%s", limit, err, d)
		}
	}
	for version, want := range map[int]int{0: 12, 1: 1, 10: 10, 12: 12} {
		if got, err := s.part(t.Context(), part("a", version)); err != nil || got != part("a", want) {
			t.Errorf("version %d: %+v, %v", version, got, err)
		}
	}
	for _, missing := range []Part{part("a", 13), part("b", 0), part("a-b", 2)} {
		_, err := s.part(t.Context(), missing)
		wantNotFound(t, err)
	}
}

func versionsAreNotReplaced(t *testing.T, s store) {
	newDocument(t, s, titled("seattle", "charter"))
	for v := 1; v <= 3; v++ {
		save(t, s, part("a", v))
	}
	for _, version := range []int{1, 2, 3, 5, 6} {
		p := part("a", version)
		p.Text = "other"
		if newest, saved, err := s.savePart(t.Context(), p); saved || err != nil || newest != part("a", 3) {
			t.Errorf("saving version %d: saved %v, newest %+v, %v", version, saved, newest, err)
		}
	}
	if newest, saved, err := s.savePart(t.Context(), part("b", 2)); saved || err != nil || newest != (Part{}) {
		t.Errorf("a second version without a first: saved %v, newest %+v, %v", saved, newest, err)
	}
	got, err := s.versions(t.Context(), part("a", 3), 10)
	if d := cmp.Diff([]Part{part("a", 3), part("a", 2), part("a", 1)}, got); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func partPageIsLimitedBySize(t *testing.T, s store) {
	doc := titled("seattle", "charter")
	newDocument(t, s, doc)
	const versions = 40
	for v := 1; v <= versions; v++ {
		p := part("a", v)
		p.Text = strings.Repeat("\x01", chat.MaxText)
		if v%2 == 0 {
			p.Text = strings.Repeat("x", chat.MaxText)
		}
		save(t, s, p)
		p.ID, p.Version = PartID(fmt.Sprintf("p%02d", v)), 1
		save(t, s, p)
	}
	for next := versions; next >= 1; {
		got, err := s.versions(t.Context(), part("a", next), 200)
		wantPageWithinLimit(t, got, err)
		for _, p := range got {
			if p.Version != next {
				t.Fatalf("next version is %d, want %d", p.Version, next)
			}
			next--
		}
	}
	seen := 0
	for after := (chat.ListPosition{}); ; {
		got, next, err := s.parts(t.Context(), doc, after, 200)
		wantPageWithinLimit(t, got, err)
		seen += len(got)
		if after = next; next == (chat.ListPosition{}) {
			break
		}
	}
	if seen != versions+1 {
		t.Errorf("%d parts, want %d", seen, versions+1)
	}
}

func wantPageWithinLimit(t *testing.T, page []Part, err error) {
	t.Helper()
	weight := 0
	for _, p := range page {
		weight += p.PageBytes()
	}
	if err != nil || len(page) == 0 || weight > chat.MaxPageBytes {
		t.Fatalf("a page of %d parts has %d bytes, %v", len(page), weight, err)
	}
}

// Eight writers save each version of one part concurrently. One write of each version succeeds, and
// no version is lost.
func concurrentPartWrites(t *testing.T, s store) {
	const writers, rounds = 8, 5
	doc := titled("seattle", "charter")
	for version := 1; version <= rounds; version++ {
		var saved atomic.Int32
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() {
				p := part("a", version)
				p.SavedBy, p.Text = chat.UserID(fmt.Sprintf("user-%d", i)), fmt.Sprintf("%d by %d", version, i)
				var ok bool
				var err error
				if version == 1 {
					_, ok, err = s.saveFirstPart(t.Context(), doc, p)
				} else {
					_, ok, err = s.savePart(t.Context(), p)
				}
				switch kind := chat.KindOf(err); {
				case kind == chat.Unavailable || version == 1 && kind == chat.Conflict: // the transaction may be rejected
				case err != nil:
					t.Error(err)
				case ok:
					saved.Add(1)
				}
			})
		}
		all.Wait()
		if saved.Load() != 1 {
			t.Fatalf("%d writes of version %d succeeded, want 1", saved.Load(), version)
		}
		newest, err := s.part(t.Context(), part("a", 0))
		stored, storedErr := s.part(t.Context(), part("a", version))
		if err != nil || storedErr != nil || newest != stored || stored.Version != version {
			t.Fatalf("newest %+v, stored %+v, %v, %v", newest, stored, err, storedErr)
		}
	}
}
