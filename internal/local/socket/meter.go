package socket

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	finalBit    = 0x80
	maskBit     = 0x80
	opcodeBits  = 0x0f
	controlBit  = 0x08
	lengthBits  = 0x7f
	length16    = 126 // two more bytes contain the length
	length64    = 127 // eight more bytes contain the length
	maskSize    = 4
	maxHeadSize = 2 + 8 + maskSize
)

// meter is a connection whose frames are measured as they are read. The WebSocket library bounds
// messages, but not their frames. The meter writes messages itself.
type meter struct {
	net.Conn
	rest      []byte        // read from the connection, but not by the reader of the meter
	writeTime time.Duration // for the client to receive one message

	head    [maxHeadSize]byte
	read    int    // how much of the current frame's header was read
	payload uint64 // how much of the current frame's payload follows
	message int    // the number of messages whose last frame has begun
	tooBig  atomic.Int64

	writing sync.Mutex
	closed  bool // a close frame was written
}

// Read measures the frames in the bytes that it returns.
func (m *meter) Read(p []byte) (n int, err error) {
	if len(m.rest) > 0 {
		n = copy(p, m.rest)
		m.rest = m.rest[n:]
	} else {
		n, err = m.Conn.Read(p)
	}
	m.measure(p[:n])
	return n, err
}

// oversized reports whether the nth message, from 1, or an earlier one has too large a frame.
func (m *meter) oversized(n int) bool {
	first := m.tooBig.Load()
	return first > 0 && int64(n) >= first
}

func (m *meter) measure(p []byte) {
	for len(p) > 0 {
		if m.payload > 0 {
			n := min(uint64(len(p)), m.payload)
			m.payload -= n
			p = p[n:]
			continue
		}
		m.head[m.read] = p[0]
		m.read++
		p = p[1:]
		if m.read >= 2 && m.read == headSize(m.head[1]) {
			m.begin()
		}
	}
}

// begin reads the length of a frame whose header is complete.
func (m *meter) begin() {
	switch length := m.head[1] & lengthBits; length {
	case length16:
		m.payload = uint64(binary.BigEndian.Uint16(m.head[2:]))
	case length64:
		m.payload = binary.BigEndian.Uint64(m.head[2:])
	default:
		m.payload = uint64(length)
	}
	if m.payload > maxFrame {
		m.tooBig.CompareAndSwap(0, int64(m.message+1))
	}
	if m.head[0]&finalBit != 0 && m.head[0]&opcodeBits&controlBit == 0 {
		m.message++
	}
	m.read = 0
}

// headSize returns the size of a header by its second byte.
func headSize(b byte) int {
	size := 2
	switch b & lengthBits {
	case length16:
		size += 2
	case length64:
		size += 8
	}
	if b&maskBit != 0 {
		size += maskSize
	}
	return size
}

// isNetworkError reports whether a connection cannot be read because it has ended, and not because
// its bytes are invalid.
func isNetworkError(err error) bool {
	var network net.Error
	return errors.Is(
		err, io.EOF,
	) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.As(err, &network)
}
