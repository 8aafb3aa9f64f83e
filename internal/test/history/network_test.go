package history_test

import (
	"bytes"
	"context"
	"errors"

	"example.com/parley/internal/follow"
)

// lostFrame is the number of a frame of changes that the network loses in any case.
const lostFrame = 2

// dial connects over a network that fails.
func (s *socketReader) dial(ctx context.Context, address, token string) (follow.Socket, error) {
	conn, err := follow.DialSocket(ctx, address, token)
	if err != nil {
		return nil, err
	}
	l := &lossy{Socket: conn, reader: s}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = append(s.open, l)
	return l, nil
}

// fate is what the network does with a frame of changes.
type fate int

const (
	arrives fate = iota
	isLost
	isRepeated
	isLate // it comes after the next frame
	isCut  // the connection breaks
)

// fate counts a frame of changes, and returns its fate.
func (s *socketReader) fate() fate {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames++
	fates := [20]fate{isLost, isLost, isRepeated, isLate, isCut} // all others arrive
	f := fates[s.r.IntN(len(fates))]
	if s.frames == lostFrame {
		f = isLost
	}
	if f == isLost {
		s.lost++
	}
	return f
}

// lossy is a connection that loses, repeats and reorders frames of changes, and breaks.
type lossy struct {
	follow.Socket
	reader *socketReader
	queue  [][]byte
}

func (l *lossy) Read(ctx context.Context) ([]byte, error) {
	if len(l.queue) > 0 {
		text := l.queue[0]
		l.queue = l.queue[1:]
		return text, nil
	}
	for {
		text, err := l.Socket.Read(ctx)
		if bytes.Contains(text, []byte(`"type":"ack"`)) {
			l.reader.subscribed()
		}
		if err != nil || !bytes.Contains(text, []byte(`"type":"changes"`)) {
			return text, err
		}
		switch l.reader.fate() {
		case isLost:
		case isRepeated:
			l.queue = append(l.queue, text)
			return text, nil
		case isLate:
			later, err := l.Socket.Read(ctx)
			l.queue = append(l.queue, text)
			return later, err
		case isCut:
			l.Close()
			return nil, errors.New("the connection broke")
		default:
			return text, nil
		}
	}
}

// cut breaks all connections of the reader.
func (s *socketReader) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.open {
		go l.Close() // it waits for the other side
	}
	s.open = nil
}
