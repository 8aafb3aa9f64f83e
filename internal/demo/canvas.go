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
