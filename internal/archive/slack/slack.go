// Package slack opens the export of a Slack workspace as an archive.
package slack

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/slacktext"
)

// Open opens a workspace export, which is a folder or a zip file. Private channels and direct
// messages are counted, and imported only if Options.Private is set. Open refuses an export
// without any list of channels. It also refuses a map of people who are not in the export.
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
	// their ids.
	People []archive.Mapping
	// Files is a folder or a zip file with the bytes of the export's files. It may be the export,
	// and is empty if there are none.
	Files string
	// Private reports whether private channels and direct messages are imported.
	Private bool
}

// export is the archive.Source of a workspace export.
type export struct {
	fsys        fs.FS
	tops        []string // the folders with lists
	names       slacktext.Names
	users       []user                 // in the order of the lists
	bots        map[string]string      // users of programs, by the program's id
	mapped      map[string]chat.UserID // by the export's id
	channels    []channel
	folderOf    map[string]int // index in channels, by folder
	leftMembers int
	downloads   downloads
	folders     []folder
	size        int64
	notes       []archive.Note
	read        atomic.Int64
	close       func() error
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
	e := &export{fsys: fsys, downloads: down, close: closer, folderOf: map[string]int{}}
	if err := e.readLists(); err != nil {
		return nil, err
	}
	if err := e.mapPeople(o.People); err != nil {
		return nil, err
	}
	rooms := e.assignRooms(o.Private)
	if err := e.listFolders(); err != nil {
		return nil, err
	}
	members := e.members(rooms)
	return &archive.Archive{
		Rooms:   rooms,
		People:  e.people(),
		Members: members,
		Notes:   e.notes,
		Reasons: reasons(),
		LeftOut: e.leftOut(),
		Size:    e.size,
		MaxFile: maxFile,
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

// assignRooms assigns a room to each channel that is imported.
func (e *export) assignRooms(private bool) []archive.Room {
	var names []string
	for _, c := range e.channels {
		if !c.private() {
			names = append(names, c.Name)
		}
	}
	ids, taken := roomIDs(names), map[chat.RoomID]bool{}
	var rooms []archive.Room
	for i := range e.channels {
		c := &e.channels[i]
		if c.private() && !private {
			continue
		}
		r := archive.Room{
			ID: ids[c.Name], Name: oneLine(c.Name, chat.MaxName), Channel: c.ID, Archived: c.Archived,
			Private: c.private(),
			Topic:   oneLine(e.names.Decode(slacktext.First(c.Topic.Value, c.Purpose.Value)), chat.MaxTopic),
		}
		if c.private() {
			r.ID = chat.RoomID(c.ID) // the id of the room follows from the channel
		}
		for n := 2; taken[r.ID]; n++ { // several teams have a channel of this name
			r.ID = archive.Numbered(string(ids[c.Name]), n)
		}
		taken[r.ID] = true
		if people := e.peopleOf(*c); c.direct() && len(people) >= 2 && len(people) <= maxDirect {
			r.Direct = people
		} else if c.direct() {
			r.Name = oneLine(e.namesOf(people), chat.MaxName)
		}
		c.room = r.ID
		rooms = append(rooms, r)
	}
	return rooms
}

// maxDirect is the number of people who may share a direct room. Messages of more people come
// into a private room.
const maxDirect = 10

// peopleOf returns the people of a channel in order, each once.
func (e *export) peopleOf(c channel) []chat.UserID {
	var all []chat.UserID
	for _, id := range c.Members {
		if id != "" {
			all = append(all, e.userOf(id))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// namesOf returns the names of people as one line.
func (e *export) namesOf(people []chat.UserID) string {
	var names []string
	for _, u := range e.users {
		if slices.Contains(people, e.userOf(u.ID)) {
			names = append(names, e.names.Shown[u.ID])
		}
	}
	return slacktext.First(strings.Join(names, ", "), "Direct messages")
}

// Reasons of Slack exports, in addition to the subtypes that are not imported.
const (
	BadRecord    archive.Reason = "bad record"
	NoUser       archive.Reason = "no user"
	NotPublic    archive.Reason = "not a public channel"
	Canvas       archive.Reason = "canvas"
	NotMessage   archive.Reason = "not a message"
	OtherSubtype archive.Reason = "other subtype"
)

// Parts of channels and messages that are not imported.
const (
	// Pins of channels.
	Pins archive.Reason = "pins"
	// LeftMembers are members of channels who have left Slack.
	LeftMembers archive.Reason = "members who have left Slack"
	// Previews are Slack's previews of the links in a text.
	Previews archive.Reason = "previews of links"
	// ManyFiles are files whose links no longer fit in chat.MaxMetadata.
	ManyFiles archive.Reason = "files beyond 4 KB of links"
	// OtherSize are downloads that are empty, or not as large as Slack's file: they broke off, or
	// are pages that ask for a sign-in.
	OtherSize archive.Reason = "files of another size"
	// ManyAttached are files over chat.MaxAttachments in a message.
	ManyAttached archive.Reason = "files beyond 20 in a message"
	// UnreadablePart is everything in a record except its text, if its form is unknown.
	UnreadablePart archive.Reason = "unreadable parts"
	// DeletedFile is a file that was deleted before the export, or that the export conceals.
	DeletedFile archive.Reason = "files without a link"
)

// subtypes returns the subtypes that Slack documents for channels and that are not imported, in
// the order of the report.
func subtypes() []archive.Reason {
	return []archive.Reason{
		"bot_add", "bot_disable", "bot_enable", "bot_remove",
		"channel_archive", "channel_convert_to_private", "channel_join",
		"channel_leave", "channel_name", "channel_posting_permissions",
		"channel_purpose", "channel_topic", "channel_unarchive",
		"ekm_access_denied", "file_mention", "huddle_thread",
		"message_changed", "message_deleted", "message_replied",
		"pinned_item", "reminder_add", "sh_room_created",
		"tombstone", "unpinned_item",
	}
}

// reasons returns the reasons of an export in the order of the report.
func reasons() []archive.Reason {
	return append(subtypes(), OtherSubtype, NotPublic, Canvas, NotMessage, NoUser, archive.EmptyText,
		archive.LongText, archive.BadTime, BadRecord, archive.BadFile,
		archive.DeletedRoom, archive.Conflict, archive.NotStored)
}
