package document_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

func partDraft(id document.PartID, base int, text string) document.PartDraft {
	return document.PartDraft{Room: "seattle", Document: "charter", Part: id, Base: base, Text: text}
}

// versionsOf returns all versions of a part, newest first.
func versionsOf(t *testing.T, s *app.Services, id document.PartID, limit int) (all []document.Part) {
	t.Helper()
	q := document.Query{Room: "seattle", Document: "charter", Part: id, Page: chat.PageRequest{Limit: limit}}
	for {
		page, err := s.Documents.PartVersions(t.Context(), "amsg", q)
		if err != nil || len(page.Items) > limit {
			t.Fatalf("%d versions, %v", len(page.Items), err)
		}
		all = append(all, page.Items...)
		if q.Page.Cursor = page.Next; page.Next == "" {
			return all
		}
	}
}

func TestSavePart_EachSaveIsAVersion(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	var want []document.Part
	for v := 1; v <= 3; v++ {
		user := chat.UserID(fmt.Sprintf("user-%d", v))
		p, replay, err := s.Documents.SavePart(t.Context(), user, partDraft("a", v-1, "same text"))
		if err != nil || replay {
			t.Fatalf("version %d: replay %v, %v", v, replay, err)
		}
		wanted := document.Part{
			Room: "seattle", Document: "charter", ID: "a", Version: v, Text: "same text",
			SavedBy: user, SavedAt: chattest.Start.Add(time.Duration(v-1) * time.Hour),
		}
		if p != wanted {
			t.Errorf("version %d (-want +got):\n%s", v, cmp.Diff(wanted, p))
		}
		want = append([]document.Part{wanted}, want...)
		c.Advance(time.Hour)
	}
	if _, _, err := s.Documents.SavePart(t.Context(), "amsg", partDraft("b", 0, "b")); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, versionsOf(t, s, "a", 2)); d != "" {
		t.Errorf("versions (-want +got):\n%s", d)
	}
	doc, parts, err := s.Documents.Document(t.Context(), "amsg", document.Query{Room: "seattle", Document: "charter", Page: chat.PageRequest{Limit: 5}})
	if err != nil || parts.Next != "" || doc.Title != "charter" || doc.CreatedBy != "user-1" || doc.Allowed != (policy.Document{}) {
		t.Errorf("the document that the first save created: %+v, %q, %v", doc, parts.Next, err)
	}
	if len(parts.Items) != 2 || parts.Items[0] != want[0] || parts.Items[1].ID != "b" || parts.Items[1].Version != 1 {
		t.Errorf("its parts: %+v", parts.Items)
	}
}

// notNewest returns the kind of the error for a save of a part that has a newer version than base.
func notNewest(base int) chat.Kind {
	if base == 0 {
		return chat.PreconditionRequired
	}
	return chat.Stale
}

func TestSavePart_OtherVersionIsStale(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	_, _, err := s.Documents.SavePart(t.Context(), "amsg", partDraft("a", 1, "based on nothing"))
	chattest.WantKind(t, "based on a version without a document", err, chat.Stale)
	_, err = s.Documents.Part(t.Context(), "amsg", document.Part{Room: "seattle", Document: "charter", ID: "a"})
	chattest.WantKind(t, "a refused save created the document", err, chat.NotFound)
	for v := range 3 {
		if _, _, err := s.Documents.SavePart(t.Context(), "amsg", partDraft("a", v, fmt.Sprint(v+1))); err != nil {
			t.Fatal(err)
		}
	}
	for _, base := range []int{0, 1, 2, 4, 5, chat.MaxVersion - 1} {
		_, _, err := s.Documents.SavePart(t.Context(), "amsg", partDraft("a", base, "other"))
		chattest.WantKind(t, fmt.Sprintf("based on version %d", base), err, notNewest(base))
	}
	_, _, err = s.Documents.SavePart(t.Context(), "amsg", partDraft("b", 1, "other"))
	chattest.WantKind(t, "based on a version without a part", err, chat.Stale)
	for name, text := range map[string]string{"empty": "", "one byte too long": strings.Repeat("x", chat.MaxText+1), "not UTF-8": "a\xff"} {
		_, _, err := s.Documents.SavePart(t.Context(), "amsg", partDraft("a", 3, text))
		chattest.WantKind(t, name, err, chat.Invalid)
	}
	if got := versionsOf(t, s, "a", 10); len(got) != 3 || got[0].Text != "3" || got[2].Text != "1" {
		t.Errorf("refused saves changed the versions: %+v", got)
	}
	if _, _, err := s.Documents.SavePart(t.Context(), "amsg", partDraft("a", 3, strings.Repeat("x", chat.MaxText))); err != nil {
		t.Errorf("the longest text: %v", err)
	}
}

// TestSavePart_Retry repeats a save whose response was lost: it counts as the same save until
// another save follows.
func TestSavePart_Retry(t *testing.T) {
	t.Parallel()
	s, c := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for base := range 2 {
		draft := partDraft("a", base, "text")
		first, _, err := s.Documents.SavePart(t.Context(), "amsg", draft)
		if err != nil {
			t.Fatal(err)
		}
		c.Advance(time.Minute)
		if again, replay, err := s.Documents.SavePart(t.Context(), "amsg", draft); err != nil || !replay || again != first {
			t.Errorf("base %d again: %+v, replay %v, %v", base, again, replay, err)
		}
		_, _, err = s.Documents.SavePart(t.Context(), "bob", draft)
		chattest.WantKind(t, "the same text by another", err, notNewest(base))
		draft.Text = "other"
		_, _, err = s.Documents.SavePart(t.Context(), "amsg", draft)
		chattest.WantKind(t, "another text", err, notNewest(base))
	}
	_, _, err := s.Documents.SavePart(t.Context(), "amsg", partDraft("a", 0, "text"))
	chattest.WantKind(t, "a retry after another save", err, chat.PreconditionRequired)
	if got := versionsOf(t, s, "a", 10); len(got) != 2 {
		t.Errorf("%d versions, want 2", len(got))
	}
}

// TestSavePart_Concurrent lets eight people save one part of a document that does not exist at
// first, until each has saved a number of times. One of them succeeds each time, and no version is
// lost.
func TestSavePart_Concurrent(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	const writers, saves = 8, 5
	saved := make([][]document.Part, writers)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			user := chat.UserID(fmt.Sprintf("user-%d", w))
			for base := 0; len(saved[w]) < saves; {
				p, replay, err := s.Documents.SavePart(t.Context(), user, partDraft("a", base, fmt.Sprintf("%s %d", user, len(saved[w]))))
				switch kind := chat.KindOf(err); {
				case err == nil && !replay:
					saved[w] = append(saved[w], p)
					base = p.Version
				case kind == notNewest(base):
					newest, err := s.Documents.Part(t.Context(), user, document.Part{Room: "seattle", Document: "charter", ID: "a"})
					if err != nil {
						t.Error(err)
						return
					}
					base = newest.Version
				case kind != chat.Unavailable:
					t.Errorf("%s: replay %v, %v", user, replay, err)
					return
				}
			}
		})
	}
	all.Wait()
	stored := versionsOf(t, s, "a", 7)
	if len(stored) != writers*saves {
		t.Fatalf("%d versions are stored, want %d", len(stored), writers*saves)
	}
	for _, mine := range saved {
		for _, p := range mine {
			if got := stored[len(stored)-p.Version]; got != p {
				t.Errorf("version %d is %+v, but the answer had %+v", p.Version, got, p)
			}
		}
	}
}

func TestPartVersions_PagesOfManyVersions(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	const versions = 205 // more than one batch of reads, and more than one page
	for v := range versions {
		if _, _, err := s.Documents.SavePart(t.Context(), "amsg", partDraft("a", v, fmt.Sprint(v+1))); err != nil {
			t.Fatal(err)
		}
	}
	for _, limit := range []int{1, 50, 100, 101, 200} {
		got := versionsOf(t, s, "a", limit)
		if len(got) != versions {
			t.Errorf("pages of %d: %d versions, want %d", limit, len(got), versions)
		}
		for i, p := range got {
			if p.Version != versions-i || p.Text != fmt.Sprint(p.Version) {
				t.Fatalf("pages of %d: %+v at %d", limit, p, i)
			}
		}
	}
}

func TestQuery_CursorBelongsToItsList(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for _, id := range []document.PartID{"a", "b"} {
		for v := range 2 {
			if _, _, err := s.Documents.SavePart(t.Context(), "amsg", partDraft(id, v, "x")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := putDocument(t, s, "amsg", "rules", document.Draft{}); err != nil {
		t.Fatal(err)
	}
	q := document.Query{Room: "seattle", Document: "charter", Part: "a", Page: chat.PageRequest{Limit: 1}}
	_, parts, err := s.Documents.Document(t.Context(), "amsg", q)
	versions, err2 := s.Documents.PartVersions(t.Context(), "amsg", q)
	documents, err3 := s.Documents.Documents(t.Context(), "amsg", "seattle", q.Page)
	if err != nil || err2 != nil || err3 != nil || parts.Next == "" || versions.Next == "" || documents.Next == "" {
		t.Fatal(err, err2, err3, parts, versions, documents)
	}
	for _, cursor := range []string{parts.Next, documents.Next, "x"} {
		q.Page.Cursor = cursor
		_, err := s.Documents.PartVersions(t.Context(), "amsg", q)
		chattest.WantKind(t, "versions", err, chat.BadCursor)
	}
	q.Page.Cursor, q.Part = versions.Next, "b"
	_, err = s.Documents.PartVersions(t.Context(), "amsg", q)
	chattest.WantKind(t, "versions of another part", err, chat.BadCursor)
	q.Page.Cursor, q.Document = parts.Next, "rules"
	_, _, err = s.Documents.Document(t.Context(), "amsg", q)
	chattest.WantKind(t, "parts of another document", err, chat.BadCursor)
	for _, limit := range []int{0, chat.MaxLimit + 1} {
		_, err = s.Documents.Documents(t.Context(), "amsg", "seattle", chat.PageRequest{Limit: limit})
		chattest.WantKind(t, "a limit out of range", err, chat.Invalid)
	}
}
