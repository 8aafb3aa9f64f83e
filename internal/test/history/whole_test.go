package history_test

import (
	"fmt"

	"parley/internal/chat"
	"parley/internal/feed"
)

// changes reads all changes since a position, in pages of any size, as a client does that comes back.
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

// check checks pages, after the feed has caught up. Some are given the changes that they ask for, and the
// others what has been read for the one that stands furthest back, from where they stand: nothing has changed meanwhile.
func (b *laggedRoom) check(held []page, from func(page) chat.FeedPosition) (wrong []string) {
	b.t.Helper()
	furthest := from(held[0])
	for _, s := range held {
		if since := from(s); since.Seq < furthest.Seq {
			furthest = since
		}
	}
	shared, wrong := b.changes(furthest)
	if len(wrong) > 0 {
		return wrong
	}
	for _, s := range held {
		since := from(s)
		entries := shared[since.Seq-furthest.Seq:]
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

// missing applies to a page what has changed since, as a client does that drops repeats by id, and tells where what
// it has then is not the room as it stands.
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
			wrong = append(wrong, fmt.Sprintf("%+v at %v, since %d: holds %+v of %+v", s.question, s.at, s.listing.Since.Seq, viewOf(h), viewOf(m)))
		}
	}
	for id := range holds {
		if b.messages[id].Revision == 0 {
			wrong = append(wrong, fmt.Sprintf("%s was never sent", id))
		}
	}
	return wrong
}
