package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/inbox"
)

// segmentsBack reads every range of first numbers with every limit.
func segmentsBack(t *testing.T, s FeedStore) {
	all := appendSegments(t, s, "seattle", 3, 1, 4, 1, 2)
	appendSegments(t, s, "seattle-1", 5)
	heads, err := s.FeedHeads(t.Context(), []chat.RoomID{"seattle", "portland"})
	if err != nil || len(heads) != 1 || heads["seattle"] != all[len(all)-1].Head() {
		t.Errorf("heads: %+v, %v", heads, err)
	}
	end := all[len(all)-1].Last()
	for first := int64(1); first <= end+1; first++ {
		for last := first - 2; last <= end+1; last++ {
			for limit := 1; limit <= len(all)+1; limit++ {
				var want []feed.Segment
				for _, segment := range slices.Backward(all) {
					if segment.First >= first && segment.First <= last {
						want = append(want, segment)
					}
				}
				r := feed.SegmentRange{Room: "seattle", First: first, Last: last, Limit: limit, Consistent: limit%2 == 0}
				got, more, err := s.SegmentsBack(t.Context(), r)
				if len(want) > limit != more && len(want) != limit {
					t.Errorf("%d to %d, at most %d: more is %v of %d", first, last, limit, more, len(want))
				}
				wantSegments(t, "segments back", got, want[:min(limit, len(want))], err)
			}
		}
	}
}

// summaries reads rooms with and without a newest message, in any order, and a deleted room.
func summaries(t *testing.T, s FeedStore) {
	seattle, tacoma := newRoom(t, s, "seattle", 1), newRoom(t, s, "tacoma", 1)
	spokane := newRoom(t, s, "spokane", 1)
	if ok, err := s.DeleteRoom(t.Context(), chat.RoomDeletion{Room: spokane, By: chat.OwnerOf(spokane, "maker"), At: start}); !ok || err != nil {
		t.Fatalf("deletion: %v, %v", ok, err)
	}
	m := message("seattle", "amsg", start, start, 1)
	put(t, s, m)
	newest := feed.Newest{}.With(m, 1)
	unsure := newest
	unsure.Gap = m.ReceivedAt.Add(time.Hour)
	lost := feed.Newest{}.With(message("tacoma", "amsg", start, start, 2), 1)
	for _, room := range []*chat.Room{&seattle, &tacoma} { // the permissions and shards are other items
		room.Posting, room.Pinning, room.RoomMentions, room.SlowMode, room.ShardsPinned = 0, 0, 0, 0, false
	}
	for _, tt := range []struct {
		rooms []inbox.SummaryRequest
		want  []inbox.Summary
	}{
		{nil, nil},
		{
			[]inbox.SummaryRequest{{Room: "tacoma", Newest: lost}, {Room: "nowhere"}, {Room: "spokane"}, {Room: "seattle", Newest: newest}},
			[]inbox.Summary{{Room: &tacoma}, {}, {}, {Room: &seattle, Message: &m}},
		},
		{[]inbox.SummaryRequest{{Room: "seattle", Newest: unsure}, {Room: "tacoma"}}, []inbox.Summary{{Room: &seattle}, {Room: &tacoma}}},
	} {
		got, err := inbox.NewStore(s.Table()).Summaries(t.Context(), tt.rooms)
		if d := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); err != nil || d != "" {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	}
}
