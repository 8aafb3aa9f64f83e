package attachment

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/google/uuid"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// filesAtOnce bounds the files of one batch that are handled concurrently.
const filesAtOnce = 8

// Projection lets uploads last as long as their messages, and removes the bytes of those that are
// removed. It implements stream.Projection.
type Projection struct {
	table  *dynamo.Table
	bucket *bucket.Client
}

// NewProjection returns a projection. The bucket is nil if the deployment stores no files.
func NewProjection(t *dynamo.Table, b *bucket.Client) *Projection { return &Projection{t, b} }

// Project keeps the uploads of new messages, and removes the uploads of deleted ones: 1 write unit
// for each. The removal of an upload arrives as a row, whatever removed it, and its bytes are removed
// then. Messages without files cost nothing.
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

// remove removes the bytes of an upload that was removed.
func (d *Projection) remove(ctx context.Context, room chat.RoomID, row feed.RowChange) error {
	for _, key := range []string{FileKey(room, row.User, row.Upload), PreviewKey(room, row.User, row.Upload)} {
		if err := d.bucket.Delete(ctx, key); err != nil {
			return err
		}
	}
	return nil
}
