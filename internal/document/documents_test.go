package document_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/chattest"
)

func audience(a policy.Audience) *policy.Audience { return &a }

func putDocument(t *testing.T, s *app.Services, caller chat.UserID, id document.ID, draft document.Draft) error {
	t.Helper()
	_, _, err := s.Documents.PutDocument(t.Context(), caller, "seattle", id, draft)
	return err
}

// TestPutDocument_Permissions checks that everyone who may post may create a document, and that
// only moderators and owners may change one.
func TestPutDocument_Permissions(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for user, role := range map[chat.UserID]policy.Role{
		"moderator": policy.Moderator, "member": policy.Member, "muted": policy.Muted, "banned": policy.Banned,
	} {
		if err := chattest.SetRole(t, s, "maker", "seattle", user, role); err != nil {
			t.Fatal(err)
		}
	}
	title := "The charter"
	titled := document.Draft{Title: &title}
	other := "Another"
	retitled := document.Draft{Title: &other}
	open := document.Draft{Title: &title, Write: audience(policy.ForEveryone)}
	owners := document.Draft{Title: &title, Write: audience(policy.ForOwners)}
	secret := document.Draft{Title: &title, Read: audience(policy.ForOwners)}
	for i, step := range []struct {
		caller chat.UserID
		id     document.ID
		draft  document.Draft
		want   chat.Kind
	}{
		{"stranger", "of-stranger", titled, 0},
		{"muted", "of-muted", titled, chat.Forbidden},
		{"banned", "of-banned", titled, chat.Forbidden},
		{"member", "charter", open, chat.Forbidden}, // members may not set permissions
		{"member", "charter", titled, 0},
		{"member", "charter", titled, 0},                // a retry of the creation
		{"member", "charter", retitled, chat.Forbidden}, // members may not change documents, even their own
		{"moderator", "charter", open, 0},
		{"moderator", "charter", owners, chat.Forbidden}, // the change would lock the caller out
		{"moderator", "charter", secret, chat.Forbidden},
		{"moderator", "minutes", owners, chat.Forbidden},
		{"maker", "charter", owners, 0},
		{"moderator", "charter", open, chat.Forbidden}, // the document is closed to moderators
		{"moderator", "charter", titled, chat.Forbidden},
		{"maker", "charter", secret, 0},
	} {
		if err := putDocument(t, s, step.caller, step.id, step.draft); chat.KindOf(err) != step.want {
			t.Errorf("step %d, %s: %v, want %v", i, step.caller, err, step.want)
		}
	}
	doc, _, err := s.Documents.Document(t.Context(), "maker", document.Query{Room: "seattle", Document: "charter", Page: chat.PageRequest{Limit: 1}})
	want := document.Document{
		Room: "seattle", ID: "charter", Title: title, CreatedBy: "member", CreatedAt: chattest.Start,
		Allowed: policy.Document{Read: policy.ForOwners},
	}
	if err != nil || doc != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, doc))
	}
	docs, err := s.Documents.Documents(t.Context(), "stranger", "seattle", chat.PageRequest{Limit: 5})
	if err != nil || docs.Next != "" || len(docs.Items) != 2 || docs.Items[0].ID != "charter" || docs.Items[1].ID != "of-stranger" {
		t.Errorf("the room's documents: %+v, %v", docs, err)
	}
}

func TestMain(m *testing.M) { os.Exit(chattest.Main(m)) }
