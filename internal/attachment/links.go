package attachment

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
)

const (
	// LinkLife is how long a link to a file works at most.
	LinkLife = 5 * time.Minute
	// linkStep is how long the same link is given, so that browsers cache the file.
	linkStep = 2 * time.Minute
	// MaxLinked is the maximum number of messages whose links one request asks for: a page.
	MaxLinked = 50
	// MaxLinks is the maximum number of links of one answer. With the longest names and session
	// tokens they take 2.5 MB of the 6 MB that a function may answer.
	MaxLinks = 400
)

// Link has the addresses of a file.
type Link struct {
	Message chat.MessageID
	ID      uuid.UUID
	URL     string
	Preview string    // empty if there is none
	Until   time.Time // when the addresses expire
}

// LinkQuery names messages of a room. With Download, browsers save their files instead of showing
// them.
type LinkQuery struct {
	Messages []chat.MessageID
	Download bool
}

// Links returns links to the files of the messages that exist and are not deleted, in order. The
// error is Invalid for more than MaxLinked messages or MaxLinks files, and otherwise as for
// Authorize. It consumes half a read unit for each message.
func (s *Service) Links(ctx context.Context, caller chat.UserID, room chat.RoomID, q LinkQuery) ([]Link, error) {
	if len(q.Messages) == 0 || len(q.Messages) > MaxLinked {
		return nil, chat.Invalidf("messages", "must be 1 to %d ids", MaxLinked)
	}
	if _, err := s.o.Rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return nil, err
	}
	if s.o.Bucket == nil {
		return nil, nil
	}
	once := chat.Unique(q.Messages)
	messages, err := s.o.Messages.MessagesSoon(ctx, room, once)
	if err != nil {
		return nil, err
	}
	var links []Link
	files := 0
	for _, m := range messages {
		files += len(m.Attachments)
	}
	if files > MaxLinks {
		return nil, chat.Invalidf("messages", "must have at most %d files together", MaxLinks)
	}
	for _, id := range once {
		m := messages[id] // without attachments if it does not exist
		if m.Deleted() {
			continue
		}
		for _, a := range m.Attachments {
			l, err := s.link(ctx, m, a, q.Download)
			if err != nil {
				return nil, err
			}
			links = append(links, l)
		}
	}
	return links, nil
}

// link returns the links to one file and its preview.
func (s *Service) link(ctx context.Context, m chat.Message, a chat.Attachment, download bool) (l Link, err error) {
	from := s.o.Clock().UTC().Truncate(linkStep)
	l = Link{Message: m.ID, ID: a.ID, Until: from.Add(LinkLife)}
	if l.URL, err = s.o.Bucket.Get(
		ctx, FileKey(m.Room, m.ID.User, a.ID), from, LinkLife, shown(a, download),
	); err != nil || !a.Preview {
		return l, err
	}
	l.Preview, err = s.o.Bucket.Get(
		ctx, PreviewKey(m.Room, m.ID.User, a.ID), from, LinkLife, bucket.Shown{Disposition: "inline"},
	)
	return l, err
}

// savedType is the media type of files that browsers only save.
const savedType = "application/octet-stream"

// safeTypes are the media types, besides sound and video, that browsers show without running
// anything.
var safeTypes = []string{"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "application/pdf"}

// shown returns how a browser shows a file. A file that may run in a browser is only saved.
func shown(a chat.Attachment, download bool) bucket.Shown {
	safe := slices.Contains(
		safeTypes, a.Type,
	) || strings.HasPrefix(a.Type, "audio/") || strings.HasPrefix(a.Type, "video/")
	if safe && !download {
		return bucket.Shown{Type: a.Type, Disposition: "inline; " + fileName(a.Name)}
	}
	return bucket.Shown{Type: savedType, Disposition: "attachment; " + fileName(a.Name)}
}

// fileName returns the parameters of a name in Content-Disposition, in both forms (RFC 6266): old
// clients read only the first, which has "_" for characters that it cannot have.
func fileName(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' || r == '%' {
			return '_'
		}
		return r
	}, name)
	return `filename="` + plain + `"; filename*=UTF-8''` + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}
