package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"parley/internal/chat"
)

// Changes are packed, since a room's feed is one partition and so takes a megabyte a second:
// a new message is 18 bytes. In bytes, numbers being varints:
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
const packVersion = 1

// errPacked is wrapped by every refusal to unpack.
var errPacked = errors.New("not packed changes")

// packChanges writes changes as one binary.
func packChanges(changes []chat.Change) []byte {
	var users []chat.UserID
	index := map[chat.UserID]uint64{}
	for _, c := range changes {
		user, ok := userOf(c)
		if _, known := index[user]; ok && !known {
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
		if user, ok := userOf(c); ok {
			b = binary.AppendUvarint(b, index[user])
		}
		switch {
		case c.Type.OfMessage():
			b = append(b, c.Message.UUID[:]...)
			if c.Type != chat.MessageCreated {
				b = binary.AppendUvarint(b, uint64(c.Revision))
			}
		default:
			b = binary.BigEndian.AppendUint64(b, c.Origin)
		}
		if c.Type == chat.UnknownChange {
			b = appendText(b, c.Key)
		}
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// userOf is the person that a change names, if it names one.
func userOf(c chat.Change) (chat.UserID, bool) {
	switch {
	case c.Type.OfMessage():
		return c.Message.User, true
	case c.Type == chat.MemberChanged:
		return c.User, true
	}
	return "", false
}

// unpackChanges reads what packChanges wrote, and nothing else.
func unpackChanges(b []byte) ([]chat.Change, error) {
	u := unpacker{rest: b}
	if version := u.bytes(1); u.err == nil && version[0] != packVersion {
		u.fail("version %d", version[0])
	}
	users := make([]chat.UserID, 0, min(u.number(chat.MaxSegmentChanges), chat.MaxSegmentChanges))
	for range cap(users) {
		user, err := chat.ParseUserID(u.text(chat.MaxUserID))
		if err != nil || slices.Contains(users, user) {
			u.fail("user %q", user)
		}
		users = append(users, user)
	}
	var changes []chat.Change
	for len(u.rest) > 0 && u.err == nil {
		changes = append(changes, u.change(users))
	}
	if u.err == nil && len(changes) == 0 {
		u.fail("no changes")
	}
	return changes, u.err
}

// unpacker takes fields from the front and keeps the first failure.
type unpacker struct {
	rest []byte
	err  error
}

func (u *unpacker) fail(format string, args ...any) {
	if u.err == nil {
		u.err = fmt.Errorf("%w: "+format, append([]any{errPacked}, args...)...)
	}
	u.rest = nil
}

func (u *unpacker) change(users []chat.UserID) chat.Change {
	c := chat.Change{Type: chat.ChangeType(u.bytes(1)[0])}
	var user chat.UserID
	if _, named := userOf(c); named {
		if i := u.number(chat.MaxSegmentChanges); i < uint64(len(users)) {
			user = users[i]
		} else {
			u.fail("user %d of %d", i, len(users))
		}
	}
	switch {
	case !c.Type.Valid():
		u.fail("type %d", c.Type)
	case c.Type.OfMessage():
		c.Message, c.Revision = chat.MessageID{UUID: u.uuid(), User: user}, 1
		if c.Type != chat.MessageCreated {
			if c.Revision = int(u.number(chat.MaxVersion)); c.Revision < 2 {
				u.fail("revision %d of a change", c.Revision)
			}
		}
	default:
		c.User, c.Origin = user, binary.BigEndian.Uint64(u.bytes(8))
	}
	if c.Type == chat.UnknownChange {
		c.Key = u.text(chat.MaxChangeKey)
	}
	return c
}

// bytes takes n bytes; where there are fewer it fails and gives zeros.
func (u *unpacker) bytes(n int) []byte {
	if len(u.rest) < n {
		u.fail("cut off")
		return make([]byte, n)
	}
	taken := u.rest[:n]
	u.rest = u.rest[n:]
	return taken
}

func (u *unpacker) uuid() uuid.UUID {
	id, err := chat.ParseUUID(uuid.UUID(u.bytes(len(uuid.UUID{}))).String())
	if err != nil {
		u.fail("a message's uuid")
	}
	return id
}

// number takes a varint of the shortest form, at most limit.
func (u *unpacker) number(limit uint64) uint64 {
	n, size := binary.Uvarint(u.rest)
	if size <= 0 || n > limit || size != len(binary.AppendUvarint(nil, n)) {
		u.fail("a number")
		return 0
	}
	u.rest = u.rest[size:]
	return n
}

func (u *unpacker) text(limit uint64) string { return string(u.bytes(int(u.number(limit)))) }
