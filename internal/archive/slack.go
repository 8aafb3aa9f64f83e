package archive

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"

	"parley/internal/chat"
)

// OpenSlack opens a workspace export, a folder or a zip file. Only its public
// channels are imported: channels.json tells which those are, so an
// export without it is refused. Direct messages and private channels are
// counted, not imported, since every room that an import makes is public.
func OpenSlack(name string) (*Archive, error) {
	fsys, closer, err := openTree(name)
	if err != nil {
		return nil, fmt.Errorf("open Slack export: %w", err)
	}
	a, err := readSlack(fsys)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open Slack export %s: %w", name, err), closer())
	}
	a.close = closer
	return a, nil
}

// openTree opens a folder or a zip file. Neither gives out anything beyond
// its own files: a root follows no link out of its folder, and a zip reader
// takes no name with ".." in it.
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
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return z, z.Close, nil
}

// slack is an export being read.
type slack struct {
	fsys    fs.FS
	names   slackNames
	rooms   map[string]slackChannel // by name, which is the folder's too
	folders []slackFolder
	size    int64
	notes   []Note
	read    atomic.Int64
}

func readSlack(fsys fs.FS) (*Archive, error) {
	top, err := findTop(fsys)
	if err != nil {
		return nil, err
	}
	if fsys, err = fs.Sub(fsys, top); err != nil {
		return nil, err
	}
	s := &slack{fsys: fsys}
	channels, err := s.readChannels()
	if err != nil {
		return nil, err
	}
	s.readUsers()
	rooms := s.assignRooms(channels)
	if err := s.listFolders(); err != nil {
		return nil, err
	}
	return &Archive{
		Rooms:   rooms,
		Notes:   s.notes,
		Reasons: slackReasons(),
		Size:    s.size,
		records: s.records,
		read:    &s.read,
	}, nil
}

// note tells of something wrong with a file as a whole.
func (s *slack) note(file, text string) {
	s.notes = append(s.notes, Note{Place: Place{File: file}, Text: text})
}

// assignRooms gives each public channel its room.
func (s *slack) assignRooms(channels []slackChannel) []Room {
	names := make([]string, len(channels))
	for i, c := range channels {
		names[i] = c.Name
	}
	ids := RoomIDs(names)
	s.rooms = make(map[string]slackChannel, len(channels))
	var rooms []Room
	for _, c := range channels {
		if _, twice := s.rooms[c.Name]; twice {
			s.note(channelsFile, fmt.Sprintf("names the channel %q twice", c.Name))
			continue
		}
		c.room = ids[c.Name]
		s.rooms[c.Name] = c
		rooms = append(rooms, Room{
			ID:    c.room,
			Name:  oneLine(c.Name, chat.MaxName),
			Topic: oneLine(s.names.decode(firstOf(c.Topic.Value, c.Purpose.Value)), chat.MaxTopic),
		})
	}
	return rooms
}
