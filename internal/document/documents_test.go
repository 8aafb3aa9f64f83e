package document_test

import (
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

// crowd gives a room one person of every role, named after the role.
func crowd(t *testing.T, s *app.Services, room chat.RoomID) {
	t.Helper()
	for user, role := range map[chat.UserID]policy.Role{
		"moderator": policy.Moderator, "member": policy.Member, "muted": policy.Muted, "banned": policy.Banned,
	} {
		if err := chattest.SetRole(t, s, "maker", room, user, role); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPutDocument_Permissions checks that everyone who may post may create a document, and that
// only moderators and owners may change one.
func TestPutDocument_Permissions(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	crowd(t, s, "seattle")
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

func TestDocument_Permissions(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	crowd(t, s, "seattle")
	const bad = chat.Forbidden
	users := []chat.UserID{"maker", "moderator", "member", "muted", "stranger", "banned"}
	for i, tt := range []struct {
		read, write policy.Audience
		reads       [6]chat.Kind // by user; 0 means allowed
		writes      [6]chat.Kind
	}{
		{policy.AsRoom, policy.AsRoom, [6]chat.Kind{0, 0, 0, 0, 0, bad}, [6]chat.Kind{0, 0, 0, bad, 0, bad}},
		{policy.AsRoom, policy.ForMembers, [6]chat.Kind{0, 0, 0, 0, 0, bad}, [6]chat.Kind{0, 0, 0, bad, bad, bad}},
		{policy.ForMembers, policy.ForModerators, [6]chat.Kind{0, 0, 0, 0, bad, bad}, [6]chat.Kind{0, 0, bad, bad, bad, bad}},
		{policy.ForModerators, policy.ForEveryone, [6]chat.Kind{0, 0, bad, bad, bad, bad}, [6]chat.Kind{0, 0, bad, bad, bad, bad}},
		{policy.ForOwners, policy.ForMembers, [6]chat.Kind{0, bad, bad, bad, bad, bad}, [6]chat.Kind{0, bad, bad, bad, bad, bad}},
	} {
		id := document.ID("d" + string(rune('0'+i)))
		if err := putDocument(t, s, "maker", id, document.Draft{Read: &tt.read, Write: &tt.write}); err != nil {
			t.Fatal(err)
		}
		draft := document.PartDraft{Room: "seattle", Document: id, Part: "a", Text: "x"}
		for u, user := range users {
			_, _, err := s.Documents.SavePart(t.Context(), user, draft)
			if chat.KindOf(err) != tt.writes[u] {
				t.Errorf("%s writes %v/%v: %v, want %v", user, tt.read, tt.write, err, tt.writes[u])
			}
			if err == nil {
				draft.Base++
			}
		}
		for u, user := range users {
			for what, err := range readings(t, s, user, document.Part{Room: "seattle", Document: id, ID: "a", Version: 1}) {
				if chat.KindOf(err) != tt.reads[u] {
					t.Errorf("%s reads %s of %v/%v: %v, want %v", user, what, tt.read, tt.write, err, tt.reads[u])
				}
			}
		}
	}
}

// readings returns the errors of all ways to read a document.
func readings(t *testing.T, s *app.Services, caller chat.UserID, p document.Part) map[string]error {
	t.Helper()
	q := document.Query{Room: p.Room, Document: p.Document, Part: p.ID, Page: chat.PageRequest{Limit: 5}}
	errs := map[string]error{}
	_, _, errs["the document"] = s.Documents.Document(t.Context(), caller, q)
	_, errs["the versions"] = s.Documents.PartVersions(t.Context(), caller, q)
	_, errs["a version"] = s.Documents.Part(t.Context(), caller, p)
	p.Version = 0
	_, errs["the newest"] = s.Documents.Part(t.Context(), caller, p)
	return errs
}

// TestDocuments_HiddenRoomLooksLikeNone checks that the responses about a hidden room equal the
// responses about a missing room.
func TestDocuments_HiddenRoomLooksLikeNone(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	secret := chattest.CreatePrivateRoom(t, s, "maker")
	const none = "p-aaaaaaaaaaaaaaaaaaaa"
	draft := document.PartDraft{Room: secret, Document: "charter", Part: "a", Text: "x"}
	if _, _, err := s.Documents.SavePart(t.Context(), "maker", draft); err != nil {
		t.Fatal(err)
	}
	answers := map[chat.RoomID]map[string]error{}
	for _, room := range []chat.RoomID{secret, none} {
		errs := readings(t, s, "stranger", document.Part{Room: room, Document: "charter", ID: "a", Version: 1})
		draft.Room = room
		_, _, errs["save"] = s.Documents.SavePart(t.Context(), "stranger", draft)
		_, _, errs["put"] = s.Documents.PutDocument(t.Context(), "stranger", room, "charter", document.Draft{})
		_, errs["list"] = s.Documents.Documents(t.Context(), "stranger", room, chat.PageRequest{Limit: 5})
		answers[room] = errs
	}
	for what, err := range answers[secret] {
		if other := answers[none][what]; chat.KindOf(err) != chat.NotFound || err.Error() != other.Error() {
			t.Errorf("%s: a hidden room answers %v, none %v", what, err, other)
		}
	}
	if err := chattest.SetRole(t, s, "maker", secret, "stranger", policy.Member); err != nil {
		t.Fatal(err)
	}
	for what, err := range readings(t, s, "stranger", document.Part{Room: secret, Document: "charter", ID: "a", Version: 1}) {
		if err != nil {
			t.Errorf("a member is refused %s: %v", what, err)
		}
	}
}

func TestDocument_NotFound(t *testing.T) {
	t.Parallel()
	s, _ := chattest.New(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	for what, err := range readings(t, s, "amsg", document.Part{Room: "seattle", Document: "charter", ID: "a", Version: 1}) {
		chattest.WantKind(t, what, err, chat.NotFound)
	}
	if err := putDocument(t, s, "amsg", "charter", document.Draft{}); err != nil {
		t.Fatal(err)
	}
	for what, err := range readings(t, s, "amsg", document.Part{Room: "seattle", Document: "charter", ID: "a", Version: 1}) {
		if what == "the document" {
			if err != nil {
				t.Errorf("a document without parts: %v", err)
			}
			continue
		}
		chattest.WantKind(t, what, err, chat.NotFound)
	}
}
