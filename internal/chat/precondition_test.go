package chat_test

import (
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

func TestPrecondition_Check(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		p        *chat.Precondition
		exists   bool
		revision int
		same     bool
		want     chat.Kind
	}{
		{"none", nil, false, 0, false, 0},
		{"the current revision", &chat.Precondition{Revision: 3}, true, 3, false, 0},
		{"a former revision", &chat.Precondition{Revision: 2}, true, 3, false, chat.Stale},
		{"a former revision, by a change that changes nothing", &chat.Precondition{Revision: 2}, true, 3, true, 0},
		{"a later revision", &chat.Precondition{Revision: 4}, true, 3, false, chat.Stale},
		{"no profile yet", &chat.Precondition{}, false, 0, false, 0},
		{"no profile yet, and now there is one", &chat.Precondition{}, true, 1, false, chat.Stale},
		{"a profile that is deleted", &chat.Precondition{Revision: 1}, false, 0, false, chat.Stale},
		{"any", &chat.Precondition{Any: true}, true, 3, false, 0},
		{"any, and there is none", &chat.Precondition{Any: true}, false, 0, false, chat.Stale},
		{"absent", &chat.Precondition{Absent: true}, false, 0, false, 0},
		{"absent, and there is one", &chat.Precondition{Absent: true}, true, 0, false, chat.Stale},
		{"absent, and there is one with the content", &chat.Precondition{Absent: true}, true, 0, true, chat.Stale},
	} {
		if err := tt.p.Check(tt.exists, tt.revision, tt.same); chat.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

// TestDeleteRoom_Precondition deletes a room only at its revision, also in another process.
func TestDeleteRoom_Precondition(t *testing.T) {
	t.Parallel()
	s, other := twoProcesses(t)
	chattest.CreateRoom(t, s, "seattle", 1)
	if _, err := other.PatchRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Topic: new("rain")}); err != nil {
		t.Fatal(err)
	}
	chattest.WantKind(t, "a former revision", s.DeleteRoom(t.Context(), "maker", "seattle", &chat.Precondition{}), chat.Stale)
	if err := s.DeleteRoom(t.Context(), "maker", "seattle", &chat.Precondition{Revision: 1}); err != nil {
		t.Error(err)
	}
}
