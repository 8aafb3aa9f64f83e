package archive

import (
	"context"
	"crypto/sha256"
	"sync"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

const (
	// markSize is the size of a mark in bytes. Two of a million reactions have the same one with a
	// probability of 1 in 37 million, and then one of them would not return.
	markSize = 8
	// maxMarks bounds the marks of a room's month: 30,000 are 300 KB, and an item has at most 400.
	// The others are not marked, so a later import puts them again.
	maxMarks = 30_000
)

// reacted are the marks of the reactions that imports have put to messages of a room in a month. A
// later import does not put them again: who has removed one here keeps it removed.
type reacted struct {
	room  chat.RoomID
	month string

	mu     sync.Mutex
	loaded bool
	before map[string]bool // the marks in the store, once loaded
	added  map[string]bool // the marks of this load
}

// markOf returns the mark of a reaction to a message.
func markOf(id chat.MessageID, r Reaction) string {
	sum := sha256.Sum256([]byte(id.String() + "\x00" + r.Emoji + "\x00" + string(r.User)))
	return string(sum[:markSize])
}

// reactedIn returns the marks of the month of a message.
func (l *loader) reactedIn(m chat.Message) *reacted {
	month := m.ReceivedAt.UTC().Format("2006-01")
	key := string(m.Room) + " " + month
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.marks[key] == nil {
		l.marks[key] = &reacted{room: m.Room, month: month, added: map[string]bool{}}
	}
	return l.marks[key]
}

// load returns the marks of earlier imports, which it reads once.
func (s *reacted) load(ctx context.Context, t *dynamo.Table) (map[string]bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded {
		return s.before, nil
	}
	marks, err := importedReactions(ctx, t, s.room, s.month)
	if err != nil {
		return nil, err
	}
	s.loaded, s.before = true, make(map[string]bool, len(marks))
	for _, mark := range marks {
		s.before[string(mark)] = true
	}
	return s.before, nil
}

// add notes the reactions to a message, which are stored.
func (s *reacted) add(id chat.MessageID, all []Reaction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range all {
		if mark := markOf(id, r); !s.before[mark] && len(s.before)+len(s.added) < maxMarks {
			s.added[mark] = true
		}
	}
}

// putMarks stores the marks of this load.
func (l *loader) putMarks(ctx context.Context) {
	for _, s := range l.marks {
		if len(s.added) == 0 {
			continue
		}
		marks := make([][]byte, 0, len(s.added))
		for mark := range s.added {
			marks = append(marks, []byte(mark))
		}
		err := l.retry(ctx, func() error { return addImportedReactions(ctx, l.store.Table(), s.room, s.month, marks) })
		if err != nil && ctx.Err() == nil {
			l.warn(Place{}, "which reactions were imported could not be stored: "+err.Error())
		}
	}
}
