package chat

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"

	"github.com/google/uuid"
)

// A cursor is one position in the merged order of a room, so it survives
// a change of the number of shards. It is bound to the question it belongs to and grants
// nothing: access is checked on every page. In bytes:
//
//	version 1 | order 1 | hash of the question 8 | time 8 | uuid 16 | user
const (
	cursorVersion = 1
	cursorHead    = 1 + 1 + 8 + 8 + 16
	// maxCursor bounds what is decoded at all.
	maxCursor = (cursorHead+MaxUserID)*4/3 + 4
)

var cursorEncoding = base64.RawURLEncoding.Strict()

// decodeCursorText reads the only form that cursorEncoding writes: Go's decoder
// would pass over line breaks.
func decodeCursorText(text string) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return nil, badCursor("the cursor is not one of ours")
	}
	return cursorEncoding.DecodeString(text)
}

// encodeCursor writes where a page of s ended.
func encodeCursor(s Span, p Position) string {
	b := make([]byte, 0, cursorHead+len(p.ID.User))
	b = append(b, cursorVersion, byte(s.Order))
	b = append(b, questionHash(s)...)
	b = binary.BigEndian.AppendUint64(b, uint64(p.At.UnixMilli()))
	b = append(b, p.ID.UUID[:]...)
	b = append(b, p.ID.User...)
	return cursorEncoding.EncodeToString(b)
}

// decodeCursor reads what encodeCursor wrote for the same question.
func decodeCursor(text string, s Span) (Order, Position, error) {
	if len(text) > maxCursor {
		return 0, Position{}, badCursor("the cursor is too long")
	}
	b, err := decodeCursorText(text)
	if err != nil || len(b) <= cursorHead {
		return 0, Position{}, badCursor("the cursor is not one of ours")
	}
	if b[0] != cursorVersion || b[1] > byte(Oldest) {
		return 0, Position{}, badCursor("the cursor is not one of ours")
	}
	if !bytes.Equal(b[2:10], questionHash(s)) {
		return 0, Position{}, badCursor("the cursor belongs to another room or question")
	}
	p, err := decodePosition(b[10:], s)
	if err != nil {
		return 0, Position{}, badCursor("the cursor is not one of ours")
	}
	return Order(b[1]), p, nil
}

func decodePosition(b []byte, s Span) (Position, error) {
	ms := int64(binary.BigEndian.Uint64(b))
	id, err := ParseUUID(uuid.UUID(b[8:24]).String())
	if err != nil {
		return Position{}, err
	}
	user, err := ParseUserID(string(b[24:]))
	if err != nil {
		return Position{}, err
	}
	p := Position{At: time.UnixMilli(ms).UTC(), ID: MessageID{UUID: id, User: user}}
	if y := p.At.Year(); y < 1 || y > maxYear {
		return Position{}, badCursor("a time out of range")
	}
	if s.User != "" && (p.ID.User != s.User || !p.At.Equal(p.ID.SentAt())) {
		return Position{}, badCursor("a position outside the question")
	}
	return p, nil
}

// questionHash tells questions apart: the room, the user and the range.
func questionHash(s Span) []byte {
	h := sha256.New()
	for _, f := range []string{string(s.Room), string(s.User), bound(s.From), bound(s.To)} {
		var n [4]byte
		binary.BigEndian.PutUint32(n[:], uint32(len(f)))
		h.Write(n[:])
		h.Write([]byte(f))
	}
	return h.Sum(nil)[:8]
}

func bound(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func badCursor(detail string) *Error {
	return &Error{Kind: BadCursor, Field: "cursor", Detail: detail}
}
