package archive

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"io"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/visual"
)

// Importer is the creator of rooms for which nobody is stated. It is nobody's user id, owns no
// room, and cannot sign in.
const Importer chat.UserID = "import"

// room is a room of the store.
type room struct {
	chat.Room               // only the ID if it was deleted
	owners    []chat.UserID // by the archive
	fresh     bool          // this load created it
	held      int64         // messages that were in it before
	created   int64         // messages stored by this load that it lists
	there     int64         // listed messages of the archive that it already had

	imported map[chat.UserID]bool // people whom earlier imports made members
	joined   []chat.UserID        // people whom this load made members, or found as such
}

// digestKeySize is the size of a room's digest key, and of the key of imports.
const digestKeySize = 32

// privateName is the number of characters after the prefix of the id of a private room, as random
// as other such ids: 100 bits.
const privateName = 20

// openRooms finds or creates the rooms of an archive. The messages of a room that fails are
// counted as not stored.
func (l *loader) openRooms(ctx context.Context, rooms []Room) {
	err := l.retry(ctx, func() error {
		known, err := ChannelRooms(ctx, l.store.Table())
		for _, r := range known {
			l.channels[r.Channel] = r
		}
		return err
	})
	for _, r := range rooms {
		l.report.Rooms = append(l.report.Rooms, RoomReport{Room: r.ID})
		if err == nil {
			l.openRoom(ctx, r, &l.report.Rooms[len(l.report.Rooms)-1])
		}
	}
	if err != nil {
		l.Log.ErrorContext(ctx, "the rooms could not be listed", "err", err)
	}
}

func (l *loader) openRoom(ctx context.Context, r Room, report *RoomReport) {
	opened, err := l.findOrCreate(ctx, r)
	if err == nil && !opened.fresh && !opened.Deleted && l.Counts != nil {
		err = l.retry(ctx, func() (err error) {
			opened.held, err = l.Counts.MessageCount(ctx, opened.ID)
			return err
		})
	}
	if err != nil {
		l.Log.ErrorContext(ctx, "the room could not be created", "room", r.ID, "err", err)
		return
	}
	for _, other := range l.rooms {
		if other.ID == opened.ID {
			opened = other // a direct room of several conversations
		}
	}
	opened.owners = append(opened.owners, r.Owners...)
	l.rooms[r.ID], report.Room = opened, opened.ID
}

// findOrCreate returns a room of the archive.
func (l *loader) findOrCreate(ctx context.Context, r Room) (*room, error) {
	wanted := chat.Room{
		ID: r.ID, Name: cmp.Or(visual.Clean(r.Name), string(r.ID)), Topic: r.Topic, Channel: r.Channel,
		Private: r.Private || r.Direct != nil, Direct: r.Direct, Archived: r.Archived,
		CreatedBy:    l.Creator,
		CreatedAt:    l.Now,
		Shards:       l.Shards,
		ShardsPinned: l.Shards > 1, // the team has set the number; a single shard may grow
		DigestKey:    make([]byte, digestKeySize),
	}
	if _, err := io.ReadFull(l.Random, wanted.DigestKey); err != nil {
		return nil, fmt.Errorf("create its digest key: %w", err)
	}
	var opened *room
	err := l.retry(ctx, func() (err error) {
		if wanted.Private {
			opened, err = l.privateRoom(ctx, wanted)
		} else {
			opened, err = l.publicRoom(ctx, wanted)
		}
		return err
	})
	return opened, err
}

// publicRoom returns the room of a public channel. A room that has no channel becomes the
// channel's if it has the right id.
func (l *loader) publicRoom(ctx context.Context, wanted chat.Room) (*room, error) {
	if known, ok := l.channels[wanted.Channel]; ok && wanted.Channel != "" {
		if known.Deleted {
			return &room{Room: known}, nil
		}
		found, err := l.store.Room(ctx, known.ID)
		return &room{Room: found}, err
	}
	base := string(wanted.ID)
	for n := 2; ; n++ {
		created, err := l.store.CreateRoom(ctx, wanted, l.owner(wanted))
		if err != nil || created {
			return &room{Room: wanted, fresh: true}, err
		}
		found, err := l.store.Room(ctx, wanted.ID)
		switch {
		case chat.KindOf(err) == chat.NotFound && wanted.Channel == "": // deleted
			return &room{Room: chat.Room{ID: wanted.ID, Deleted: true}}, nil
		case err != nil && chat.KindOf(err) != chat.NotFound:
			return nil, err
		case err == nil && found.Channel == wanted.Channel:
			return &room{Room: found}, nil
		case err == nil && found.Channel == "":
			if ok, err := setChannel(ctx, l.store.Table(), wanted.ID, wanted.Channel); ok || err != nil {
				return &room{Room: found}, err
			}
		}
		wanted.ID = Numbered(base, n)
	}
}

// privateRoom returns the room of a private channel or of some people. Its id follows from its
// channel by a key of the store.
func (l *loader) privateRoom(ctx context.Context, wanted chat.Room) (*room, error) {
	if l.key == nil {
		fresh := make([]byte, digestKeySize)
		if _, err := io.ReadFull(l.Random, fresh); err != nil {
			return nil, fmt.Errorf("create the key of private rooms: %w", err)
		}
		var err error
		if l.key, err = importKey(ctx, l.store.Table(), fresh); err != nil {
			return nil, err
		}
	}
	mac := hmac.New(sha256.New, l.key)
	mac.Write([]byte(wanted.Channel))
	for _, user := range wanted.Direct {
		mac.Write([]byte("#" + user))
	}
	wanted.ID = chat.PrivateRoomID(strings.ToLower(base32.StdEncoding.EncodeToString(mac.Sum(nil))[:privateName]))
	if wanted.Direct != nil {
		return l.directRoom(ctx, wanted)
	}
	created, err := l.store.CreateRoom(ctx, wanted, l.owner(wanted))
	if err != nil || created {
		return &room{Room: wanted, fresh: true}, err
	}
	found, err := l.store.Room(ctx, wanted.ID)
	if chat.KindOf(err) == chat.NotFound {
		return &room{Room: chat.Room{ID: wanted.ID, Deleted: true}}, nil
	}
	return &room{Room: found}, err
}

// directRoom returns the one room of some people.
func (l *loader) directRoom(ctx context.Context, wanted chat.Room) (*room, error) {
	record, found, err := l.store.DirectRoom(ctx, wanted.Direct)
	if err != nil {
		return nil, err
	}
	if !found {
		wanted.Channel, wanted.Name, wanted.Topic, wanted.Archived = "", "", "", false // as other direct rooms
		var members []chat.Membership
		for _, user := range wanted.Direct {
			members = append(members, chat.Membership{
				Room: wanted.ID, User: user, Name: l.nameOf(user), Role: policy.Member, JoinedAt: l.Now,
				By: l.Creator,
			})
		}
		created, err := l.store.CreateDirectRoom(ctx, wanted, members)
		if err == nil && !created {
			err = chat.TooBusy() // one of them creates it concurrently
		}
		return &room{Room: wanted, fresh: true}, err
	}
	stored, err := l.store.Room(ctx, record.Room.ID)
	return &room{Room: stored}, err
}

// owner returns the first member of a new room: its creator, or nobody.
func (l *loader) owner(r chat.Room) chat.Membership {
	if l.Creator == Importer {
		return chat.Membership{}
	}
	return chat.OwnerOf(r, l.nameOf(l.Creator))
}

// Numbered returns an id of a room with a number, within the limit of ids.
func Numbered(base string, n int) chat.RoomID {
	suffix := fmt.Sprintf("-%d", n)
	return chat.RoomID(CutID(base, chat.MaxRoomID-len(suffix)) + suffix)
}

// CutID cuts an id of a room to a limit.
func CutID(s string, limit int) string {
	if len(s) > limit {
		s = s[:limit]
	}
	return strings.TrimRight(s, "-")
}
