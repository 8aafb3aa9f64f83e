package search

import (
	"strings"

	"example.com/parley/internal/chat"
)

// Shrink makes the parts of indexes so small that a test has many.
func (s *Service) Shrink() {
	s.sizes = sizes{blockText: 200, segmentText: 30, pageMessages: 7, saveChanges: 5, maxBehind: 40}
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
