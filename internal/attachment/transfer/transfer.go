// Package transfer stores files that people do not upload themselves: the files of archives and of
// the demo.
package transfer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif" // so that image reads it
	"image/jpeg"
	_ "image/png" // so that image reads it
	"io"
	"net/http"
	"sync"

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

const (
	// longest is the longest side of a preview.
	longest = 720
	// maxPixels bounds the pictures that get a preview: they take 4 bytes a pixel in memory.
	maxPixels   = 40 << 20
	previewType = "image/jpeg"
)

// drawing lets one picture at a time take its memory.
var drawing sync.Mutex

// drawable reports whether Go reads pictures of a media type.
func drawable(mediaType string) bool {
	return mediaType == "image/png" || mediaType == "image/jpeg" || mediaType == "image/gif"
}

// size returns the size of a picture as it is shown, given its EXIF orientation.
func size(r io.Reader, orientation int) (width, height int, err error) {
	c, _, err := image.DecodeConfig(r)
	if err != nil || c.Width > attachment.MaxPixels || c.Height > attachment.MaxPixels {
		return 0, 0, err
	}
	if orientation > 4 { // on its side
		c.Width, c.Height = c.Height, c.Width
	}
	return c.Width, c.Height, nil
}

// smaller returns a preview of a picture. It is nil for a picture that is small itself, too large
// to be read, or turned.
func smaller(r io.Reader, a chat.Attachment, orientation int) ([]byte, error) {
	if a.Width*a.Height == 0 || a.Width*a.Height > maxPixels || orientation > 1 ||
		max(a.Width, a.Height) <= longest && a.Bytes <= attachment.MaxPreview {
		return nil, nil
	}
	drawing.Lock()
	defer drawing.Unlock()
	full, _, err := image.Decode(r)
	if err != nil {
		return nil, err
	}
	from := full.Bounds().Size()
	side := max(from.X, from.Y, longest)
	picture := Scaled(full, max(1, from.X*longest/side), max(1, from.Y*longest/side))
	for quality := 85; quality > 0; quality -= 20 {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, picture, &jpeg.Options{Quality: quality}); err != nil {
			return nil, err
		}
		if b.Len() <= attachment.MaxPreview {
			return b.Bytes(), nil
		}
	}
	return nil, nil
}

// Scaled returns a picture on white with a size that is not larger. Each pixel is the mean of the
// pixels that it replaces.
func Scaled(full image.Image, width, height int) *image.RGBA {
	from := image.NewRGBA(image.Rectangle{Max: full.Bounds().Size()})
	draw.Draw(from, from.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(from, from.Rect, full, full.Bounds().Min, draw.Over)
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range to.Rect.Dy() {
		for x := range to.Rect.Dx() {
			to.SetRGBA(x, y, mean(from, image.Rect(
				x*from.Rect.Dx()/to.Rect.Dx(), y*from.Rect.Dy()/to.Rect.Dy(),
				(x+1)*from.Rect.Dx()/to.Rect.Dx(), (y+1)*from.Rect.Dy()/to.Rect.Dy())))
		}
	}
	return to
}

// mean returns the mean color of a part of an opaque picture.
func mean(of *image.RGBA, part image.Rectangle) color.RGBA {
	var r, g, b, n int
	for y := part.Min.Y; y < part.Max.Y; y++ {
		row := of.Pix[of.PixOffset(part.Min.X, y):of.PixOffset(part.Max.X, y)]
		for i := 0; i < len(row); i += 4 {
			r, g, b, n = r+int(row[i]), g+int(row[i+1]), b+int(row[i+2]), n+1
		}
	}
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 0xff} //nolint:gosec // means of bytes
}
