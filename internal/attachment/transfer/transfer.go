// Package transfer stores files that people do not upload themselves: the files of archives and of
// the demo.
package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"

	"github.com/google/uuid"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

// Store is where files are stored. Both fields are required.
type Store struct {
	Table  *dynamo.Table
	Bucket *bucket.Client
}

// File is a file of a message.
type File struct {
	ID              uuid.UUID // a UUIDv7
	Name, Type, Alt string    // as given; an unknown type is read from the bytes
	// Orientation is the EXIF orientation of a JPEG, which Go does not apply; 0 if unknown.
	Orientation int
	Open        func() (io.ReadCloser, error)
}

// Put stores a file of a message, with a preview if it is a picture, and returns it as the message
// has it. It is safe to repeat. The errors are as for attachment.Import and Open.
func (s *Store) Put(ctx context.Context, room chat.RoomID, message chat.MessageID, f File) (chat.Attachment, error) {
	u := attachment.Upload{Room: room, User: message.User, Message: message}
	u.ID = f.ID
	u.File = attachment.Clean(chat.Attachment{Name: f.Name, Type: f.Type, Alt: f.Alt})
	if err := f.read(func(r io.Reader) error { return measure(&u, r, f.Type == "") }); err != nil {
		return chat.Attachment{}, err
	}
	var preview []byte
	if drawable(u.File.Type) {
		// A picture that cannot be read is a file.
		_ = f.read(func(r io.Reader) (err error) {
			u.File.Width, u.File.Height, err = size(r, f.Orientation)
			return err
		})
		_ = f.read(func(r io.Reader) (err error) {
			preview, err = smaller(r, u.File, f.Orientation)
			return err
		})
	}
	if len(preview) > 0 {
		u.Preview = &bucket.File{Type: previewType, Bytes: int64(len(preview)), SHA256: sha256.Sum256(preview)}
	}
	var a chat.Attachment
	err := f.read(func(r io.Reader) (err error) {
		a, err = attachment.Import(
			ctx, s.Table, s.Bucket, attachment.Imported{Upload: u, Body: r, PreviewBody: bytes.NewReader(preview)},
		)
		return err
	})
	return a, err
}

// read calls use with the bytes of f.
func (f File) read(use func(io.Reader) error) error {
	r, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	return use(r)
}

// sniffed is how many bytes of a file show its type.
const sniffed = 512

// measure sets the size and the checksum of an upload, and its type if that is not known.
func measure(u *attachment.Upload, r io.Reader, unknown bool) (err error) {
	sum := sha256.New()
	begin := make([]byte, sniffed)
	n, err := io.ReadFull(r, begin)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return err
	}
	sum.Write(begin[:n])
	if unknown {
		u.File.Type = attachment.Clean(chat.Attachment{Type: http.DetectContentType(begin[:n])}).Type
	}
	rest, err := io.Copy(sum, r)
	u.File.Bytes = int64(n) + rest
	copy(u.Sum[:], sum.Sum(nil))
	return err
}
