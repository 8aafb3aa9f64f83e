package history_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"

	"example.com/parley/internal/app"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// A client that continues from the head of the feed misses messages that the index did not show
// yet. The position in since covers no lag beyond feed.IndexLag. Changes are read eventually, and
// each rule that makes them complete is needed.
func TestLaggedRoom_SeededBugsAreNoticed(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]laggedRun{
		"since is the head":                          {maxLag: feed.IndexLag, from: fromHead},
		"the index lags for too long":                {maxLag: 3 * feed.IndexLag, from: fromSince},
		"an older revision is not read again":        {wrap: func(s app.Store) app.Store { return olderRevisions{s} }},
		"a missing message is not read again":        {wrap: func(s app.Store) app.Store { return missingMessages{s} }},
		"segments that a replica lacks are left out": {wrap: func(s app.Store) app.Store { return missingSegments{s} }},
	} {
		if run.wrap != nil {
			run.maxLag, run.from = feed.IndexLag, fromSince
		}
		run.steps = 300
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFound(t, func(seed uint64) string {
				if _, wrong := runLaggedRoom(t, seed, run); len(wrong) > 0 {
					return wrong[0]
				}
				return ""
			})
		})
	}
}

// olderRevisions reads messages consistently only if a replica has no state of them.
type olderRevisions struct{ app.Store }

func (s olderRevisions) MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	found, err := s.Store.MessagesByID(ctx, room, ids)
	older, soonErr := s.MessagesSoon(ctx, room, ids)
	maps.Copy(found, older)
	return found, errors.Join(err, soonErr)
}

// missingMessages reads messages consistently only if a replica has some state of them.
type missingMessages struct{ app.Store }

func (s missingMessages) MessagesByID(ctx context.Context, room chat.RoomID, ids []chat.MessageID) (map[chat.MessageID]chat.Message, error) {
	found, err := s.Store.MessagesByID(ctx, room, ids)
	some, soonErr := s.MessagesSoon(ctx, room, ids)
	maps.DeleteFunc(found, func(id chat.MessageID, _ chat.Message) bool { return some[id].Revision == 0 })
	return found, errors.Join(err, soonErr)
}

// missingSegments reads the segments of a feed as a replica has them.
type missingSegments struct{ app.Store }

func (s missingSegments) SegmentsFrom(ctx context.Context, head feed.Head, seq int64, limit int) ([]feed.Segment, error) {
	segments, _, err := s.SegmentsBack(ctx, feed.SegmentRange{Room: head.Room, First: 1, Last: head.Last, Limit: feed.MaxSegmentChanges})
	slices.Reverse(segments)
	return slices.DeleteFunc(segments, func(segment feed.Segment) bool { return segment.Last() < seq }), err
}
