package functions_test

import (
	"context"
	"testing"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/hook"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/requests"
	"example.com/parley/internal/test/tabletest"
)

// TestOutbox_NotesEveryEventAsInLambda delivers the samples, some of which are news, to a hook.
//
//golden:record
func TestOutbox_NotesEveryEventAsInLambda(t *testing.T) {
	endpoint := enginetest.Start(t)
	client := dynamo.LocalClient(endpoint)
	tabletest.Create(t, client, feedTable)
	store := dynamo.New(client, dynamo.Options{Table: feedTable, Clock: time.Now})
	rooms := chat.NewService(chat.Options{Store: store, Clock: time.Now})
	hooks := hook.NewService(hook.Options{Table: store.Table(), Feed: feed.NewService(store, rooms, time.Now), Tails: store, Clock: time.Now})
	if _, _, _, err := hooks.Put(t.Context(), hook.ForService("helpdesk"), "moderator", hook.Settings{}); err != nil {
		t.Fatal(err)
	}
	fn := start(t, "outbox", environment(t, "outbox", map[string]string{"Table": feedTable, "FailureQueue": "failures", "HookQueue": "hooks"}, recorder.Proxy(t, "outbox", endpoint)))
	var used []string
	for _, b := range requests.News {
		used = append(used, b.Name)
		ctx, cancel := context.WithTimeout(t.Context(), testTime)
		answer, err := fn.Invoke(ctx, []byte(b.Event()))
		cancel()
		if err != nil || string(answer) != `{"batchItemFailures":null}` && string(answer) != `{"batchItemFailures":[]}` {
			t.Errorf("%s: %s, %v", b.Name, answer, err)
		}
		_, state, err := hooks.Hook(t.Context(), hook.ForService("helpdesk"), "moderator")
		if want := map[string]int{"segment-appended": 1, "room-deleted": 2, "segment-unreadable": 3, "no-news": 3}[b.Name]; err != nil || state.Rooms != want {
			t.Errorf("%s: %d rooms wait, want %d: %v", b.Name, state.Rooms, want, err)
		}
	}
	checkAllUsed(t, "outbox", used)
}
