package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"

	"example.com/parley/internal/attachment/transfer"
)

// smooth is how many times wider and higher a canvas is than its picture, so that edges are smooth.
const smooth = 2

// canvas is a picture that is drawn. Its coordinates are the pixels of the picture.
type canvas struct{ *image.RGBA }

func newCanvas(width, height int, background color.RGBA) canvas {
	c := canvas{image.NewRGBA(image.Rect(0, 0, width*smooth, height*smooth))}
	c.box(0, 0, float64(width), float64(height), background)
	return c
}

// rgb returns a color such as 0x2e7d4f.
func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff} //nolint:gosec // its bytes
}

// box fills a rectangle.
func (c canvas) box(x, y, width, height float64, with color.RGBA) {
	c.fill(area{x, y, x + width, y + height}, with, func(float64, float64) bool { return true })
}

// disc fills a circle.
func (c canvas) disc(x, y, radius float64, with color.RGBA) {
	c.fill(
		area{x - radius, y - radius, x + radius, y + radius}, with,
		func(px, py float64) bool { return math.Hypot(px-x, py-y) < radius },
	)
}

// line draws a line with round ends between two corners of an area.
func (c canvas) line(between area, width float64, with color.RGBA) {
	x1, y1, x2, y2 := between.x1, between.y1, between.x2, between.y2
	length, r := math.Hypot(x2-x1, y2-y1), width/2
	c.fill(area{min(x1, x2) - r, min(y1, y2) - r, max(x1, x2) + r, max(y1, y2) + r}, with, func(px, py float64) bool {
		along := max(0, min(1, ((px-x1)*(x2-x1)+(py-y1)*(y2-y1))/(length*length)))
		return math.Hypot(px-x1-along*(x2-x1), py-y1-along*(y2-y1)) < r
	})
}

// area is a rectangle with two opposite corners.
type area struct{ x1, y1, x2, y2 float64 }

// fill colors the points of an area that are inside of a shape.
func (c canvas) fill(a area, with color.RGBA, inside func(x, y float64) bool) {
	part := image.Rect(int(a.x1*smooth), int(a.y1*smooth), int(a.x2*smooth), int(a.y2*smooth)).Intersect(c.Rect)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if inside((float64(x)+0.5)/smooth, (float64(y)+0.5)/smooth) {
				c.SetRGBA(x, y, with)
			}
		}
	}
}

// png returns the picture.
func (c canvas) png() ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, transfer.Scaled(c.RGBA, c.Rect.Dx()/smooth, c.Rect.Dy()/smooth))
	return b.Bytes(), err
}

// pictures draws the pictures of the week, by their names.
var pictures = map[string]func() canvas{
	"migration.png":       migration,
	"calendar-before.png": func() canvas { return calendar(76) },
	"calendar-after.png":  func() canvas { return calendar(44) },
	"wheelbarrow.png":     wheelbarrow,
}

// migration draws the minutes of eight runs, and the slide that they form.
func migration() canvas {
	const left, bottom, step = 90, 520, 100
	c := newCanvas(960, 600, rgb(0xffffff))
	for y := 120.0; y <= bottom; y += 80 {
		c.box(left, y, 820, 2, rgb(0xe3e8ee))
	}
	minutes := []float64{50, 44, 37, 26, 16, 9, 5.5, 4.2}
	for i, m := range minutes {
		bar := rgb(0x9db8e8)
		if i == len(minutes)-1 {
			bar = rgb(0x2e7d4f)
		}
		c.box(float64(left+30+i*step), bottom-8*m, 60, 8*m, bar)
	}
	for i := 1; i < len(minutes); i++ {
		x := float64(left + 60 + i*step)
		c.line(area{x - step, bottom - 8*minutes[i-1] - 30, x, bottom - 8*minutes[i] - 30}, 6, rgb(0xe0742a))
	}
	c.box(left, 80, 4, bottom-80, rgb(0x56616f))
	c.box(left, bottom, 830, 4, rgb(0x56616f))
	return c
}

// calendar draws a phone with a month whose days have a size. Large ones leave the screen.
func calendar(day float64) canvas {
	const width, height, gap = 390, 700, 6
	c := newCanvas(width, height, rgb(0xf7f8fa))
	c.box(0, 0, width, 72, rgb(0x2e7d4f))
	c.box(24, 28, 150, 16, rgb(0xffffff))
	for n := range 31 {
		x, y := 20+float64(n%7)*(day+gap), 110+float64(n/7)*(day+gap)
		c.box(x, y, day, day, rgb(0xffffff))
		switch n % 5 {
		case 1:
			c.box(x, y, day, day, rgb(0xf3c9a5))
		case 3:
			c.disc(x+day/2, y+day/4, day/10, rgb(0x2e7d4f))
		}
	}
	c.box(20, height-84, width-40, 56, rgb(0x3f8f3a))
	c.box(width/2-50, height-63, 100, 14, rgb(0xffffff))
	return c
}

// wheelbarrow draws the picture of the newsletter: a wheelbarrow, a hedge and enough sky.
func wheelbarrow() canvas {
	c := newCanvas(960, 600, rgb(0xcfe6f7))
	c.disc(790, 120, 58, rgb(0xffd76a))
	for _, cloud := range []struct{ x, y, r float64 }{
		{180, 130, 34}, {225, 115, 46}, {275, 132, 36}, {520, 90, 26}, {555, 80, 34},
	} {
		c.disc(cloud.x, cloud.y, cloud.r, rgb(0xffffff))
	}
	for x := 0.0; x < 330; x += 30 { // the person
		c.disc(x, 350+14*math.Sin(x), 58, rgb(0x4f8a4a))
	}
	c.box(0, 400, 960, 200, rgb(0x8fbf6a))
	c.line(area{600, 351, 830, 300}, 14, rgb(0x8a5a33))                       // handles
	c.line(area{640, 400, 700, 500}, 14, rgb(0x56616f))                       // leg
	c.fill(area{400, 270, 740, 400}, rgb(0xc9472f), func(x, y float64) bool { // tray
		return x > 400+(y-270)*0.6 && x < 740-(y-270)*0.7
	})
	c.disc(440, 455, 58, rgb(0x3a424d))
	c.disc(440, 455, 34, rgb(0xe3e8ee))
	c.disc(440, 455, 10, rgb(0x3a424d))
	c.line(area{440, 455, 520, 380}, 12, rgb(0x56616f))
	return c
}
