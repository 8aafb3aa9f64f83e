package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/go-json-experiment/json"

	"parley/internal/chat"
)

const (
	channelsFile = "channels.json"
	usersFile    = "users.json"
	dayExt       = ".json"
)

// slackChannel is an entry of channels.json. Its id outlives a new name, so
// message ids derive from it.
type slackChannel struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	IsPrivate bool       `json:"is_private"`
	Topic     slackValue `json:"topic"`
	Purpose   slackValue `json:"purpose"`

	room chat.RoomID
}

type slackValue struct {
	Value string `json:"value"`
}

// slackUser is an entry of users.json.
type slackUser struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// slackFolder is one conversation's files, in time order.
type slackFolder struct {
	name  string
	files []string
}

// findTop finds the folder that holds channels.json: the tree's own top, or
// the only folder within, where a zip was made of the folder as a whole.
func findTop(fsys fs.FS) (string, error) {
	if _, err := fs.Stat(fsys, channelsFile); err == nil {
		return ".", nil
	}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if !e.IsDir() || hidden(e.Name()) {
			continue
		}
		if _, err := fs.Stat(fsys, path.Join(e.Name(), channelsFile)); err == nil {
			return e.Name(), nil
		}
	}
	return "", errors.New("holds no " + channelsFile + ", which tells what is public")
}

// hidden names are put there by systems, not by Slack.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || name == "__MACOSX"
}

func (s *slack) readChannels() ([]slackChannel, error) {
	var channels []slackChannel
	s.names.channels = map[string]string{}
	err := readIndex(s, channelsFile, func(c slackChannel) {
		if c.Name == "" {
			s.note(channelsFile, "has an entry without a name")
			return
		}
		s.names.channels[c.ID] = c.Name
		if !c.IsPrivate {
			channels = append(channels, c)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("%s %w", channelsFile, err)
	}
	return channels, nil
}

// readUsers reads the handles. Without them every user keeps the raw id.
func (s *slack) readUsers() {
	s.names.users = map[string]string{}
	err := readIndex(s, usersFile, func(u slackUser) { s.names.users[u.ID] = u.Name })
	if err != nil {
		s.note(usersFile, err.Error())
	}
}

// readIndex gives each entry of a list to add. A broken entry is a note.
func readIndex[E any](s *slack, name string, add func(E)) error {
	data, err := readFile(s.fsys, name, nil)
	if err != nil {
		return err
	}
	n := 0
	for v, err := range elements(bytes.NewReader(data)) {
		if err != nil {
			return err
		}
		n++
		var e E
		if json.Unmarshal(v, &e) != nil {
			s.note(name, fmt.Sprintf("entry %d cannot be read", n))
			continue
		}
		add(e)
	}
	return nil
}

// listFolders lists the day files. Their names are dates, so that the order
// of the listing is the order of time.
func (s *slack) listFolders() error {
	entries, err := fs.ReadDir(s.fsys, ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 {
			s.note(e.Name(), "is a link, which is not followed")
		}
		if !e.IsDir() || hidden(e.Name()) {
			continue
		}
		files, err := fs.ReadDir(s.fsys, e.Name())
		if err != nil {
			return err
		}
		folder := slackFolder{name: e.Name()}
		for _, f := range files {
			if hidden(f.Name()) {
				continue
			}
			folder.files = append(folder.files, path.Join(e.Name(), f.Name()))
			if info, err := f.Info(); err == nil {
				s.size += info.Size()
			}
		}
		s.folders = append(s.folders, folder)
	}
	return nil
}
