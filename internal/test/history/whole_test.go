package history_test

import (
	"fmt"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// changes reads all changes since a position, in pages of random size, like a returning client.
func (b *laggedRoom) changes(since chat.FeedPosition) (all []feed.Entry, wrong []string) {
	b.t.Helper()
	for {
		changes, err := b.service.Feed.Changes(b.t.Context(), person(0), laggedRoomID, since, 10+b.r.IntN(chat.MaxLimit-10))
		if err != nil || changes.Reset {
			return all, []string{fmt.Sprintf("changes since %+v: reset %v, %v", since, changes.Reset, err)}
		}
		for _, e := range changes.Entries {
			if since.Seq++; e.Seq != since.Seq {
				return all, []string{fmt.Sprintf("number %d follows %d", e.Seq, since.Seq-1)}
			}
			if e.Change.Type.OfMessage() && (e.Message == nil || e.Message.Revision < e.Change.Revision) {
				return all, []string{fmt.Sprintf("number %d, %+v, has the message %+v", e.Seq, e.Change, e.Message)}
			}
		}
		if changes.Since.Seq != since.Seq {
			return all, []string{fmt.Sprintf("the next position is %+v, want %+v", changes.Since, since)}
		}
		since = changes.Since
		if all = append(all, changes.Entries...); since.Seq == changes.Head {
			return all, nil
		}
	}
}

// check checks pages after the feed has caught up. Some pages get their own changes. The others
// share those since the oldest position, because nothing has changed meanwhile.
func (b *laggedRoom) check(held []page, from func(page) chat.FeedPosition) (wrong []string) {
	b.t.Helper()
	oldest := from(held[0])
	for _, s := range held {
		if since := from(s); since.Seq < oldest.Seq {
			oldest = since
		}
	}
	shared, wrong := b.changes(oldest)
	if len(wrong) > 0 {
		return wrong
	}
	for _, s := range held {
		since := from(s)
		entries := shared[since.Seq-oldest.Seq:]
		if b.r.IntN(4) == 0 {
			if entries, wrong = b.changes(since); len(wrong) > 0 {
				return wrong
			}
		}
		if wrong := b.missing(s, entries); len(wrong) > 0 {
			return wrong
		}
	}
	return nil
}

// missing applies changes to a page, like a client that drops duplicates by id. It returns the
// differences to the current room.
func (b *laggedRoom) missing(s page, entries []feed.Entry) (wrong []string) {
	holds := map[chat.MessageID]chat.Message{}
	for _, m := range s.listing.Items {
		holds[m.ID] = m
	}
	for _, e := range entries {
		if e.Message != nil {
			holds[e.Message.ID] = *e.Message
		}
	}
	for id, m := range b.messages {
		if h, held := holds[id]; held && viewOf(h) != viewOf(m) || !held && s.covers(m) {
			wrong = append(wrong, fmt.Sprintf("%+v at %v, since %d: holds %+v of %+v", s.query, s.at, s.listing.Since.Seq, viewOf(h), viewOf(m)))
		}
	}
	for id := range holds {
		if b.messages[id].Revision == 0 {
			wrong = append(wrong, fmt.Sprintf("%s was never posted", id))
		}
	}
	return wrong
}
