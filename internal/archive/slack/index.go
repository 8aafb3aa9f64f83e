package slack

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"golang.org/x/text/unicode/norm"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/slacktext"
)

// The lists of an export. A workspace of an Enterprise Grid lists its users in another file, and
// its teams' lists are in folders of teamsFolder.
const (
	channelsFile = "channels.json"
	groupsFile   = "groups.json" // private channels
	mpimsFile    = "mpims.json"  // messages of groups
	dmsFile      = "dms.json"    // direct messages
	usersFile    = "users.json"
	orgUsersFile = "org_users.json"
	teamsFolder  = "teams"
	dayExt       = ".json"
)

// maxDepth is how many folders may be around an export: some archivers nest its own folder twice.
const maxDepth = 3

// channel is an entry of a list of channels. Messages and rooms are identified by its ID, which
// does not change when the channel is renamed.
type channel struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"` // direct messages have none
	IsPrivate bool       `json:"is_private"`
	Topic     textValue  `json:"topic"`
	Purpose   textValue  `json:"purpose"`
	Members   []string   `json:"members"` // ids of users
	Pins      []struct{} `json:"pins"`
	Archived  bool       `json:"is_archived"`

	list string // the file that lists it
	room chat.RoomID
}

// private reports whether only the members of a channel may read it.
func (c channel) private() bool { return c.IsPrivate || c.list != channelsFile }

// direct reports whether a channel has people and no name of its own.
func (c channel) direct() bool { return c.list == dmsFile || c.list == mpimsFile }

type textValue struct {
	Value string `json:"value"`
}

// user is an entry of a list of users.
type user struct {
	ID             string   `json:"id"`
	Name           string   `json:"name"` // the handle
	RealName       string   `json:"real_name"`
	IsBot          bool     `json:"is_bot"`
	Deleted        bool     `json:"deleted"`
	IsAdmin        bool     `json:"is_admin"`
	IsOwner        bool     `json:"is_owner"`
	IsPrimaryOwner bool     `json:"is_primary_owner"`
	Profile        profile  `json:"profile"`
	Enterprise     struct { // in a workspace of an Enterprise Grid
		ID string `json:"id"`
	} `json:"enterprise_user"`
}

// profile is the part of a user's profile that an import uses.
type profile struct {
	RealName    string `json:"real_name"`
	DisplayName string `json:"display_name"`
	Title       string `json:"title"`
	Image       string `json:"image_192"`
	Email       string `json:"email"`
	BotID       string `json:"bot_id"`
}

// entry is the part of an entry of a list without which it is lost.
type entry struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// folder holds the files of one conversation, in time order.
type folder struct {
	name  string // of the first folder
	files []string
	to    channel // without an ID if the conversation is in no list
}

// findTop returns the folder that holds the lists. It is the top of the tree or, in a zip file
// of a folder, a folder in it.
func findTop(fsys fs.FS) (string, error) {
	level := []string{"."}
	for range maxDepth {
		var next []string
		for _, dir := range level {
			for _, name := range []string{channelsFile, groupsFile, mpimsFile, dmsFile, orgUsersFile} {
				if _, err := fs.Stat(fsys, path.Join(dir, name)); err == nil {
					return dir, nil
				}
			}
			entries, err := fs.ReadDir(fsys, dir)
			if err != nil {
				return "", err
			}
			for _, e := range entries {
				if e.IsDir() && !hidden(e.Name()) {
					next = append(next, path.Join(dir, e.Name()))
				}
			}
		}
		level = next
	}
	return "", errors.New("holds no " + channelsFile + ", which lists the public channels")
}

// hidden reports whether a file was added by an operating system or a tool, not by Slack.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || name == "__MACOSX" || name == uploadsFolder || name == avatarsFolder
}

// readLists reads the lists of the export, and of the teams of an Enterprise Grid.
func (e *export) readLists() error {
	e.tops = []string{"."}
	teams, err := fs.ReadDir(e.fsys, teamsFolder)
	if err == nil && !slices.ContainsFunc(teams, func(t fs.DirEntry) bool { return dayName.MatchString(t.Name()) }) {
		for _, t := range teams {
			if t.IsDir() && !hidden(t.Name()) {
				e.tops = append(e.tops, path.Join(teamsFolder, t.Name()))
			}
		}
	}
	e.readUsers()
	e.names.Channels = map[string]string{}
	for _, top := range e.tops {
		for _, list := range []string{channelsFile, groupsFile, mpimsFile, dmsFile} {
			if err := e.readChannels(top, list); err != nil {
				return err
			}
		}
	}
	return nil
}

// readChannels reads one list of channels, which may be absent. A channel that several teams
// share is one channel.
func (e *export) readChannels(top, list string) error {
	name, known := path.Join(top, list), map[string]bool{}
	add := func(c channel) {
		c.list = list
		c.Name = norm.NFC.String(c.Name)
		switch {
		case c.Name == "" && !c.direct():
			e.note(name, "has an entry without a name")
			return
		case c.Name != "" && known[c.Name]:
			e.note(name, fmt.Sprintf("names the channel %q twice", c.Name))
			return
		}
		if c.ID == "" { // an older export
			c.ID = c.Name
		}
		known[c.Name] = true
		e.names.Channels[c.ID] = c.Name
		if at := slices.IndexFunc(e.channels, func(o channel) bool { return o.ID == c.ID }); at >= 0 {
			shared := &e.channels[at]
			shared.Members = append(shared.Members, c.Members...)
			if shared.private() != c.private() {
				shared.IsPrivate = true // one team may not show what another hides
			}
			e.folderOf[path.Join(top, c.folderName())] = at
			return
		}
		e.folderOf[path.Join(top, c.folderName())] = len(e.channels)
		e.channels = append(e.channels, c)
	}
	err := readIndex(e, name, add, func(plain entry) { add(channel{ID: plain.ID, Name: plain.Name}) })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil && list == channelsFile:
		return fmt.Errorf("%s %w", name, err)
	case err != nil:
		e.note(name, err.Error())
	}
	return nil
}

// folderName returns the name of the folder with a channel's messages.
func (c channel) folderName() string {
	if c.list == dmsFile {
		return c.ID
	}
	return c.Name
}

// readUsers reads the users and their names. Without them, each user's name is the raw id.
func (e *export) readUsers() {
	e.names.Users, e.names.Shown = map[string]string{}, map[string]string{}
	e.bots = map[string]string{}
	var missing error
	found := false
	for _, top := range e.tops {
		for _, list := range []string{usersFile, orgUsersFile} {
			name := path.Join(top, list)
			err := readIndex(
				e, name, func(u user) { e.addUser(name, u) },
				func(plain entry) { e.addUser(name, user{ID: plain.ID, Name: plain.Name}) },
			)
			switch {
			case err == nil:
				found = true
			case !errors.Is(err, fs.ErrNotExist):
				e.note(name, err.Error())
				found = true
			case list == usersFile && top == ".":
				missing = err
			}
		}
	}
	if !found {
		e.note(usersFile, missing.Error())
	}
}

// addUser adds an entry of a list of users. The first entry of a user counts.
func (e *export) addUser(list string, u user) {
	switch _, known := e.names.Users[u.ID]; {
	case u.ID == "":
		e.note(list, "has an entry without an id")
		return
	case known:
		return
	}
	e.names.Users[u.ID], e.names.Shown[u.ID] = u.Name, u.shownName()
	if u.Profile.BotID != "" {
		e.bots[u.Profile.BotID] = u.ID
	}
	e.users = append(e.users, u)
}

// readIndex calls add with each entry of a list. It adds a note for an invalid entry, and calls
// damaged with one of which only the most important part can be read.
func readIndex[E any](e *export, name string, add func(E), damaged func(entry)) error {
	data, err := readFile(e.fsys, name, nil)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return errNoList
	}
	n := 0
	for v, err := range elements(bytes.NewReader(data)) {
		if err != nil {
			return err
		}
		n++
		var full E
		if json.Unmarshal(v, &full, slacktext.Lenient()) == nil {
			add(full)
			continue
		}
		e.note(name, fmt.Sprintf("entry %d cannot be read in full", n))
		var plain entry
		if json.Unmarshal(v, &plain, slacktext.Lenient()) == nil {
			damaged(plain)
		}
	}
	return nil
}

// dayName is the form of the name of a day file.
var dayName = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}\.json$`)

// listFolders lists the files of each conversation. Their names are dates, so the sorted listing
// is in time order.
func (e *export) listFolders() error {
	byChannel := map[string]int{}
	for _, top := range e.tops {
		entries, err := fs.ReadDir(e.fsys, top)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			at := path.Join(top, entry.Name())
			if entry.Type()&fs.ModeSymlink != 0 {
				e.note(at, "is a link, which is not followed")
			}
			if !entry.IsDir() || hidden(entry.Name()) || at == teamsFolder && len(e.tops) > 1 {
				continue
			}
			files, err := e.listFiles(at)
			if err != nil {
				return err
			}
			f := folder{name: at, files: files}
			if i, known := e.folderOf[norm.NFC.String(at)]; known {
				f.to = e.channels[i]
			} else if i := slices.IndexFunc(e.channels, func(c channel) bool { return c.ID == entry.Name() }); i >= 0 {
				f.to = e.channels[i] // a tool names folders by ids
			}
			if i, known := byChannel[f.to.ID]; known && f.to.ID != "" {
				e.folders[i].files = append(e.folders[i].files, f.files...)
				continue
			}
			byChannel[f.to.ID] = len(e.folders)
			e.folders = append(e.folders, f)
		}
	}
	for _, f := range e.folders {
		slices.SortStableFunc(f.files, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
	}
	return nil
}

// listFiles lists the files of a folder of a conversation.
func (e *export) listFiles(dir string) (all []string, err error) {
	files, err := fs.ReadDir(e.fsys, dir)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if hidden(file.Name()) || file.IsDir() && file.Name() == attachmentsFolder {
			continue
		}
		at := path.Join(dir, file.Name())
		all = append(all, at)
		if info, err := file.Info(); err == nil {
			e.size += info.Size()
			if info.Size() > maxFile {
				e.note(at, fmt.Sprintf("has %d MB: files above %d MB are not read", info.Size()>>20, maxFile>>20))
			}
		}
	}
	return all, nil
}

// leftOut counts the contents of channels other than messages and members.
func (e *export) leftOut() map[archive.Reason]int {
	var counts map[archive.Reason]int
	for _, c := range e.channels {
		if n := len(c.Pins); n > 0 && c.room != "" {
			counts = withMore(counts, Pins, n)
		}
	}
	if e.leftMembers > 0 {
		counts = withMore(counts, LeftMembers, e.leftMembers)
	}
	return counts
}
