package transfer

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif" // so that image reads it
	"image/jpeg"
	_ "image/png" // so that image reads it
	"io"
	"sync"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
)

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
