package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"example.com/parley/internal/chat"
)

// peopleFile lists the people. Every other text file is a room.
const peopleFile = "people.txt"

// Read reads a week from a folder. An error names the file and the line.
func Read(folder fs.FS) (w Week, err error) {
	text, err := fs.ReadFile(folder, peopleFile)
	if err != nil {
		return Week{}, err
	}
	if w.People, err = readPeople(string(text)); err != nil {
		return Week{}, fmt.Errorf("%s: %w", peopleFile, err)
	}
	files, err := fs.Glob(folder, "*.txt")
	if err != nil {
		return Week{}, err
	}
	for _, name := range files {
		if name == peopleFile {
			continue
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return Week{}, err
		}
		r := reader{team: w.People, room: Room{File: strings.TrimSuffix(path.Base(name), ".txt")}}
		if err := r.read(string(text)); err != nil {
			return Week{}, fmt.Errorf("%s:%d: %w", name, r.line, err)
		}
		w.Rooms = append(w.Rooms, r.room)
	}
	return w, nil
}

// readPeople reads lines of the form "user | name | title | emoji status".
func readPeople(text string) (all []Person, err error) {
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fields := strings.Split(line, "|")
		if len(fields) != 3 && len(fields) != 4 {
			return nil, fmt.Errorf("line %d has %d fields, not 3 or 4", n+1, len(fields))
		}
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		p := Person{User: chat.UserID(fields[0]), Name: fields[1], Title: fields[2]}
		if len(fields) == 4 {
			p.Status.Emoji, p.Status.Text, _ = strings.Cut(fields[3], " ")
		}
		all = append(all, p)
	}
	return all, nil
}

//go:embed week/*.txt
var built embed.FS

// Built returns the week that is built in.
func Built() (Week, error) {
	folder, err := fs.Sub(built, "week")
	if err != nil {
		return Week{}, err
	}
	return Read(folder)
}
