package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/chat"
)

// RoomIDs gives each channel name its room id, whatever the order of the names.
// A name that is a room id keeps it; of names that become the same id, the
// others get -2, -3 and so on in the order of their bytes. The form of
// private rooms is never given out.
func RoomIDs(names []string) map[string]chat.RoomID {
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
		for n := 2; taken[id] || id.Private(); n++ {
			id = numbered(base, n)
		}
		ids[name], taken[id] = id, true
	}
	return ids
}

// slug writes a name in the alphabet of room ids: everything outside it is a
// dash, as "_" is. A name of which nothing is left becomes a digest.
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
	return cutSlug(s, chat.MaxRoomID)
}

func numbered(base string, n int) chat.RoomID {
	suffix := fmt.Sprintf("-%d", n)
	return chat.RoomID(cutSlug(base, chat.MaxRoomID-len(suffix)) + suffix)
}

func cutSlug(s string, most int) string {
	if len(s) > most {
		s = s[:most]
	}
	return strings.TrimRight(s, "-")
}

// oneLine fits s into a line of at most most bytes: control characters
// become spaces, and what is too long is cut between characters.
func oneLine(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
