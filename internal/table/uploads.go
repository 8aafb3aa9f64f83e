package table

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

// The prefixes of the sort keys of uploads in a room, and of a person's count of a day's uploads.
const (
	UploadPrefix   = "upload#"
	uploadsPrefix  = "uploads#"
	uploadsDayForm = time.DateOnly
)

// UploadKey returns the primary key of an upload of a person in a room.
func UploadKey(room chat.RoomID, user chat.UserID, id uuid.UUID) Item {
	return Key(RoomItemsPK(room), UploadPrefix+chat.MessageID{UUID: id, User: user}.String())
}

// ParseUploadKey reads the sort key of an upload: its id and who uploaded it.
func ParseUploadKey(item Item) (id uuid.UUID, user chat.UserID, err error) {
	text, ok := strings.CutPrefix(KeyPart(item, SK), UploadPrefix)
	of, err := chat.ParseMessageID(text)
	if !ok || err != nil {
		return id, "", fmt.Errorf("%w: %w: upload %q", chat.ErrUnreadable, errKey, KeyPart(item, SK))
	}
	return of.UUID, of.User, nil
}

// UploadsKey returns the primary key of a person's count of the uploads of a day in UTC.
func UploadsKey(user chat.UserID, day time.Time) Item {
	return Key(PersonPK(user), uploadsPrefix+day.UTC().Format(uploadsDayForm))
}

// AttrUploadMessage is the attribute with the message that has an upload. It is absent until a
// message takes the upload.
const AttrUploadMessage = attrMessage

// AttrUploadLinks is the attribute with the time at which the links to send an upload expire, in
// Unix seconds.
const AttrUploadLinks = "linksUntil"
