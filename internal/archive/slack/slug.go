package slack

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/chat"
)

// roomIDs returns a distinct room id for each channel name. The result does not depend on the order
// of the names.
//
// A name that is a valid room id is its own id. If several other names map to the same id, they get
// the suffixes -2, -3 and so on in byte order. No id has the form of private rooms.
func roomIDs(names []string) map[string]chat.RoomID {
	ids := make(map[string]chat.RoomID, len(names))
	taken := make(map[chat.RoomID]bool, len(names))
	var rest []string
	for _, name := range names {
		id, err := chat.ParseRoomID(name)
		if err != nil || id.Private() {
			rest = append(rest, name)
			continue
		}
		ids[name], taken[id] = id, true
	}
	slices.Sort(rest)
	for _, name := range slices.Compact(rest) {
		base := slug(name)
		id := chat.RoomID(base)
		for n := 2; taken[id]; n++ {
			id = archive.Numbered(base, n)
		}
		ids[name], taken[id] = id, true
	}
	return ids
}

// slug writes a name in the alphabet of room ids and replaces each other character by a dash. If
// only dashes remain, it returns a digest of the name. The result never has the form of a private
// room's id.
func slug(name string) string {
	s := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	s = strings.Trim(s, "-")
	if s == "" {
		sum := sha256.Sum256([]byte(name))
		return "channel-" + hex.EncodeToString(sum[:4])
	}
	if chat.RoomID(s).Private() {
		s = "channel-" + s
	}
	return archive.CutID(s, chat.MaxRoomID)
}

// oneLine fits s into a line of at most limit bytes. It replaces control characters by spaces and
// cuts between characters.
func oneLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
