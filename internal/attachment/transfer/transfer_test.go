package transfer

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
)

// picture returns a PNG of random blocks, which compress badly.
func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	p := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p.Set(x, y, color.NRGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(x), uint8(y)})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSmaller_FitsAndKeepsItsShape(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ width, height, wantWidth, wantHeight int }{
		{1440, 700, 720, 350}, {400, 1441, 199, 720}, {1, 3000, 1, 720}, {300, 300, 300, 300},
	} {
		full := picture(t, c.width, c.height)
		a := chat.Attachment{Width: c.width, Height: c.height, Bytes: int64(len(full))}
		b, err := smaller(bytes.NewReader(full), a, 0)
		if err != nil || len(b) == 0 || len(b) > attachment.MaxPreview {
			t.Fatalf("%+v: %d bytes, %v", c, len(b), err)
		}
		width, height, err := size(bytes.NewReader(b), 0)
		if err != nil || width != c.wantWidth || height != c.wantHeight {
			t.Errorf("%+v: %d x %d, %v", c, width, height, err)
		}
	}
}

func TestSmaller_NoneForSmallTurnedAndBrokenPictures(t *testing.T) {
	t.Parallel()
	full := picture(t, 800, 10)
	for why, c := range map[string]struct {
		a           chat.Attachment
		orientation int
		bytes       []byte
	}{
		"small":      {chat.Attachment{Width: 700, Height: 10, Bytes: 100}, 0, full},
		"huge":       {chat.Attachment{Width: 1 << 15, Height: 1 << 15, Bytes: 100}, 0, full},
		"turned":     {chat.Attachment{Width: 800, Height: 10, Bytes: 100}, 6, full},
		"broken":     {chat.Attachment{Width: 800, Height: 10, Bytes: 100}, 0, full[:40]},
		"no picture": {chat.Attachment{Bytes: 100}, 0, []byte("text")},
	} {
		if b, _ := smaller(bytes.NewReader(c.bytes), c.a, c.orientation); len(b) > 0 {
			t.Errorf("%s: a preview of %d bytes", why, len(b))
		}
	}
}
