package table

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
)

// unpack decodes the result of pack, with this change table or another one. It rejects anything
// else.
func (p packer) unpack(b []byte) ([]feed.Change, error) {
	u := unpacker{rest: b}
	if version := u.bytes(1); u.err == nil && version[0] != packVersion {
		u.fail("version %d", version[0])
	}
	users := make([]chat.UserID, 0, min(u.number(feed.MaxSegmentChanges), feed.MaxSegmentChanges))
	for range cap(users) {
		user, err := chat.StoredUserID(u.text(chat.MaxUserID))
		if err != nil || slices.Contains(users, user) {
			u.fail("user %q", user)
		}
		users = append(users, user)
	}
	var changes []feed.Change
	for len(u.rest) > 0 && u.err == nil {
		changes = append(changes, p.change(&u, users))
	}
	if u.err == nil && len(changes) == 0 {
		u.fail("no changes")
	}
	return changes, u.err
}

func (p packer) change(u *unpacker, users []chat.UserID) feed.Change {
	c := feed.Change{Type: feed.ChangeType(u.bytes(1)[0])}
	carries := p.carries(c.Type)
	if c.Type >= feed.FirstFramedChange {
		return p.framed(u, users, c.Type)
	}
	if carries == opaque {
		u.fail("type %d", c.Type)
		return c
	}
	var user chat.UserID
	if carries.HasMessage() || carries == feed.CarriesUser {
		user = u.user(users)
	}
	u.fields(&c, carries, user)
	return c
}

// framed decodes a change that carries its length.
func (p packer) framed(u *unpacker, users []chat.UserID, t feed.ChangeType) feed.Change {
	c := feed.Change{Type: t}
	var user chat.UserID
	if place := u.number(feed.MaxSegmentChanges); place > uint64(len(users)) {
		u.fail("user %d of %d", place, len(users))
	} else if place > 0 {
		user = users[place-1]
	}
	in := unpacker{rest: u.bytes(int(u.number(feed.MaxChangePayload)))}
	carries := p.carries(t)
	switch named := carries.HasMessage() || carries == feed.CarriesUser; {
	case carries == opaque:
		c.User = user
	case named != (user != ""):
		in.fail("user %q of a change of type %d", user, t)
	default:
		in.fields(&c, carries, user)
	}
	if u.err == nil && in.err != nil {
		u.err, u.rest = in.err, nil
	}
	c.Opaque = string(in.rest)
	return c
}

// unpacker consumes fields from the front and keeps the first error.
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

// timeBefore consumes how many milliseconds a time is before another, with a sign in the lowest
// bit, as binary.AppendVarint writes it.
func (u *unpacker) timeBefore(at time.Time) time.Time {
	before := u.number(math.MaxUint64)
	return time.UnixMilli(at.UnixMilli() - (int64(before>>1) ^ -int64(before&1))).UTC()
}

// user consumes an index into the list of users.
func (u *unpacker) user(users []chat.UserID) chat.UserID {
	i := u.number(feed.MaxSegmentChanges)
	if i >= uint64(len(users)) {
		u.fail("user %d of %d", i, len(users))
		return ""
	}
	return users[i]
}

// fields consumes the fields that appendFields appended to a change by or about a user.
func (u *unpacker) fields(c *feed.Change, carries feed.Carries, user chat.UserID) {
	if !carries.HasMessage() {
		c.User, c.Origin = user, binary.BigEndian.Uint64(u.bytes(8))
		if carries == feed.CarriesKey {
			c.Key = u.text(feed.MaxChangeKey)
		}
		return
	}
	c.Message, c.Revision = chat.MessageID{UUID: u.uuid(), User: user}, 1
	if c.Type == feed.MessageCreated {
		return
	}
	c.Revision = int(u.number(chat.MaxVersion))
	if least := leastRevision(c.Type); c.Revision < least {
		u.fail("revision %d of a change", c.Revision)
	}
	if carries == feed.CarriesPin {
		c.Pinned = u.number(maxFlags) == flagPinned
	}
	if carries == feed.CarriesReply {
		c.ShowInRoom = u.number(maxFlags) == flagShowInRoom
		c.Thread = chat.MessageID{UUID: u.uuid(), User: u.userText()}
	}
}

// userText consumes a user as text.
func (u *unpacker) userText() chat.UserID {
	user, err := chat.StoredUserID(u.text(chat.MaxUserID))
	if err != nil {
		u.fail("user %q", user)
	}
	return user
}

// leastRevision returns the lowest revision after a change of a message: edits and deletions follow
// a creation.
func leastRevision(t feed.ChangeType) int {
	if t == feed.MessageEdited || t == feed.MessageDeleted {
		return 2
	}
	return 1
}

// bytes consumes n bytes. If fewer are left, it fails and returns zeros.
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

// number consumes a varint of the shortest form, of at most limit.
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
