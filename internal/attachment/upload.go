// Package attachment stores the files of messages. Their bytes are in a bucket, to which people
// send them by signed links, and from which they read them by others. The table has a row for each
// upload, and the bytes live as long as the row: ADR 71 has the reasons.
package attachment

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/config"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/visual"
)

const (
	// MaxName is the maximum length of a file's name in bytes, which a message repeats.
	MaxName = 120
	// MaxAlt is the maximum length of a description in bytes: some sentences.
	MaxAlt = 500
	// MaxType is the maximum length of a media type in bytes.
	MaxType = 80
	// MaxPlaceholder is the maximum size of a placeholder in bytes. A ThumbHash has up to 25.
	MaxPlaceholder = 40
	// MaxPreview is the maximum size in bytes of a preview, and of a person's picture: 720 pixels.
	MaxPreview = 64 << 10
	// MaxPixels is the largest width and height of a picture.
	MaxPixels = 1 << 16

	// PutLife is how long a file may take to begin: a link expires after it.
	PutLife = 15 * time.Minute
	// pendingLife is how long an upload waits for its message, and for the feed function to see
	// that. The table's stream lasts for half of it.
	pendingLife = 48 * time.Hour
	// lastHour is the time before an upload's end in which no message takes it. So a post that has
	// begun has ended when the upload expires.
	lastHour = time.Hour
)

// Limits bound uploads. A file is no larger than what a day allows.
type Limits struct {
	FileBytes int64 // of one file
	DayBytes  int64 // of a person's files in a day in UTC
	DayFiles  int   // the number of these files
	// Types are the accepted media types, such as "image/*" and "application/pdf"; nil accepts all.
	Types []string
}

// DefaultLimits returns the limits of a deployment that sets none.
func DefaultLimits() Limits {
	return Limits{FileBytes: config.FileMB << 20, DayBytes: config.FileDayMB << 20, DayFiles: config.FileDayCount}
}

// Draft is a file to be uploaded.
type Draft struct {
	ID   uuid.UUID
	File chat.Attachment // without its ID and Preview
	Sum  [32]byte        // the SHA-256 of the bytes
	// Preview is a smaller picture; nil if there is none.
	Preview *bucket.File
}

// Upload is a file that a person uploads, or has uploaded, to a room.
type Upload struct {
	Room chat.RoomID
	User chat.UserID
	Draft
	// Message is the message that has the file; zero until a message takes it.
	Message chat.MessageID
	// Expires is when an upload without a message is removed; zero once its message is known.
	Expires time.Time
	// Links is when the links to send its bytes expire; zero if unknown.
	Links time.Time
}

// previewTypes are the media types of previews. Every browser shows them.
var previewTypes = []string{"image/webp", "image/jpeg", "image/png"}

// CheckPreview returns an Invalid error unless f can be a preview. The prefix begins the path of
// the field at fault.
func CheckPreview(f bucket.File, prefix string) error {
	switch {
	case !slices.Contains(previewTypes, f.Type):
		return chat.Invalidf(prefix+"type", "must be one of %s", strings.Join(previewTypes, ", "))
	case f.Bytes < 1 || f.Bytes > MaxPreview:
		return chat.Invalidf(prefix+"bytes", "must be 1 to %d", MaxPreview)
	}
	return nil
}

// check returns an Invalid error unless d can be uploaded at a time.
func (d Draft) check(l Limits, now time.Time) error {
	f := d.File
	switch {
	case (chat.MessageID{UUID: d.ID}).SentAt().After(now.Add(chat.MaxAhead)):
		return chat.ClockSkewed("ahead of", now)
	case f.Name == "" || len(f.Name) > MaxName || !utf8.ValidString(f.Name):
		return chat.Invalidf("name", "must be 1 to %d bytes of UTF-8", MaxName)
	case strings.ContainsFunc(f.Name, misleads) || f.Name == "." || f.Name == "..":
		return chat.Invalidf("name", "must be a file name without / and \\, control characters and marks of direction")
	case visual.Blank(f.Name):
		return chat.CheckShows("name", f.Name)
	case !isMediaType(f.Type):
		return chat.Invalidf("type", "must be a media type without parameters, in lower case, such as image/png")
	case !l.accepts(f.Type):
		return chat.Invalidf("type", "must be one of %s", strings.Join(l.Types, ", "))
	case f.Bytes < 1 || f.Bytes > min(l.FileBytes, l.DayBytes):
		return chat.Invalidf("bytes", "must be 1 to %d", min(l.FileBytes, l.DayBytes))
	case f.Width < 0 || f.Width > MaxPixels || f.Height < 0 || f.Height > MaxPixels ||
		(f.Width == 0) != (f.Height == 0):
		return chat.Invalidf("width", "must be given with the height, each 1 to %d", MaxPixels)
	case len(f.Alt) > MaxAlt || !utf8.ValidString(f.Alt):
		return chat.Invalidf("alt", "must be at most %d bytes of UTF-8", MaxAlt)
	case len(f.Placeholder) > MaxPlaceholder:
		return chat.Invalidf("placeholder", "must be at most %d bytes", MaxPlaceholder)
	}
	if d.Preview != nil {
		return CheckPreview(*d.Preview, "preview.")
	}
	return nil
}

// misleads reports whether a file name with r may look like another one, or like a path.
func misleads(r rune) bool {
	return r == '/' || r == '\\' || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' ||
		r == '\u2029'
}

// Clean returns a file with a name, a type and a description that an upload may have.
func Clean(f chat.Attachment) chat.Attachment {
	f.Name = cleanName(f.Name)
	f.Type, _, _ = strings.Cut(strings.ToLower(f.Type), ";")
	if f.Type = strings.TrimSpace(f.Type); !isMediaType(f.Type) {
		f.Type = savedType
	}
	f.Alt = shortened(strings.ToValidUTF8(f.Alt, ""), MaxAlt)
	return f
}

// maxExtension is the longest end of a name that is kept when the name is shortened.
const maxExtension = 20

// cleanName returns a name without the characters that a name cannot have, and not longer than one
// may be. It keeps the extension.
func cleanName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '/' || r == '\\':
			return '_'
		case misleads(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if name = strings.TrimSpace(name); strings.Trim(name, ".") == "" || visual.Blank(name) {
		return "file"
	}
	extension := path.Ext(name)
	if len(extension) > maxExtension {
		extension = ""
	}
	return shortened(strings.TrimSuffix(name, extension), MaxName-len(extension)) + extension
}

// shortened returns the beginning of a text, which ends between characters.
func shortened(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// isMediaType reports whether s is a type and a subtype (RFC 6838) without parameters.
func isMediaType(s string) bool {
	kind, sub, ok := strings.Cut(s, "/")
	return ok && len(s) <= MaxType && isToken(kind) && isToken(sub)
}

func isToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; !chat.LowerAlnum(c) && (i == 0 || strings.IndexByte("!#$&-^_.+", c) < 0) {
			return false
		}
	}
	return s != ""
}

// accepts reports whether files of a type may be uploaded.
func (l Limits) accepts(mediaType string) bool {
	return l.Types == nil || slices.ContainsFunc(l.Types, func(accepted string) bool {
		kind, all := strings.CutSuffix(accepted, "*")
		return accepted == mediaType || all && strings.HasPrefix(mediaType, kind)
	})
}

// same reports whether a retry of u has the same content.
func (u Upload) same(d Draft) bool {
	a, b := u.File, d.File
	same := a.Name == b.Name && a.Type == b.Type && a.Bytes == b.Bytes && a.Width == b.Width && a.Height == b.Height &&
		a.Alt == b.Alt
	previews := (u.Preview == nil) == (d.Preview == nil) && (u.Preview == nil || *u.Preview == *d.Preview)
	return same && previews && bytes.Equal(u.Sum[:], d.Sum[:]) && bytes.Equal(a.Placeholder, b.Placeholder)
}

// file returns the description of u's bytes.
func (u Upload) file() bucket.File {
	return bucket.File{Type: u.File.Type, Bytes: u.File.Bytes, SHA256: u.Sum}
}

// attachment returns u as its message has it.
func (u Upload) attachment() chat.Attachment {
	a := u.File
	a.ID, a.Preview = u.ID, u.Preview != nil
	return a
}

// FileKey returns the key of a file in the bucket.
func FileKey(room chat.RoomID, user chat.UserID, id uuid.UUID) string {
	return fmt.Sprintf("%s/%s/%s", room, user, id)
}

// PreviewKey returns the key of the preview of a file.
func PreviewKey(room chat.RoomID, user chat.UserID, id uuid.UUID) string {
	return FileKey(room, user, id) + preview
}

// preview ends the key of a preview.
const preview = "/preview"

// ParseKey reads a key that FileKey or PreviewKey returned, as the row of its upload, which is
// removed and has no message.
func ParseKey(key string) (room chat.RoomID, row feed.RowChange, err error) {
	parts := strings.Split(strings.TrimSuffix(key, preview), "/")
	if len(parts) != 3 {
		return "", row, fmt.Errorf("the key %q is not an upload's", key)
	}
	if room, err = chat.ParseRoomID(parts[0]); err != nil {
		return "", row, err
	}
	id, err := chat.ParseMessageID(parts[2] + "~" + parts[1])
	return room, feed.RowChange{User: id.User, Upload: id.UUID, Removed: true}, err
}
