package restore_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/restore"
	"example.com/parley/internal/table"
)

// meddler calls a function between the reads and the first write.
type meddler struct {
	next   dynamodb.HTTPClient
	once   sync.Once
	meddle func()
}

func (m *meddler) Do(r *http.Request) (*http.Response, error) {
	target := r.Header.Get("X-Amz-Target")
	if strings.HasSuffix(target, ".TransactWriteItems") || strings.HasSuffix(target, ".PutItem") {
		m.once.Do(m.meddle)
	}
	return m.next.Do(r)
}

// meddled returns options whose first write comes right after a function is called.
func (s *story) meddled(o restore.Options, meddle func()) restore.Options {
	o.DB = dynamo.LocalClient(s.endpoint, func(c *dynamodb.Options) { c.HTTPClient = &meddler{next: http.DefaultClient, meddle: meddle} })
	return o
}

// TestJob_GivesWayToConcurrentChanges changes the very item that is about to be written.
func TestJob_GivesWayToConcurrentChanges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(*story, *live)           // makes the item that the run will write
		meddle  func(*story, *live)           // changes it first
		holds   func(*story, *live) (ok bool) // afterwards
		run     func(*story, restore.Options) // the run
	}{
		"an edit before a copy replaces the message": {
			prepare: func(s *story, l *live) { s.edit(s.plain[0]) }, // in the old table, which is copied
			meddle:  func(s *story, l *live) { l.edit(l.edit(s.plain[0])) },
			holds: func(s *story, l *live) bool {
				m, err := l.Message(s.Context(), "ann", "seattle", s.plain[0].ID)
				return err == nil && m.Revision == 3
			},
			run: func(s *story, o restore.Options) { s.copied(o) },
		},
		"an edit before a deletion is applied": {
			prepare: func(s *story, l *live) { s.remove("owner", s.edited[0]) },
			meddle:  func(s *story, l *live) { s.deleted = append(s.deleted, l.edit(s.edited[0]).Text) },
			holds: func(s *story, l *live) bool {
				m, err := l.Message(s.Context(), "ann", "seattle", s.edited[0].ID)
				return err == nil && m.Deleted() && !holds(s.dump("restored"), s.deleted[len(s.deleted)-1])
			},
			run: func(s *story, o restore.Options) { s.deletions(o) },
		},
		"new settings before the deletion of a room is applied": {
			prepare: func(s *story, _ *live) { s.end("going") },
			meddle:  func(_ *story, l *live) { l.renamed("going") },
			holds:   func(s *story, l *live) bool { s.wantEnded(l, "going"); return !s.Failed() },
			run:     func(s *story, o restore.Options) { s.deletions(o) },
		},
		"a deletion of the room before a copy replaces its settings": {
			prepare: func(s *story, _ *live) { s.renamed("going") },
			meddle:  func(s *story, l *live) { l.end("going") },
			holds:   func(s *story, l *live) bool { s.wantEnded(l, "going"); return !s.Failed() },
			run: func(s *story, o restore.Options) {
				o.Room = "going"
				if counts := s.copied(o); counts[table.RoomKind][restore.Gone] != 1 {
					s.Errorf("%v", counts)
				}
			},
		},
		"a promotion before a removal is applied": {
			prepare: func(s *story, l *live) { s.removed("owner", s.board, "cid") },
			meddle:  func(s *story, l *live) { l.member("owner", s.board, "cid", policy.Moderator) },
			holds: func(s *story, l *live) bool {
				_, err := l.Messages(s.Context(), "cid", chat.MessageQuery{Room: s.board, Limit: 1})
				return chat.KindOf(err) == chat.NotFound
			},
			run: func(s *story, o restore.Options) { s.deletions(o) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			adopted := s.world.live("restored")
			c.prepare(s, adopted)
			s.pump()
			c.run(s, s.meddled(s.options("old", "restored", s.point), func() { c.meddle(s, adopted) }))
			if !c.holds(s, adopted) {
				t.Error("it does not hold afterwards")
			}
		})
	}
}

// TestJob_ResumesWhereItWasInterrupted ends a run after each page and resumes it from the saved
// progress.
func TestJob_ResumesWhereItWasInterrupted(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.goOn()
	adopted := s.world.live("restored")
	var saved []byte
	interrupted := 0
	for done := false; !done; interrupted++ {
		var p restore.Progress
		if saved != nil {
			if err := json.Unmarshal(saved, &p); err != nil {
				t.Fatal(err)
			}
		}
		ctx, interrupt := context.WithCancel(t.Context())
		o := s.options("old", "restored", s.point)
		o.Memberships = true
		err := restore.Job{Options: o, Save: func(p restore.Progress) (err error) {
			saved, err = json.Marshal(p)
			interrupt()
			return err
		}}.Deletions(ctx, &p)
		interrupt()
		if done = err == nil; err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if interrupted < 4 {
		t.Errorf("it was interrupted only %d times", interrupted)
	}
	s.wantTexts("restored", false)
	s.wantRoles(adopted)
	if again := s.deletions(s.options("old", "restored", s.point)); again.Changes() != 0 {
		t.Errorf("a second run: %v", again)
	}
}
