package socket

import (
	"encoding/binary"
	"net"
	"time"
)

const (
	opContinuation = 0x0
	opText         = 0x1
	opClose        = 0x8
	// maxHead is the size of the header of a frame of up to 64 KB to a client.
	maxHead = 4
)

// Write writes for the WebSocket library, which sends only control frames on this connection. They
// fit in its buffer, so each is one write and never splits a message.
func (m *meter) Write(p []byte) (int, error) {
	m.writing.Lock()
	defer m.writing.Unlock()
	if len(p) > 0 && p[0] == finalBit|opClose {
		m.closed = true
	}
	if err := m.SetWriteDeadline(time.Now().Add(m.writeTime)); err != nil {
		return 0, err
	}
	return m.Conn.Write(p)
}

// writeMessages writes messages with a single system call. The library would make two for each
// message that is larger than its buffer, and the client would wake up as often. After an
// error, the last frame may be incomplete.
func (m *meter) writeMessages(messages [][]byte) error {
	m.writing.Lock()
	defer m.writing.Unlock()
	if m.closed {
		return net.ErrClosed // nothing follows a close frame
	}
	if err := m.SetWriteDeadline(time.Now().Add(m.writeTime)); err != nil {
		return err
	}
	frames := framesOf(messages)
	_, err := frames.WriteTo(m.Conn)
	return err
}

// framesOf returns the headers and payloads of text messages, in frames that the service would
// write.
func framesOf(messages [][]byte) net.Buffers {
	frames := make(net.Buffers, 0, 2*len(messages))
	heads := make([]byte, 0, maxHead*len(messages))
	for _, rest := range messages {
		for op := byte(opText); ; op = opContinuation {
			payload := rest[:min(len(rest), maxFrame)]
			if rest = rest[len(payload):]; len(rest) == 0 {
				op |= finalBit
			}
			begin := len(heads)
			if len(payload) < length16 {
				heads = append(heads, op, byte(len(payload))) //nolint:gosec // less than 126
			} else {
				heads = binary.BigEndian.AppendUint16(append(heads, op, length16), uint16(len(payload))) //nolint:gosec // at most 32 KB
			}
			frames = append(frames, heads[begin:], payload)
			if len(rest) == 0 {
				break
			}
		}
	}
	return frames
}
