// Package archive imports the exports of other chat systems into a store. Its subpackages slack
// and irc open the formats.
//
// An archive is a list of rooms and a stream of records. A record is either a message or a skip
// with a reason, so that every record is counted. A message's id derives from its identity in the
// other system, and from nothing around it. Loading the same archive again therefore adds
// nothing, and loading a later one adds the rest.
package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"
	"time"

	"example.com/parley/internal/chat"
)

// Archive is an open export.
type Archive struct {
	Rooms []Room
	// People are the people whom the archive lists.
	People []Person
	// Members are the memberships that the archive lists, in rooms of the archive.
	Members []Member
	// Notes describe defects of the archive that do not belong to a record.
	Notes []Note
	// Reasons lists every reason for skipping a record of this archive, in the order of the
	// report.
	Reasons []Reason
	// LeftOut counts the parts of the archive, other than records, that are not imported.
	LeftOut map[Reason]int
	// Size is the number of bytes read for all records.
	Size int64
	// MaxFile is the number of bytes above which a file is not read; 0 if there is no limit.
	MaxFile int64

	Source
}

// Source reads the records of an archive.
type Source interface {
	// Records reads the archive once, from its beginning. It yields broken records as skips and
	// continues after them.
	Records() iter.Seq[Record]
	// BytesRead returns how many of the archive's Size bytes have been read so far. It is safe to
	// call while records are read.
	BytesRead() int64
	// Close releases the files.
	Close() error
}

// Room is a room that the archive's messages belong to.
type Room struct {
	// ID identifies the room in the archive. It is also the id of a public room, unless a room of
	// another channel has it.
	ID    chat.RoomID
	Name  string // at most chat.MaxName bytes, one line
	Topic string // at most chat.MaxTopic bytes, one line
	// Channel is the id of the channel, by which later imports find the room. It is empty if the
	// archive has none; the room is then found by its ID.
	Channel string
	// Private rooms get ids that nobody can guess.
	Private bool
	// Direct are the people of a direct room in order, at least two; nil for other rooms.
	Direct []chat.UserID
	// Archived rooms are read-only.
	Archived bool
	// Owners are the members who own the room. If there are none, Options.Creator owns it.
	Owners []chat.UserID
}

// Person is a person or a program that an archive lists or that wrote in it.
type Person struct {
	User   chat.UserID
	Name   string // as in the archive; may be an invalid name
	Title  string // as in the archive
	Avatar string // the URL of a picture
	Handle string // another name, which the profile's metadata keeps; empty if there is none
	Bot    bool
	// Left reports that the person has left the team. An import suspends them.
	Left bool
}

// Reaction is a person's reaction to a message.
type Reaction struct {
	Emoji string // the key of package emoji
	User  chat.UserID
}

// Member is a membership of a person in a room.
type Member struct {
	Room chat.RoomID
	User chat.UserID
}

// Place is a position in an archive.
type Place struct {
	File   string
	Number int // record or line, from 1; 0 is the complete file
}

// Note is a line for the person who runs the import. It holds no message text.
type Note struct {
	Place Place
	Text  string
}

// Record is one record of an archive. It is a message if Skip is empty.
type Record struct {
	Place Place
	Skip  Reason // empty for a message
	// Note describes the record's defect. It is empty for a message without a defect, and for an
	// expected skip that is only counted.
	Note string

	Room chat.RoomID
	User chat.UserID
	// Others are users under whom another import may have stored the message.
	Others []chat.UserID
	// Bot is the name under which a program without an account wrote the message; empty for other
	// messages.
	Bot  string
	Text string
	// Files is the number of files that the text names.
	Files int
	// Attached are the files whose bytes are known, at most chat.MaxAttachments. The text does
	// not name them.
	Attached []File
	// NotFound is the number of the other files, except files that were deleted or are
	// elsewhere.
	NotFound int
	// Metadata is a JSON object, as returned by chat.ParseMetadata; empty if there is none.
	Metadata string
	// Mentions are the people whom the message mentions, in order, each once, at most
	// chat.MaxMentions.
	Mentions []chat.UserID
	At       time.Time // time of sending, to the millisecond, in UTC
	EditedAt time.Time // time of the last edit, to the millisecond, in UTC; zero if there was none
	// Reactions are the reactions to the message, each once.
	Reactions []Reaction
	// Exact reports that a stored message with another text is a conflict. Otherwise another text
	// is a later state if the message was edited later, and otherwise the same.
	Exact bool
	// Root reports that the message has a thread. It precedes its replies.
	Root bool
	// Missing is the place of a root that the archive does not have. It is no record: it is
	// stored as a deleted message, unless the message is there, and counted apart.
	Missing bool
	// Thread is the id of the root of a reply's thread, as in its record; zero for other
	// messages.
	Thread chat.MessageID
	// ShowInRoom reports whether a reply is also listed in the room.
	ShowInRoom bool
	// LeftOut counts the parts of the message that are not imported, including the parts of a
	// skipped one.
	LeftOut map[Reason]int
	// Tail is the part of the message id after the time: a digest of the record's origin.
	Tail [10]byte
}

// ID returns the id that r's message has in every import of the same archive.
func (r Record) ID() chat.MessageID {
	return chat.MessageID{UUID: chat.NewUUID(r.At, r.Tail), User: r.User}
}

// NewTail returns the digest of the fields that identify one record of a source. Each field is
// hashed with its length, so that distinct lists of fields never hash the same bytes.
func NewTail(fields ...string) [10]byte {
	h := sha256.New()
	for _, f := range fields {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(f)))
		h.Write(n[:])
		h.Write([]byte(f))
	}
	return [10]byte(h.Sum(nil))
}

// maxTime is the first time that is invalid for a message. It leaves a day below the year 10000
// for logs that continue past midnight.
var maxTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// ValidTime reports whether a message id can hold t.
func ValidTime(t time.Time) bool {
	return t.Unix() >= 0 && t.Before(maxTime)
}

// CheckText returns why text cannot be the text of a message, with a note for the report. Both
// are empty if the text is valid.
func CheckText(text string) (Reason, string) {
	switch {
	case text == "":
		return EmptyText, ""
	case len(text) > chat.MaxText:
		return LongText, fmt.Sprintf("has a text of over %d KB", chat.MaxText>>10)
	}
	return "", ""
}
