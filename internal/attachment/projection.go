package attachment

import (
	"context"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
	"example.com/parley/internal/tally"
)

// filesAtOnce bounds the files of one batch that are handled concurrently.
const filesAtOnce = 8

// Messages reads messages.
type Messages interface {
	// Counted returns the attachments of a message, if it exists, by a consistent read.
	Counted(ctx context.Context, room chat.RoomID, id chat.MessageID) (m tally.Message, found bool, err error)
}

// Projection lets uploads last as long as their messages, and removes the bytes of removed uploads.
// It implements stream.Projection.
type Projection struct {
	table    *dynamo.Table
	messages Messages
	bucket   *bucket.Client
}

// NewProjection returns a projection. The bucket is nil if the deployment stores no files.
func NewProjection(t *dynamo.Table, m Messages, b *bucket.Client) *Projection {
	return &Projection{t, m, b}
}

// Project keeps the uploads of new messages, and removes the uploads of deleted ones: 1 write unit
// for each. The removal of an upload arrives as a row, whatever removed it. The upload's bytes are
// then removed and refused, unless a message has it, which costs 1 read unit. Messages without
// files cost nothing.
func (d *Projection) Project(ctx context.Context, w feed.RoomChanges) error {
	if d.bucket == nil {
		return nil
	}
	var all errgroup.Group // a failure does not stop other files
	all.SetLimit(filesAtOnce)
	for _, e := range w.Entries {
		m := e.Item.Message
		if m == nil || e.Type == feed.CountsChanged || e.Type == feed.MessageEdited {
			continue
		}
		for _, a := range m.Attachments {
			all.Go(func() error { return d.follow(ctx, w.Room, *m, a.ID) })
		}
	}
	for _, row := range w.Rows {
		if row.Removed && row.Upload != (uuid.UUID{}) {
			all.Go(func() error { return d.remove(ctx, w.Room, row) })
		}
	}
	return all.Wait()
}

// follow keeps or removes the upload of a message, by its state.
func (d *Projection) follow(ctx context.Context, room chat.RoomID, m chat.Message, upload uuid.UUID) error {
	if !m.Deleted() {
		return keep(ctx, d.table, room, m.ID, upload)
	}
	_, err := d.table.DeleteItem(ctx, "remove upload", table.UploadKey(room, m.ID.User, upload))
	return err
}

// remove removes the bytes of an upload that was removed. It puts the upload back instead if its
// message has it: the upload has expired because the projection of the message failed until then.
func (d *Projection) remove(ctx context.Context, room chat.RoomID, row feed.RowChange) error {
	u, err := d.attached(ctx, room, row)
	if err != nil {
		return err
	}
	if u == nil {
		return d.removeBytes(ctx, room, row)
	}
	if err := putBack(ctx, d.table, *u); err != nil {
		return err
	}
	// The projection of a deletion since the first read may have found no upload to remove.
	if u, err = d.attached(ctx, room, row); err != nil || u != nil {
		return err
	}
	_, err = d.table.DeleteItem(ctx, "remove upload", table.UploadKey(room, row.User, row.Upload))
	return err
}

// attached returns an upload as its message has it, or nil if no message has it. Only uploads
// without a message need checksums.
func (d *Projection) attached(ctx context.Context, room chat.RoomID, row feed.RowChange) (*Upload, error) {
	if row.Message == (chat.MessageID{}) {
		return nil, nil //nolint:nilnil // documented
	}
	m, _, err := d.messages.Counted(ctx, room, row.Message)
	if err != nil || m.Deleted {
		return nil, err
	}
	for _, a := range m.Attachments {
		if a.ID == row.Upload {
			return &Upload{Room: room, User: row.User, Draft: Draft{ID: a.ID, File: a}, Message: row.Message}, nil
		}
	}
	return nil, nil //nolint:nilnil // documented
}

func (d *Projection) removeBytes(ctx context.Context, room chat.RoomID, row feed.RowChange) error {
	for _, key := range []string{FileKey(room, row.User, row.Upload), PreviewKey(room, row.User, row.Upload)} {
		if err := d.bucket.Remove(ctx, key, row.Links); err != nil {
			return err
		}
	}
	return nil
}
