// Package digest identifies the content of a message or a request without storing it.
package digest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
)

// Content is everything that a client sends in a message. A retry must send the same content.
type Content struct {
	Text string
	// More holds the values of all other fields by name. A new field must be added here; otherwise
	// messages that differ only in that field have equal digests. A field without values counts as
	// absent.
	More map[string][]string
}

// digestSize is the number of bytes of the MAC that are stored. These 128 bits are enough, because
// only the sender of the message could look for a collision.
const digestSize = 16

// Sum returns the keyed digest of a message's content. A retry must send the same content as the
// first attempt. The key belongs to the room, so a copy of the message item is not enough to guess
// a deleted text.
func Sum(key []byte, c Content) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(c.canonical())
	return mac.Sum(nil)[:digestSize]
}

// canonical encodes c so that different contents have different bytes. It writes the text, then
// each other field's name, number of values, and values. A length precedes every string. The
// encoding of a message with only a text never changes, because stored digests depend on it.
func (c Content) canonical() []byte {
	b := appendSized(nil, c.Text)
	for _, name := range slices.Sorted(maps.Keys(c.More)) {
		values := c.More[name]
		if len(values) == 0 {
			continue
		}
		b = binary.BigEndian.AppendUint64(appendSized(b, name), uint64(len(values)))
		for _, value := range values {
			b = appendSized(b, value)
		}
	}
	return b
}

func appendSized(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint64(b, uint64(len(s))), s...)
}
