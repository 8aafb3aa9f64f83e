package document

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/test/enginetest"
	"example.com/parley/internal/test/faults"
	"example.com/parley/internal/test/tabletest"
)

// documentStore returns a store whose calls are counted, with a document of parts a to e in 12
// versions each.
func documentStore(t *testing.T) (store, *tabletest.Usage) {
	t.Helper()
	c := &tabletest.Usage{}
	s := store{dynamo.NewTable(tabletest.Start(t, "chat"), "chat", c.Observe)}
	doc := Document{Room: "seattle", ID: "charter", Title: "Charter", CreatedBy: "amsg", CreatedAt: start}
	if created, err := s.create(t.Context(), doc); err != nil || !created {
		t.Fatal(created, err)
	}
	for _, id := range []PartID{"a", "b", "c", "d", "e"} {
		for v := 1; v <= 12; v++ {
			if _, saved, err := s.savePart(t.Context(), versionOf(id, v)); err != nil || !saved {
				t.Fatal(saved, err)
			}
		}
	}
	c.Take()
	return s, c
}

func versionOf(id PartID, v int) Part {
	return Part{Room: "seattle", Document: "charter", ID: id, Version: v, Text: fmt.Sprintf("%s %d", id, v), SavedBy: "amsg", SavedAt: start}
}

func TestDocuments_ReadsOnlyTheItemsReturned(t *testing.T) {
	t.Parallel()
	s, c := documentStore(t)
	doc := Document{Room: "seattle", ID: "charter"}
	for name, tt := range map[string]struct {
		ask   func() error
		items int
		units float64 // of reads of less than 4 KB each; 0 is not checked
		calls int
	}{
		"a document": {func() error { _, err := s.document(t.Context(), "seattle", "charter"); return err }, 2, 2, 1},
		"all parts": {func() error {
			parts, _, err := s.parts(t.Context(), doc, chat.ListPosition{}, 50)
			return counted(len(parts), 5, err)
		}, 5, 1, 1},
		"two parts, and the one that tells of more": {func() error {
			parts, _, err := s.parts(t.Context(), doc, chat.ListPosition{}, 2)
			return counted(len(parts), 2, err)
		}, 3, 1, 1},
		"the newest of a part": {func() error { _, err := s.part(t.Context(), versionOf("a", 0)); return err }, 1, 1, 1},
		"one version":          {func() error { _, err := s.part(t.Context(), versionOf("a", 7)); return err }, 1, 1, 1},
		"all versions of a part": {func() error {
			versions, err := s.versions(t.Context(), versionOf("a", 12), 50)
			return counted(len(versions), 12, err)
		}, 12, 12, 1},
		"three versions of a part": {func() error {
			versions, err := s.versions(t.Context(), versionOf("a", 9), 3)
			return counted(len(versions), 3, err)
		}, 3, 3, 1},
		"a room's documents": {func() error {
			docs, _, err := s.list(t.Context(), "seattle", chat.ListPosition{}, 50)
			return counted(len(docs), 1, err)
		}, 1, 0.5, 1},
	} {
		if err := tt.ask(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		items, units, used := 0, 0.0, c.Take()
		for _, u := range used {
			items += u.Items
			units += u.Units
		}
		if items != tt.items || units != tt.units || len(used) != tt.calls {
			t.Errorf("%s: %d items, %v units, %d calls, want %d, %v, %d", name, items, units, len(used), tt.items, tt.units, tt.calls)
		}
	}
}

func counted(got, want int, err error) error {
	if err == nil && got != want {
		err = fmt.Errorf("%d found, want %d", got, want)
	}
	return err
}

func TestSavePart_ConcurrentSaveIsStaleOrMayBeRetried(t *testing.T) {
	t.Parallel()
	endpoint := enginetest.Start(t)
	plain := dynamo.LocalClient(endpoint)
	tabletest.Create(t, plain, "chat")
	other := store{dynamo.NewTable(plain, "chat", nil)}
	theirs := versionOf("a", 1)
	theirs.Text = "theirs"

	losing := store{dynamo.NewTable(dynamo.LocalClient(endpoint, faults.Conflicting(func() {})), "chat", nil)}
	if _, _, err := losing.savePart(t.Context(), versionOf("a", 1)); chat.KindOf(err) != chat.Unavailable || !strings.Contains(err.Error(), "save part") {
		t.Errorf("a conflict that changed nothing: %v", err)
	}
	stale := store{dynamo.NewTable(dynamo.LocalClient(endpoint, faults.Conflicting(func() {
		if _, saved, err := other.savePart(t.Context(), theirs); err != nil || !saved {
			t.Errorf("theirs: saved %v, %v", saved, err)
		}
	})), "chat", nil)}
	if newest, saved, err := stale.savePart(t.Context(), versionOf("a", 1)); saved || err != nil || newest != theirs {
		t.Errorf("a conflict with a save of the same version: saved %v, newest %+v, %v", saved, newest, err)
	}
}

// doer sends requests as a function does.
type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

// TestSavePart_RaceWithTheVersionBeforeMayBeRetried saves a part on a version that is saved between
// the transaction, which fails, and the read of the newest version. The error says that a retry
// may succeed, and the retry does.
func TestSavePart_RaceWithTheVersionBeforeMayBeRetried(t *testing.T) {
	t.Parallel()
	client := tabletest.Start(t, "chat")
	other := store{dynamo.NewTable(client, "chat", nil)}
	part := func(version int) Part {
		at := time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)
		return Part{Room: "seattle", Document: "rules", ID: "one", Version: version, Text: "x", SavedBy: "amsg", SavedAt: at}
	}
	save := func(version int) {
		if _, saved, err := other.savePart(t.Context(), part(version)); !saved || err != nil {
			t.Errorf("version %d: %t, %v", version, saved, err)
		}
	}
	save(1)
	between := sync.OnceFunc(func() { save(2) })
	racing := dynamodb.New(client.Options(), func(o *dynamodb.Options) {
		next := o.HTTPClient
		o.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
			res, err := next.Do(r)
			if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
				between()
			}
			return res, err
		})
	})
	late := store{dynamo.NewTable(racing, "chat", nil)}
	if _, saved, err := late.savePart(t.Context(), part(3)); saved || chat.KindOf(err) != chat.Unavailable {
		t.Errorf("during the race: %t, %v, want an error that asks for a retry", saved, err)
	}
	if _, saved, err := late.savePart(t.Context(), part(3)); !saved || err != nil {
		t.Errorf("after the race: %t, %v", saved, err)
	}
}

// TestSavePart_LostAnswerAndALaterSaveIsNoStaleWrite loses the response to a save, and the next
// version is saved before the retry, which conflicts. The save took effect; reporting it as stale
// would say that it did not.
func TestSavePart_LostAnswerAndALaterSaveIsNoStaleWrite(t *testing.T) {
	t.Parallel()
	client := tabletest.Start(t, "chat")
	other := store{dynamo.NewTable(client, "chat", nil)}
	in := &faults.Injector{}
	in.Plan(
		faults.Rule{Operation: "TransactWriteItems", Fault: faults.LostAnswer, Attempts: 1},
		faults.Rule{Operation: "TransactWriteItems", Fault: faults.Conflict},
	)
	sent := 0
	losing := dynamodb.New(client.Options(), in.Options, func(o *dynamodb.Options) {
		next := o.HTTPClient
		o.HTTPClient = doer(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".TransactWriteItems") {
				if sent++; sent == 2 {
					if _, saved, err := other.savePart(r.Context(), versionOf("a", 2)); err != nil || !saved {
						t.Errorf("theirs: %v, %v", saved, err)
					}
				}
			}
			return next.Do(r)
		})
	})
	s := store{dynamo.NewTable(losing, "chat", nil)}
	if _, _, err := s.savePart(t.Context(), versionOf("a", 1)); chat.KindOf(err) != chat.Unavailable {
		t.Errorf("a save that was saved again: %v", err)
	}
}
