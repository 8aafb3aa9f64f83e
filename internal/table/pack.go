package table

import (
	"encoding/binary"
	"errors"
	"math"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// Changes are packed because a room's feed is one partition, which accepts a megabyte per second.
// A new message is 18 bytes. The layout in bytes, with numbers as varints:
//
//	version 1 | how many users | each: length, user | changes
//
// and a change by its type:
//
//	message created          1 | user | uuid 16
//	message edited, deleted  2, 3 | user | uuid 16 | revision
//	member changed           4 | user | origin 8
//	room changed             5 | origin 8
//	unknown                  6 | origin 8 | length, key
//	all others, framed       7 to 255 | 0 or user+1 | length, payload
//
// The field user is an index into the list of users, which is in the order of their first change.
// The payload of a framed change depends on what its type carries in the feed.ChangeTable:
//
//	a message                uuid 16 | revision
//	a reply                  uuid 16 | revision | flags | root's uuid 16 | length, root's user
//	a pin                    uuid 16 | number | flags
//	a user, nothing          origin 8
//	a key                    origin 8 | length, key
//
// More bytes may follow. A reader keeps unknown bytes and writes them back unchanged.
const packVersion = 1

// flagShowInRoom is the flag of a reply that the room lists, and flagPinned is the flag of a
// pinned message. This version rejects other flags, so later versions append fields instead.
const (
	flagShowInRoom = 1
	flagPinned     = 1
	maxFlags       = 1
)

// errPacked is wrapped by every error of unpack.
var errPacked = errors.New("not packed changes")

// packer writes and reads packed changes of the types in a table.
type packer struct{ types feed.ChangeTable }

// pack encodes changes as one binary value.
func (p packer) pack(changes []feed.Change) []byte {
	var users []chat.UserID
	index := map[chat.UserID]uint64{}
	for _, c := range changes {
		user := p.userOf(c)
		if _, known := index[user]; user != "" && !known {
			index[user] = uint64(len(users))
			users = append(users, user)
		}
	}
	b := binary.AppendUvarint([]byte{packVersion}, uint64(len(users)))
	for _, user := range users {
		b = appendText(b, string(user))
	}
	for _, c := range changes {
		b = append(b, byte(c.Type))
		if c.Type >= feed.FirstFramedChange {
			place := uint64(0)
			if user := p.userOf(c); user != "" {
				place = index[user] + 1
			}
			b = appendText(binary.AppendUvarint(b, place), string(p.payload(c)))
			continue
		}
		if p.carries(c.Type).HasMessage() || p.carries(c.Type) == feed.CarriesUser {
			b = binary.AppendUvarint(b, index[p.userOf(c)])
		}
		b = p.appendFields(b, c)
	}
	return b
}

// opaque stands for the contents of a type that the change table lacks.
const opaque feed.Carries = -1

func (p packer) carries(t feed.ChangeType) feed.Carries {
	kind, ok := p.types.Kind(t)
	if !ok {
		return opaque
	}
	return kind.Carries
}

// payload returns the bytes of a framed change that follow its length.
func (p packer) payload(c feed.Change) []byte {
	var b []byte
	if p.carries(c.Type) != opaque {
		b = p.appendFields(b, c)
	}
	return append(b, c.Opaque...)
}

// appendFields appends the fields that follow the user.
func (p packer) appendFields(b []byte, c feed.Change) []byte {
	switch p.carries(c.Type) {
	case feed.CarriesMessage:
		b = append(b, c.Message.UUID[:]...)
		if c.Type != feed.MessageCreated {
			b = binary.AppendUvarint(b, uint64(c.Revision))
		}
	case feed.CarriesReply:
		b = binary.AppendUvarint(append(b, c.Message.UUID[:]...), uint64(c.Revision))
		flags := uint64(0)
		if c.ShowInRoom {
			flags |= flagShowInRoom
		}
		b = append(binary.AppendUvarint(b, flags), c.Thread.UUID[:]...)
		b = appendText(b, string(c.Thread.User))
	case feed.CarriesPin:
		b = binary.AppendUvarint(append(b, c.Message.UUID[:]...), uint64(c.Revision))
		flags := uint64(0)
		if c.Pinned {
			flags |= flagPinned
		}
		b = binary.AppendUvarint(b, flags)
	case feed.CarriesKey:
		b = appendText(binary.BigEndian.AppendUint64(b, c.Origin), c.Key)
	case feed.CarriesUser, feed.CarriesNothing:
		b = binary.BigEndian.AppendUint64(b, c.Origin)
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// userOf returns the user that a change names, or "".
func (p packer) userOf(c feed.Change) chat.UserID {
	switch p.carries(c.Type) {
	case feed.CarriesMessage, feed.CarriesReply, feed.CarriesPin:
		return c.Message.User
	case feed.CarriesUser, opaque:
		return c.User
	}
	return ""
}

// packMerged encodes the merged changes of a segment: each is its entry's index and its mark, both
// varints. An origin needs ten bytes, a revision usually one.
func packMerged(merged []feed.Merged) []byte {
	var b []byte
	for _, m := range merged {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(m.Into)), m.Mark)
	}
	return b
}

// unpackMerged decodes the result of packMerged, for a segment with that many entries. It rejects
// anything else.
func unpackMerged(b []byte, entries int) ([]feed.Merged, error) {
	u := unpacker{rest: b}
	var merged []feed.Merged
	for len(u.rest) > 0 && u.err == nil {
		m := feed.Merged{Into: int(u.number(feed.MaxSegmentChanges)), Mark: u.number(math.MaxUint64)}
		if m.Into >= entries || entries+len(merged) >= feed.MaxSegmentChanges {
			u.fail("merged change %d into entry %d of %d", len(merged), m.Into, entries)
		}
		merged = append(merged, m)
	}
	return merged, u.err
}
