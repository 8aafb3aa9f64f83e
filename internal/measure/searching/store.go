package searching

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sort"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	localbucket "example.com/parley/internal/local/bucket"
	"example.com/parley/internal/policy"
)

// tableTime is how long DynamoDB takes for a call.
const tableTime = 4 * time.Millisecond

// store answers like a table that holds the corpus, whose calls take some time. It stands for the
// store, the rooms, the access and the blocks of a search.Service.
type store struct {
	*Corpus
	wait  time.Duration
	calls atomic.Int64
}

// call waits as a call does.
func (s *store) call(ctx context.Context) error {
	s.calls.Add(1)
	if s.wait == 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(s.wait):
		return nil
	}
}

// ofRoom returns the numbers of a room's messages, in order.
func (s *store) ofRoom(room chat.RoomID) []int32 {
	for r := range rooms {
		if roomName(r) == room {
			return s.of[r]
		}
	}
	return nil
}

func (s *store) head(room chat.RoomID) feed.Head {
	all := s.ofRoom(room)
	n := int64(len(all))
	newest := s.Corpus.Message(int(all[n-1]))
	return feed.Head{
		Room: room, Last: n, Count: n, Settled: n, Generation: "bench", WrittenAt: newest.ReceivedAt,
		Newest: feed.Newest{Message: newest.ID, ReceivedAt: newest.ReceivedAt, Shard: 1},
	}
}

func (s *store) FeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	return s.head(room), s.call(ctx)
}

func (s *store) CurrentFeedHead(ctx context.Context, room chat.RoomID) (feed.Head, error) {
	return s.head(room), s.call(ctx)
}

// SegmentsFrom returns none: no message is newer than the index.
func (s *store) SegmentsFrom(ctx context.Context, _ feed.Head, _ int64, _ int) ([]feed.Segment, error) {
	return nil, s.call(ctx)
}

func (s *store) MessagesByID(
	ctx context.Context, room chat.RoomID, ids []chat.MessageID,
) (map[chat.MessageID]chat.Message, error) {
	found := map[chat.MessageID]chat.Message{}
	for _, id := range ids {
		if i, ok := s.number(id); ok {
			if m := s.Corpus.Message(i); m.Room == room {
				found[id] = m
			}
		}
	}
	return found, s.call(ctx)
}

func (s *store) MessagesSoon(
	ctx context.Context, room chat.RoomID, ids []chat.MessageID,
) (map[chat.MessageID]chat.Message, error) {
	return s.MessagesByID(ctx, room, ids)
}

func (s *store) MessagesWithin(
	ctx context.Context, span chat.MessageRange, ids []chat.MessageID,
) (map[chat.MessageID]chat.Message, error) {
	return s.MessagesByID(ctx, span.Room, ids)
}

func (s *store) Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error) {
	found, err := s.MessagesByID(ctx, room, []chat.MessageID{id})
	if m, ok := found[id]; ok || err != nil {
		return m, err
	}
	return chat.Message{}, fmt.Errorf("%s has no message %s", room, id)
}

// Messages returns a page of a room. Only the newest order is needed.
func (s *store) Messages(ctx context.Context, r chat.MessageRange) (messages []chat.Message, more bool, err error) {
	all := s.ofRoom(r.Room)
	end := len(all)
	if r.User != "" {
		end = 0 // the caller has sent nothing
	}
	at := func(i int) time.Time { return s.at(int(all[i])) }
	if r.After != nil {
		end = sort.Search(end, func(i int) bool { return !at(i).Before(r.After.At) })
	}
	if !r.To.IsZero() {
		end = sort.Search(end, func(i int) bool { return !at(i).Before(r.To) })
	}
	for bytes := 0; end > 0 && !at(end-1).Before(r.From); end-- {
		m := s.Corpus.Message(int(all[end-1]))
		if bytes += m.PageBytes(); len(messages) == r.Limit || bytes > chat.MaxPageBytes {
			return messages, true, s.call(ctx)
		}
		messages = append(messages, m)
	}
	return messages, false, s.call(ctx)
}

func (s *store) Replies(ctx context.Context, _ chat.ReplyRange) ([]chat.Message, bool, error) {
	return nil, false, s.call(ctx)
}

func (s *store) ThreadsOf(
	ctx context.Context, _ chat.RoomID, _ chat.ListPosition, _ int,
) ([]chat.MessageID, chat.ListPosition, error) {
	return nil, chat.ListPosition{}, s.call(ctx)
}

func (s *store) MembersByUser(
	ctx context.Context, _ chat.RoomID, _ []chat.UserID,
) (map[chat.UserID]chat.Membership, error) {
	return nil, s.call(ctx)
}

// Heads returns the heads of all rooms, as two calls do.
func (s *store) Heads(ctx context.Context, _ chat.UserID) (heads []feed.Head, err error) {
	for r := range rooms {
		heads = append(heads, s.head(roomName(r)))
	}
	slices.SortFunc(heads, func(a, b feed.Head) int { return b.Newest.ReceivedAt.Compare(a.Newest.ReceivedAt) })
	if err := s.call(ctx); err != nil {
		return nil, err
	}
	return heads, s.call(ctx)
}

func (s *store) Authorize(
	ctx context.Context, user chat.UserID, room chat.RoomID, _ policy.Action,
) (chat.Access, error) {
	joined := chat.Membership{Room: room, User: user, Role: policy.Member}
	return chat.Access{Room: chat.Room{ID: room, Name: string(room)}, Membership: joined, Role: policy.Member},
		s.call(ctx)
}

func (s *store) Blocked(ctx context.Context, _ chat.UserID) (map[chat.UserID]bool, error) {
	return nil, s.call(ctx)
}

// S3 is a bucket of this machine that answers after some time. It counts the calls and the bytes of
// their answers.
type S3 struct {
	*bucket.Client
	wait                time.Duration
	handler             http.RoundTripper
	reads, writes, sent atomic.Int64
}

// NewS3 returns the bucket of a folder.
func NewS3(dir string, wait time.Duration, clock func() time.Time) *S3 {
	const region = "us-east-1"
	keys := aws.Credentials{AccessKeyID: "local", SecretAccessKey: "secret"}
	s := &S3{
		wait:    wait,
		handler: localbucket.New(localbucket.Config{Dir: dir, Region: region, Credentials: keys, Clock: clock}),
	}
	s.Client = bucket.New(bucket.Config{
		Base: localbucket.Base, Region: region, HTTP: s, Clock: clock,
		Credentials: dynamo.StaticCredentials(keys.AccessKeyID, keys.SecretAccessKey, ""),
	})
	return s
}

// RoundTrip implements http.RoundTripper.
func (s *S3) RoundTrip(r *http.Request) (*http.Response, error) {
	select {
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-time.After(s.wait):
	}
	if r.Method == http.MethodGet {
		s.reads.Add(1)
	} else {
		s.writes.Add(1)
	}
	answer, err := s.handler.RoundTrip(r)
	if err == nil && r.Method == http.MethodGet {
		s.sent.Add(max(0, answer.ContentLength))
	}
	return answer, err
}

// Traffic is what a bucket was asked for.
type Traffic struct{ Reads, Writes, Sent int64 }

// Take returns the traffic since its previous call.
func (s *S3) Take() Traffic {
	return Traffic{s.reads.Swap(0), s.writes.Swap(0), s.sent.Swap(0)}
}
