// Package slack opens the export of a Slack workspace as an archive.
package slack

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
)

// Open opens a workspace export, which is a folder or a zip file. Only public channels are
// imported, because every room that an import creates is public. Direct messages and private
// channels are counted. Open refuses an export without channels.json, which lists the public
// channels. It also refuses a map of people who are not in the export.
func Open(name string, o Options) (*archive.Archive, error) {
	fsys, closer, err := openTree(name)
	if err != nil {
		return nil, fmt.Errorf("open Slack export: %w", err)
	}
	down, err := openDownloads(o.Files)
	if err != nil {
		return nil, errors.Join(err, closer())
	}
	closeBoth := func() error { return errors.Join(closer(), down.close()) }
	a, err := read(fsys, o, down, closeBoth)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open Slack export %s: %w", name, err), closeBoth())
	}
	return a, nil
}

// Options are the settings for reading an export.
type Options struct {
	// People maps users of the export, by id or handle, to users of this system. Other users keep
	// their handles.
	People []archive.Mapping
	// Files is a folder or a zip file with the bytes of the export's files. It may be the export,
	// and is empty if there are none.
	Files string
}

// openTree opens a folder or a zip file. Neither gives access to anything outside: an os.Root does
// not follow links out of its folder, and a zip.Reader refuses names that contain "..".
func openTree(name string) (fs.FS, func() error, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, nil, err
		}
		return root.FS(), root.Close, nil
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w", name, archive.ErrNotRegular)
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return z, z.Close, nil
}

// export is the archive.Source of a workspace export.
type export struct {
	fsys      fs.FS
	names     nameTable
	users     []user                 // in the order of users.json
	mapped    map[string]chat.UserID // by the export's id
	rooms     map[string]channel     // by name, which is also the folder's
	downloads downloads
	folders   []folder
	size      int64
	notes     []archive.Note
	read      atomic.Int64
	close     func() error
}

// read reads the lists of an export. closer releases fsys and down.
func read(fsys fs.FS, o Options, down downloads, closer func() error) (*archive.Archive, error) {
	top, err := findTop(fsys)
	if err != nil {
		return nil, err
	}
	if fsys, err = fs.Sub(fsys, top); err != nil {
		return nil, err
	}
	e := &export{fsys: fsys, downloads: down, close: closer}
	channels, err := e.readChannels()
	if err != nil {
		return nil, err
	}
	e.readUsers()
	if err := e.mapPeople(o.People); err != nil {
		return nil, err
	}
	rooms := e.assignRooms(channels)
	if err := e.listFolders(); err != nil {
		return nil, err
	}
	return &archive.Archive{
		Rooms:   rooms,
		People:  e.people(),
		Members: e.members(channels),
		Notes:   e.notes,
		Reasons: reasons(),
		LeftOut: leftOut(channels),
		Size:    e.size,
		Source:  e,
	}, nil
}

// BytesRead returns how many bytes of the day files have been read.
func (e *export) BytesRead() int64 { return e.read.Load() }

// Close closes the folder or the zip file.
func (e *export) Close() error { return e.close() }

// note adds a note about a complete file.
func (e *export) note(file, text string) {
	e.notes = append(e.notes, archive.Note{Place: archive.Place{File: file}, Text: text})
}

// assignRooms assigns a room to each public channel.
func (e *export) assignRooms(channels []channel) []archive.Room {
	names := make([]string, len(channels))
	for i, c := range channels {
		names[i] = c.Name
	}
	ids := roomIDs(names)
	e.rooms = make(map[string]channel, len(channels))
	var rooms []archive.Room
	for _, c := range channels {
		if _, ok := e.rooms[c.Name]; ok {
			e.note(channelsFile, fmt.Sprintf("names the channel %q twice", c.Name))
			continue
		}
		c.room = ids[c.Name]
		e.rooms[c.Name] = c
		rooms = append(rooms, archive.Room{
			ID:    c.room,
			Name:  oneLine(c.Name, chat.MaxName),
			Topic: oneLine(e.names.decode(firstOf(c.Topic.Value, c.Purpose.Value)), chat.MaxTopic),
		})
	}
	return rooms
}

// leftOut counts the contents of public channels other than messages and members.
func leftOut(channels []channel) map[archive.Reason]int {
	var counts map[archive.Reason]int
	for _, c := range channels {
		if n := len(c.Pins); n > 0 {
			counts = withMore(counts, Pins, n)
		}
		if c.Archived {
			counts = withMore(counts, ArchivedChannel, 1)
		}
	}
	return counts
}
