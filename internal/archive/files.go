package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/google/uuid"

	"example.com/parley/internal/attachment/transfer"
	"example.com/parley/internal/chat"
)

// File is a file of a message whose bytes are known.
type File struct {
	Key           string // identifies it in the archive
	transfer.File        // without its ID
}

// Changed is the reason for leaving out a file: its message has been edited since it was imported
// without the file.
const Changed Reason = "of messages edited since"

// fileID returns the id that a file of r's message has in every import of the same archive.
func (r Record) fileID(f File) uuid.UUID {
	return chat.NewUUID(r.At, NewTail("file", string(r.Tail[:]), f.Key))
}

// putFiles stores the files of a record for its message.
func (l *loader) putFiles(ctx context.Context, r Record, m chat.Message) (all []chat.Attachment, err error) {
	for _, f := range r.Attached {
		f.ID = r.fileID(f)
		a, err := l.Files.Put(ctx, m.Room, m.ID, f.File)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// addFiles adds the files of a record to its message, which an earlier import may have stored
// without them. It counts all of them, and returns an error if the store fails.
func (l *loader) addFiles(ctx context.Context, p *attempt) error {
	var tally Group
	missing := 0
	for _, f := range p.Attached {
		switch {
		case p.created:
			tally.add(imported, 1)
		case p.stored.Deleted():
			tally.add(Deleted, 1)
		case slices.ContainsFunc(p.stored.Attachments, func(a chat.Attachment) bool { return a.ID == p.fileID(f) }):
			tally.add(alreadyThere, 1)
		default:
			missing++
		}
	}
	if missing > 0 {
		outcome, err := l.revise(ctx, p.Record, p.stored)
		if err != nil {
			return err
		}
		tally.add(outcome, missing)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report.Attached.merge(tally)
	return nil
}

// revise edits a message so that it has all its files in place of their links, unless it has
// changed since its import.
func (l *loader) revise(ctx context.Context, r Record, stored chat.Message) (Reason, error) {
	if stored.Revision != stored.Imported || len(stored.Attachments) > 0 {
		return Changed, nil
	}
	after := stored.Edited(r.Text, l.Now)
	after.Metadata, after.Imported = r.Metadata, after.Revision
	var revised bool
	err := l.retry(ctx, func() (err error) {
		if after.Attachments, err = l.putFiles(ctx, r, stored); err != nil {
			return err
		}
		_, revised, err = l.store.ReviseMessage(ctx, stored, after)
		return err
	})
	if err != nil || revised {
		return imported, err
	}
	return Changed, nil
}

// ErrNotRegular refuses a pipe, a device or a socket: opening one may block forever.
var ErrNotRegular = errors.New("it is not a regular file")

// FileError describes a failure to open or read a file, without the file's path, which a Place
// names.
func FileError(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("cannot be read: %w", err)
}
