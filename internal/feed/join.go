package feed

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
)

// messageJoin adds messages to the entries of a page. It first reads all of them eventually, which
// costs a fraction. A message that is missing, or older than a change on the page, is then read
// again consistently.
type messageJoin struct {
	store    Store
	head     Head
	segments []Segment
	entries  []Entry
	least    map[chat.MessageID]state
	found    map[chat.MessageID]chat.Message
	// current contains the messages that were read consistently, including those found not to
	// exist.
	current map[chat.MessageID]bool
}

// state is the oldest state in which a page may show a message.
type state struct{ revision, tally int }

func newMessageJoin(store Store, head Head, segments []Segment, entries []Entry) *messageJoin {
	j := &messageJoin{
		store: store, head: head, segments: segments, entries: entries,
		least: map[chat.MessageID]state{}, found: map[chat.MessageID]chat.Message{}, current: map[chat.MessageID]bool{},
	}
	for _, e := range entries {
		if c := e.Change; c.Type.Carries().ShowsMessage() {
			j.least[c.Message] = j.least[c.Message].after(c)
		}
	}
	return j
}

// after returns the newer one of s and the state after a change.
func (s state) after(c Change) state {
	if c.Type == CountsChanged {
		s.tally = max(s.tally, c.Revision)
	} else {
		s.revision = max(s.revision, c.Revision)
	}
	return s
}

// page returns the entries with their messages. The page ends before they exceed MaxPageBytes.
func (j *messageJoin) page(ctx context.Context) ([]Entry, error) {
	if err := j.readSoon(ctx); err != nil {
		return nil, err
	}
	size := 0
	for at := range j.entries {
		e := &j.entries[at]
		if !e.Change.Type.Carries().ShowsMessage() {
			continue
		}
		if !j.isShown(e.Change.Message) {
			if err := j.readCurrent(ctx, at, chat.MaxPageBytes-size); err != nil {
				return nil, err
			}
		}
		m := j.found[e.Change.Message]
		if m.Revision == 0 {
			continue // the message no longer exists
		}
		if size += m.PageBytes(); size > chat.MaxPageBytes && at > 0 {
			return j.entries[:at], nil
		}
		e.Message = &m
	}
	return j.entries, nil
}

// isShown reports whether a message may be shown as it was read.
func (j *messageJoin) isShown(id chat.MessageID) bool {
	m, least := j.found[id], j.least[id]
	return j.current[id] || m.Revision > 0 && m.Revision >= least.revision && m.Tally.Version >= least.tally
}

// readSoon reads the messages of all entries eventually. New messages are in one range of the
// room's listing. The other messages are elsewhere: replies are not listed, and edited messages
// are older.
func (j *messageJoin) readSoon(ctx context.Context) error {
	listed, others := j.divide()
	span, known := j.received(listed)
	ids := make([]chat.MessageID, len(listed))
	for i, e := range listed {
		ids[i] = e.Change.Message
	}
	if !known {
		ids, others = nil, append(others, ids...)
	}
	var within, soon map[chat.MessageID]chat.Message
	both, inner := errgroup.WithContext(ctx)
	if len(ids) > 0 {
		both.Go(func() (err error) { within, err = j.store.MessagesWithin(inner, span, ids); return err })
	}
	if len(others) > 0 {
		both.Go(func() (err error) { soon, err = j.store.MessagesSoon(inner, j.head.Room, others); return err })
	}
	err := both.Wait()
	maps.Copy(j.found, within)
	maps.Copy(j.found, soon)
	return err
}

// divide returns the entries whose messages are new in the room's listing, and all other messages.
// Each message is returned once.
func (j *messageJoin) divide() (listed []Entry, others []chat.MessageID) {
	isListed := map[chat.MessageID]bool{}
	for _, e := range j.entries {
		if e.Change.CreatesInRoom() && !isListed[e.Change.Message] {
			isListed[e.Change.Message] = true
			listed = append(listed, e)
		}
	}
	for id := range j.least {
		if !isListed[id] {
			others = append(others, id)
		}
	}
	return listed, others
}

// received returns the range in which the messages of entries were received: exactly, or probably
// if a segment has only the times of its changes. It begins at the end of the feed if the page
// reaches it, because messages beyond its other end are not wanted. known is false if a segment has
// no times.
func (j *messageJoin) received(listed []Entry) (span chat.MessageRange, known bool) {
	if len(listed) == 0 {
		return span, false
	}
	span = chat.MessageRange{Room: j.head.Room, Order: chat.Oldest}
	for _, s := range j.segments {
		if s.Last() < listed[0].Seq || s.First > listed[len(listed)-1].Seq ||
			!slices.ContainsFunc(s.Changes, Change.CreatesInRoom) {
			continue
		}
		from, to := s.receivedWithin()
		if from.IsZero() {
			return span, false
		}
		if span.From.IsZero() || from.Before(span.From) {
			span.From = from
		}
		if to.After(span.To) {
			span.To = to
		}
	}
	if j.entries[len(j.entries)-1].Seq == j.head.Last {
		span.Order = chat.Newest
	}
	return span, true
}

// readCurrent consistently reads messages that may not be shown as they were first read. It begins
// with the message of the entry at an index, and ends where the page probably ends with so many
// bytes.
func (j *messageJoin) readCurrent(ctx context.Context, at, bytes int) error {
	var ids []chat.MessageID
	unknown := j.meanBytes()
	for _, e := range j.entries[at:] {
		id := e.Change.Message
		if !e.Change.Type.Carries().ShowsMessage() {
			continue
		}
		if j.isShown(id) {
			m := j.found[id]
			bytes -= m.PageBytes()
		} else {
			ids = append(ids, id)
			j.current[id] = true
			bytes -= unknown
		}
		if bytes < 0 || len(ids) == messagesPerRead {
			break
		}
	}
	found, err := j.store.MessagesByID(ctx, j.head.Room, ids)
	for _, id := range ids {
		j.found[id] = found[id]
	}
	return err
}

// meanBytes returns the mean size of the messages that were found, or 0 if there are none.
func (j *messageJoin) meanBytes() int {
	sum, n := 0, 0
	for _, m := range j.found {
		if m.Revision > 0 {
			sum, n = sum+m.PageBytes(), n+1
		}
	}
	return sum / max(n, 1)
}
