// The plots command draws the plots of the page on performance from the figures beside them: make
// plots calls it. Each figure is a CSV file with a series, a number and a value in each row.
package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// The size of a plot is that of a page's column.
const (
	width  = 16 * vg.Centimeter
	height = 9 * vg.Centimeter
)

// figure is a plot's file without its ending, and its words.
type figure struct {
	file, title, x, y string
	log               bool // both axes
}

func figures() []figure {
	return []figure{
		{file: "feeds", title: "What the feed of one room takes", x: "changes at once", y: "changes a second", log: true},
		{file: "pages", title: "A page of 50 messages", x: "shards of the room", y: "read units", log: false},
		{file: "history", title: "A whole room, read backwards", x: "shards of the room", y: "read units, × ideal", log: false},
	}
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "plots:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("name the folder of the figures")
	}
	for _, f := range figures() {
		if err := draw(args[0], f); err != nil {
			return fmt.Errorf("%s: %w", f.file, err)
		}
	}
	return nil
}

// draw writes the plot of a figure beside its CSV file.
func draw(folder string, f figure) error {
	names, series, err := read(filepath.Join(folder, f.file+".csv"))
	if err != nil {
		return err
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.title, f.x, f.y
	p.Legend.Top, p.Legend.Left = true, true
	if f.log {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	} else {
		p.Y.Min = 0
	}
	p.Add(plotter.NewGrid())
	var lines []any
	for _, name := range names {
		lines = append(lines, name, series[name])
	}
	if err := plotutil.AddLinePoints(p, lines...); err != nil {
		return err
	}
	return p.Save(width, height, filepath.Join(folder, f.file+".svg"))
}

// read returns the series of a CSV file, and their names in its order.
func read(path string) (names []string, series map[string]plotter.XYs, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	series = map[string]plotter.XYs{}
	for _, row := range rows[1:] {
		x, errX := strconv.ParseFloat(row[1], 64)
		y, errY := strconv.ParseFloat(row[2], 64)
		if err := errors.Join(errX, errY); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		if !slices.Contains(names, row[0]) {
			names = append(names, row[0])
		}
		series[row[0]] = append(series[row[0]], plotter.XY{X: x, Y: y})
	}
	return names, series, nil
}
