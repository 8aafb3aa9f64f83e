package table

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

// PicturePrefix is the prefix of the sort keys of the pictures that a person may have sent.
const PicturePrefix = "picture#"

// PictureItem returns the item of a picture, which has only its key.
func PictureItem(user chat.UserID, id uuid.UUID) Item {
	item := Key(PersonPK(user), PicturePrefix+id.String())
	Stamp(item, PictureKind)
	return item
}

// ParsePictureID reads the id in the key of a picture.
func ParsePictureID(item Item) (uuid.UUID, error) {
	id, err := uuid.Parse(strings.TrimPrefix(KeyPart(item, SK), PicturePrefix))
	if err != nil {
		return id, fmt.Errorf("%w: %w: picture %q", chat.ErrUnreadable, errKey, KeyPart(item, SK))
	}
	return id, nil
}

// NotSuspended is the condition that an account is not suspended. A person may have no account.
func NotSuspended() Update {
	return Update{Condition: "attribute_not_exists(#at)", Names: map[string]string{"#at": AttrSuspendedAt}}
}
