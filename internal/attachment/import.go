package attachment

import (
	"context"
	"io"
	"math"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

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
