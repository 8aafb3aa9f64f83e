package chat_test

import (
	"testing"
	"time"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/test/chattest"
)

// TestPutRoom_ArchivedReachesOtherProcesses posts through a process that has the room cached.
func TestPutRoom_ArchivedReachesOtherProcesses(t *testing.T) {
	t.Parallel()
	var store app.Options
	s, clock := chattest.NewWith(t, func(o *app.Options) { store = *o })
	other := app.New(store)
	chattest.CreateRoom(t, s, "seattle", 1)
	chattest.Post(t, other, "amsg", "cached")
	if _, _, err := s.PutRoom(t.Context(), "maker", "seattle", chat.RoomDraft{Archived: new(true)}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(chat.RoomCacheAge - time.Millisecond)
	chattest.Post(t, other, "amsg", "within the age of the cache")
	clock.Advance(time.Millisecond)
	_, _, err := other.PostMessage(t.Context(), "amsg", "seattle", chat.MessageDraft{Text: "x"})
	chattest.WantKind(t, "after the age of the cache", err, chat.Forbidden)
}
