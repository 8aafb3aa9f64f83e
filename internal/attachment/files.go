package attachment

import (
	"context"
	"io"
	"math"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

// File is a file of a message in a room.
type File struct {
	Message chat.MessageID
	chat.Attachment
}

// position returns the position of an upload in the list of its room.
func (u Upload) position() chat.ListPosition {
	return chat.ListPosition{Sort: u.ID.String(), ID: string(u.User)}
}

// startAfter returns the key of a position. ok is false if the position is not an upload's.
func startAfter(room chat.RoomID, p chat.ListPosition) (key table.Item, ok bool) {
	id, err := chat.ParseMessageID(p.Sort + "~" + p.ID)
	return table.UploadKey(room, id.User, id.UUID), err == nil
}

// Files lists the files of a room's messages, the last uploaded first. It leaves out files of
// deleted messages, and files without a message, so a page may have fewer items than its limit. The
// error is as for Authorize and PageRequest.After.
//
// It consumes half a read unit for about 16 files, and as much for each message.
func (s *Service) Files(
	ctx context.Context, caller chat.UserID, room chat.RoomID, page chat.PageRequest,
) (chat.Page[File], error) {
	scope := chat.NewCursorScope("files").Text(string(room))
	after, err := page.After(scope, func(p chat.ListPosition) bool { _, ok := startAfter(room, p); return ok })
	if err != nil {
		return chat.Page[File]{}, err
	}
	if _, err := s.o.Rooms.Authorize(ctx, caller, room, policy.Read); err != nil {
		return chat.Page[File]{}, err
	}
	q := dynamo.Query{
		Operation: "list uploads", Partition: table.RoomItemsPK(room), Keys: dynamo.WithPrefix(table.UploadPrefix),
		Consistency: dynamo.Eventual, NewestFirst: true, Limit: page.Limit,
	}
	if after != (chat.ListPosition{}) {
		q.Start, _ = startAfter(room, after)
	}
	uploads, next, err := dynamo.ListPage(ctx, s.o.Table, q, Parse, Upload.position)
	if err != nil {
		return chat.Page[File]{}, err
	}
	out := chat.Page[File]{Next: next.Cursor(scope)}
	messages, err := s.messagesOf(ctx, room, uploads)
	if err != nil {
		return chat.Page[File]{}, err
	}
	for _, u := range uploads {
		for _, a := range messages[u.Message].Attachments {
			if a.ID == u.ID && !messages[u.Message].Deleted() {
				out.Items = append(out.Items, File{u.Message, a})
			}
		}
	}
	return out, nil
}

// messagesOf returns the messages that have some of the uploads.
func (s *Service) messagesOf(
	ctx context.Context, room chat.RoomID, uploads []Upload,
) (map[chat.MessageID]chat.Message, error) {
	var ids []chat.MessageID
	seen := map[chat.MessageID]bool{{}: true} // without a message
	for _, u := range uploads {
		if !seen[u.Message] {
			seen[u.Message] = true
			ids = append(ids, u.Message)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return s.o.Messages.MessagesSoon(ctx, room, ids)
}

// Imported is a file of a message, with its bytes. PreviewBody is read if the upload has a preview.
type Imported struct {
	Upload
	Body, PreviewBody io.Reader
}

// Import stores a file of a message, which need not exist yet, outside the limits of people, and
// returns it as the message has it. It sends the bytes before it writes the row. Importing a file
// again changes nothing. It consumes 1 write unit.
//
// The error is Invalid for a file that nobody could upload, and Unavailable for a bucket that does
// not answer.
func Import(ctx context.Context, t *dynamo.Table, b *bucket.Client, u Imported) (chat.Attachment, error) {
	if err := u.check(Limits{FileBytes: math.MaxInt64, DayBytes: math.MaxInt64}, u.Message.SentAt()); err != nil {
		return chat.Attachment{}, err
	}
	if err := b.Store(ctx, FileKey(u.Room, u.User, u.ID), u.file(), u.Body); err != nil {
		return chat.Attachment{}, notStored(err)
	}
	if u.Preview != nil {
		if err := b.Store(ctx, PreviewKey(u.Room, u.User, u.ID), *u.Preview, u.PreviewBody); err != nil {
			return chat.Attachment{}, notStored(err)
		}
	}
	u.Links = u.Message.SentAt() // nobody had a link
	item := u.item()
	_, err := t.PutItem(ctx, "import upload", item, table.Absent(item))
	return u.attachment(), err
}

// notStored returns the error for bytes that the bucket did not store. The caller decides when to
// retry.
func notStored(err error) error { return &chat.Error{Kind: chat.Unavailable, Cause: err} }
