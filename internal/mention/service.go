package mention

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
)

const (
	// MaxUnread bounds a count of unread mentions. A count of MaxUnread means this many or more.
	MaxUnread = 100
	// maxScanned bounds the rows of each kind that one count reads: some 30 KB. It omits older
	// rows, which shows only if more than half are blocked, removed or the person's own.
	maxScanned = 2 * MaxUnread
)

// Service lists the mentions of people. It is safe for concurrent use.
type Service struct {
	store    Store
	readable chat.MessageReader
	blocks   chat.Blocks
}

// NewService returns a service.
func NewService(store Store, messages chat.MessageSource, rooms chat.Authorizer, blocks chat.Blocks) *Service {
	return &Service{
		store: store, readable: chat.MessageReader{Authorize: rooms.Authorize, Source: messages}, blocks: blocks,
	}
}

// Mention is a mention of a person with its message.
type Mention struct {
	Row
	Current chat.Message // in its current state
}

// MentionsOf lists the mentions of the caller in all rooms, newest message first. It leaves out
// deleted messages, messages that no longer mention the caller or whose sender the caller has
// blocked, and rooms that the caller can no longer read. A page may therefore be shorter, and ends
// early at chat.MaxPageBytes. The error is as for PageRequest.Read.
func (s *Service) MentionsOf(
	ctx context.Context, caller chat.UserID, page chat.PageRequest,
) (chat.Page[Mention], error) {
	scope := chat.NewCursorScope("mentions").Text(string(caller))
	after, err := page.After(scope, func(p chat.ListPosition) bool { _, err := ParsePosition(p); return err == nil })
	if err != nil {
		return chat.Page[Mention]{}, err
	}
	rows, next, err := s.store.MentionsOf(ctx, caller, after, page.Limit)
	if err != nil {
		return chat.Page[Mention]{}, err
	}
	ids := map[chat.RoomID][]chat.MessageID{}
	for _, row := range rows {
		if row.Message != (chat.MessageID{}) {
			ids[row.Room] = append(ids[row.Room], row.Message)
		}
	}
	messages, err := s.readable.Messages(ctx, caller, ids)
	if err != nil {
		return chat.Page[Mention]{}, err
	}
	blocked, err := s.blocks.Blocked(ctx, caller)
	if err != nil {
		return chat.Page[Mention]{}, err
	}
	var out chat.Page[Mention]
	size := 0
	for i, row := range rows {
		m, ok := messages[row.Room][row.Message]
		again := i > 0 && rows[i-1].Room == row.Room && rows[i-1].Message == row.Message
		if !ok || again || blocked[m.ID.User] || !slices.Contains(m.Mentions.Users, caller) {
			continue
		}
		if size += m.PageBytes(); size > chat.MaxPageBytes && len(out.Items) > 0 {
			next = rows[i-1].Position()
			break
		}
		out.Items = append(out.Items, Mention{Row: row, Current: m})
	}
	out.Next = next.Cursor(scope)
	return out, nil
}

// UnreadMentions returns the number of messages that mention a person, or everyone, in a room
// after a number of its feed, at most MaxUnread. Mentions of everyone before the person joined,
// imported mentions, the person's own messages and blocked people's messages do not count. The
// caller must have authorized the person.
func (s *Service) UnreadMentions(ctx context.Context, of chat.MemberOf, after int64, joined time.Time) (int64, error) {
	blocked, err := s.blocks.Blocked(ctx, of.User)
	if err != nil {
		return 0, err
	}
	var own, everyone []Row
	both, inner := errgroup.WithContext(ctx)
	both.Go(func() (err error) { own, _, err = s.store.MentionsAfter(inner, of, after, maxScanned); return err })
	both.Go(func() (err error) {
		everyone, _, err = s.store.MentionsAfter(inner, chat.MemberOf{Room: of.Room, User: Everyone}, after, maxScanned)
		return err
	})
	if err := both.Wait(); err != nil {
		return 0, err
	}
	messages := map[chat.MessageID]bool{}
	for _, row := range append(own, everyone...) {
		by := row.Message.User
		if by == "" || by == of.User || blocked[by] || row.Imported || row.User == Everyone && !row.At.After(joined) {
			continue
		}
		messages[row.Message] = true
	}
	return int64(min(len(messages), MaxUnread)), nil
}
