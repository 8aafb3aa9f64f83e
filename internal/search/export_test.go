package search

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"

	"example.com/parley/internal/chat"
)

// Shrink makes the parts of indexes so small that a test has many.
func (s *Service) Shrink() {
	s.sizes = sizes{blockText: 200, segmentText: 30, pageMessages: 7, saveChanges: 5, maxBehind: 40, maxSteps: MaxSteps, paySteps: PaySteps}
}

// Tighten sets the work of a request and the part of it that is paid for in one step.
func (s *Service) Tighten(steps, part int64) { s.maxSteps, s.paySteps = steps, part }

// Steps returns the steps of looking for a term in a whole text.
func (t Term) Steps(folded string) int {
	_, steps := t.next(folded, 0)
	return steps
}

// Highlights returns the parts of a text that terms match.
func Highlights(text string, terms []Term) []Range {
	marks, _ := highlights(text, terms)
	return marks
}

// Match reports whether a message matches the query.
func (q Query) Match(m chat.Message) bool {
	matches, _ := q.match(docOf(m))
	return matches
}

// Pack returns the bytes of a block with columns of repeated bytes and no ids.
func (c *Codec) Pack(columns [][]byte) []byte {
	all := []byte(magic)
	for _, column := range columns {
		packed := c.encoder.EncodeAll(column, nil)
		all = append(binary.AppendUvarint(all, uint64(len(packed))), packed...)
	}
	return binary.BigEndian.AppendUint32(all, 0)
}

// Texts returns the folded texts of a stored object.
func Texts(key string, object []byte) ([]string, error) {
	c := NewCodec()
	b, err := c.Decode(object)
	if strings.HasSuffix(key, "/"+indexName) {
		room := strings.TrimSuffix(strings.TrimPrefix(key, Folder), "/"+indexName)
		var x *index
		if x, err = decodeIndex(c, chat.RoomID(room), object); err == nil {
			b = x.recent
		}
	}
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, d := range b.Docs() {
		texts = append(texts, d.Text)
	}
	return texts, nil
}

// Folded computes the folded form of a character.
func Folded(r rune) string { return folded([]rune(string(r))[0]) }

// Former returns the bytes of an index as another version has stored it.
func Former(encoded []byte) []byte {
	former := bytes.Replace(encoded[:len(encoded)-crc32.Size], []byte(indexMagic), []byte(anyIndex+"1\n"), 1)
	return binary.BigEndian.AppendUint32(former, crc32.ChecksumIEEE(former))
}
