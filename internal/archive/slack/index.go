package slack

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/go-json-experiment/json"

	"example.com/parley/internal/chat"
)

const (
	channelsFile = "channels.json"
	usersFile    = "users.json"
	dayExt       = ".json"
)

// channel is an entry of channels.json. Message ids derive from its ID, which does not change when
// the channel is renamed.
type channel struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	IsPrivate bool       `json:"is_private"`
	Topic     textValue  `json:"topic"`
	Purpose   textValue  `json:"purpose"`
	Members   []string   `json:"members"` // ids of users
	Pins      []struct{} `json:"pins"`
	Archived  bool       `json:"is_archived"`

	room chat.RoomID
}

type textValue struct {
	Value string `json:"value"`
}

// user is an entry of users.json.
type user struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"` // the handle
	RealName string  `json:"real_name"`
	IsBot    bool    `json:"is_bot"`
	Profile  profile `json:"profile"`
}

// profile is the part of a user's profile that an import uses.
type profile struct {
	RealName    string `json:"real_name"`
	DisplayName string `json:"display_name"`
	Title       string `json:"title"`
	Image       string `json:"image_192"`
}

// folder holds the files of one conversation, in time order.
type folder struct {
	name  string
	files []string
}

// findTop returns the folder that holds channels.json. It is the top of the tree or, in a zip file
// of a folder, a folder in it.
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
	return "", errors.New("holds no " + channelsFile + ", which lists the public channels")
}

// hidden reports whether a file was added by an operating system or a tool, not by Slack.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || name == "__MACOSX" || name == uploadsFolder || name == avatarsFolder
}

// readChannels records the names of all channels and returns the public ones.
func (e *export) readChannels() ([]channel, error) {
	var channels []channel
	e.names.channels = map[string]string{}
	err := readIndex(e, channelsFile, func(c channel) {
		if c.Name == "" {
			e.note(channelsFile, "has an entry without a name")
			return
		}
		e.names.channels[c.ID] = c.Name
		if !c.IsPrivate {
			channels = append(channels, c)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("%s %w", channelsFile, err)
	}
	return channels, nil
}

// readUsers reads the users and their names. Without them, each user's name is the raw id.
func (e *export) readUsers() {
	e.names.users, e.names.shown = map[string]string{}, map[string]string{}
	err := readIndex(e, usersFile, func(u user) {
		if u.ID == "" {
			e.note(usersFile, "has an entry without an id")
			return
		}
		e.names.users[u.ID], e.names.shown[u.ID] = u.Name, u.shownName()
		e.users = append(e.users, u)
	})
	if err != nil {
		e.note(usersFile, err.Error())
	}
}

// readIndex calls add with each entry of a list. It adds a note for an invalid entry.
func readIndex[E any](e *export, name string, add func(E)) error {
	data, err := readFile(e.fsys, name, nil)
	if err != nil {
		return err
	}
	n := 0
	for v, err := range elements(bytes.NewReader(data)) {
		if err != nil {
			return err
		}
		n++
		var entry E
		if json.Unmarshal(v, &entry) != nil {
			e.note(name, fmt.Sprintf("entry %d cannot be read", n))
			continue
		}
		add(entry)
	}
	return nil
}

// listFolders lists the day files. Their names are dates, so the sorted listing is in time order.
func (e *export) listFolders() error {
	entries, err := fs.ReadDir(e.fsys, ".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Type()&fs.ModeSymlink != 0 {
			e.note(entry.Name(), "is a link, which is not followed")
		}
		if !entry.IsDir() || hidden(entry.Name()) {
			continue
		}
		files, err := fs.ReadDir(e.fsys, entry.Name())
		if err != nil {
			return err
		}
		f := folder{name: entry.Name()}
		for _, file := range files {
			if hidden(file.Name()) || file.IsDir() && file.Name() == attachmentsFolder {
				continue
			}
			f.files = append(f.files, path.Join(entry.Name(), file.Name()))
			if info, err := file.Info(); err == nil {
				e.size += info.Size()
			}
		}
		e.folders = append(e.folders, f)
	}
	return nil
}
