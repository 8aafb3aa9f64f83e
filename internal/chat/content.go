package chat

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
)

// Content is what a client sends as a message. A retry must bring the same.
type Content struct {
	Text string
	// More holds the values of every other field by its name. No field is sent yet: a field that
	// comes is entered here, or a retry that differs in it alone passes for the same message. A
	// field without values is the same as none.
	More map[string][]string
}

// digestSize is how much of the MAC is kept: 128 bits, since only the sender
// of the message could look for a collision, and only to fool themself.
const digestSize = 16

// ContentDigest is the keyed digest of what a client sent: the key is the room's,
// so that a copy of the item alone does not let a deleted text be guessed.
func ContentDigest(key []byte, c Content) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(c.canonical())
	return mac.Sum(nil)[:digestSize]
}

// canonical writes the content so that two contents have the same bytes only when they are the
// same: the text, and then each other field by its name, its number of values and the values, all
// of them behind their lengths. The bytes of a text alone are stored in digests and never change.
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
