package chat

import (
	"crypto/sha256"
	"strings"
	"unicode/utf8"
)

// Mark is where a list of rooms or people goes on: behind the entry of this
// sort key and, where sort keys repeat, of this id.
type Mark struct {
	Sort string
	ID   string
}

// markVersion begins the cursor of a list; those of messages begin otherwise.
const markVersion = 2

// maxMark bounds the cursor of a list: a place of six levels, or a name, and an id.
const maxMark = 1024

// encodeMark writes the cursor of a list: version, hash of the question, sort key, id.
func encodeMark(question string, m Mark) string {
	h := sha256.Sum256([]byte(question))
	b := append([]byte{markVersion}, h[:8]...)
	b = append(b, m.Sort...)
	b = append(b, 0)
	return cursorEncoding.EncodeToString(append(b, m.ID...))
}

// decodeMark reads what encodeMark wrote for the same question; an empty cursor is the
// zero Mark, the beginning.
func decodeMark(question, cursor string) (Mark, error) {
	if cursor == "" {
		return Mark{}, nil
	}
	if len(cursor) > maxMark {
		return Mark{}, badCursor("the cursor is too long")
	}
	b, err := decodeCursorText(cursor)
	if err != nil || len(b) < 9 || b[0] != markVersion {
		return Mark{}, badCursor("the cursor is not one of ours")
	}
	h := sha256.Sum256([]byte(question))
	if string(b[1:9]) != string(h[:8]) {
		return Mark{}, badCursor("the cursor belongs to another question")
	}
	sort, id, ok := strings.Cut(string(b[9:]), "\x00")
	if !ok || sort == "" || strings.Contains(id, "\x00") || strings.ContainsRune(sort, LastRune) || !utf8.ValidString(sort) || !utf8.ValidString(id) {
		return Mark{}, badCursor("the cursor is not one of ours")
	}
	return Mark{Sort: sort, ID: id}, nil
}

// PageOf is which part of a list is asked for.
type PageOf struct {
	Limit  int    // 1 to MaxLimit
	Cursor string // where an answer to the same question ended; empty is the beginning
}

// after checks the page, and reads where it begins.
func (p PageOf) after(question string) (Mark, error) {
	if p.Limit < 1 || p.Limit > MaxLimit {
		return Mark{}, invalid("limit", "must be 1 to %d", MaxLimit)
	}
	return decodeMark(question, p.Cursor)
}

// nextMark is the cursor of the next page; empty at the end.
func nextMark(question string, next Mark) string {
	if next == (Mark{}) {
		return ""
	}
	return encodeMark(question, next)
}
