package growing

import (
	"context"
	"fmt"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// reader follows the room's feed and pages through the room. It must see each message once.
type reader struct {
	*world
	since    chat.FeedPosition
	last     int64
	followed map[chat.MessageID]bool
	walks    int
}

// follow reads new changes, and fails if a number or a message is missing or repeated.
func (r *reader) follow(ctx context.Context) error {
	for {
		var c feed.Changes
		err := r.call(func() (err error) {
			c, err = r.reader.Feed.Changes(ctx, owner, room, r.since, chat.MaxLimit)
			return err
		})
		if err != nil {
			return err
		}
		if c.Reset {
			return fmt.Errorf("the feed does not continue after %d", r.last)
		}
		for _, e := range c.Entries {
			if r.last > 0 && e.Seq != r.last+1 {
				return fmt.Errorf("change %d follows change %d", e.Seq, r.last)
			}
			if r.last = e.Seq; e.Message == nil {
				continue
			}
			if r.followed[e.Message.ID] {
				return fmt.Errorf("the feed repeats %v", e.Message.ID)
			}
			r.followed[e.Message.ID] = true
		}
		if r.since = c.Since; len(c.Entries) == 0 {
			return nil
		}
	}
}

// walk pages through the room, oldest first, and fails if a message is repeated or a message in
// want is missing. The messages in want were acknowledged before.
func (r *reader) walk(ctx context.Context, want []chat.MessageID) error {
	r.walks++
	seen, order := map[chat.MessageID]bool{}, chat.Oldest
	for q := (chat.MessageQuery{Room: room, Order: &order, Limit: chat.MaxLimit}); ; {
		var page chat.MessagePage
		err := r.call(func() (err error) {
			page, err = r.reader.Messages(ctx, owner, q)
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range page.Items {
			if seen[m.ID] {
				return fmt.Errorf("pages repeat %v", m.ID)
			}
			seen[m.ID] = true
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			return missing(want, seen, "pages")
		}
	}
}

// missing returns an error if a message was not seen.
func missing(want []chat.MessageID, seen map[chat.MessageID]bool, where string) error {
	n := 0
	for _, id := range want {
		if !seen[id] {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("%s miss %d of %d messages", where, n, len(want))
	}
	return nil
}
