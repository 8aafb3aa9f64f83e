package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"
	"sync/atomic"
	"time"

	"parley/internal/chat"
)

// Archive is an opened export.
type Archive struct {
	Rooms []Room
	// Notes tell of what is wrong with the archive but is no record.
	Notes []Note
	// Reasons are all reasons for which its records may be skipped, in the
	// order of the report.
	Reasons []Reason
	// Size is the bytes that reading all records takes.
	Size int64

	records iter.Seq[Record]
	read    *atomic.Int64
	close   func() error
}

// Records reads the archive once, from its beginning. It goes on after
// everything broken, which it yields as skips.
func (a *Archive) Records() iter.Seq[Record] { return a.records }

// Read is how many of Size bytes have been read so far. It may be asked
// while records are read.
func (a *Archive) Read() int64 { return a.read.Load() }

// Close releases the files.
func (a *Archive) Close() error {
	if a.close == nil {
		return nil
	}
	return a.close()
}

// Room is a room that the archive's messages belong to.
type Room struct {
	ID    chat.RoomID
	Name  string // at most chat.MaxName bytes, one line
	Topic string // at most chat.MaxTopic bytes, one line
}

// Place is where something stands in an archive.
type Place struct {
	File   string
	Number int // record or line, from 1; 0 is the file as a whole
}

// Note is a line for the person who imports. It holds no message text.
type Note struct {
	Place Place
	Text  string
}

// Record is one record of an archive: a message, unless Skip says why not.
type Record struct {
	Place Place
	Skip  Reason // empty for a message
	// Note is empty where there is nothing to tell: a skip that is
	// a matter of course is only counted.
	Note string

	Room chat.RoomID
	User chat.UserID
	Text string
	At   time.Time // when it was sent, to the millisecond, in UTC
	// Tail is what its id holds beside the time: a digest of its source.
	Tail [10]byte
}

// ID is the id that r's message has in every import of the same archive.
func (r Record) ID() chat.MessageID {
	return chat.MessageID{UUID: chat.NewUUID(r.At, r.Tail), User: r.User}
}

// tail digests the fields that name one record of a source. Each is written
// with its length, so that no two lists of fields read alike.
func tail(fields ...string) [10]byte {
	h := sha256.New()
	for _, f := range fields {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(f)))
		h.Write(n[:])
		h.Write([]byte(f))
	}
	return [10]byte(h.Sum(nil))
}

// maxTime is the first instant that a message may not have: with a margin
// of a day for times that are moved forward to keep order.
var maxTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// validTime tells whether a message id can hold t.
func validTime(t time.Time) bool {
	return t.Unix() >= 0 && t.Before(maxTime)
}

// checkText returns why a text cannot be a message's, with a note, or nothing.
func checkText(text string) (Reason, string) {
	switch {
	case text == "":
		return EmptyText, ""
	case len(text) > chat.MaxText:
		return LongText, fmt.Sprintf("has a text of over %d KB", chat.MaxText>>10)
	}
	return "", ""
}
