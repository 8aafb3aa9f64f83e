package socket

import (
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// closing is the end of a connection, as the $disconnect event reports it.
type closing struct {
	code   websocket.StatusCode
	reason string
}

// conn is one connection. One goroutine receives its messages. A second one runs while messages
// wait to be sent.
type conn struct {
	gateway   *Gateway
	id        string
	host      string
	sourceIP  string
	userAgent string
	since     time.Time
	// authorizer holds the authorizer's results for the events.
	authorizer map[string]any

	ws     *websocket.Conn
	meter  *meter
	active atomic.Int64 // the time of the last message, in Unix nanoseconds
	heard  atomic.Bool  // the client has sent a message

	mu      sync.Mutex
	counted time.Time // the start of its age
	queue   [][]byte
	queued  int  // the size of the queue
	sending bool // a goroutine empties the queue
	closing *closing
	held    []held // messages that a deletion may overtake
}

// held is a message that is sent after Config.Overtaking.
type held struct {
	message []byte
	at      time.Time // when it was posted
}

func (g *Gateway) newConn(r *http.Request) (*conn, error) {
	id, err := g.newID()
	if err != nil {
		return nil, err
	}
	now := g.cfg.Clock()
	c := &conn{
		gateway: g, id: id, host: r.Host, sourceIP: sourceIP(r), userAgent: r.UserAgent(), since: now, counted: now,
	}
	c.active.Store(now.UnixNano())
	return c, nil
}

// expired reports whether a connection is too old, or has been idle for too long. After the
// clock was set back, it starts counting again.
func (c *conn) expired(now time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Before(c.counted) {
		c.counted = now
	}
	if now.Before(c.lastActive()) {
		c.active.Store(now.UnixNano())
	}
	age, first := now.Sub(c.counted), c.gateway.cfg.FirstMessage
	return age >= maxAge || now.Sub(c.lastActive()) >= maxIdle || first > 0 && age >= first && !c.heard.Load()
}

// touch records that a message was sent or received.
func (c *conn) touch() { c.active.Store(c.gateway.cfg.Clock().UnixNano()) }

func (c *conn) lastActive() time.Time { return time.Unix(0, c.active.Load()) }

// post queues a message. It never waits for the client.
func (c *conn) post(message []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	size := len(message) + queueOverhead
	switch {
	case c.closing != nil:
		return ErrGone
	case c.queued+size > maxQueue:
		return ErrFull
	}
	if wait := c.gateway.cfg.Overtaking; wait > 0 {
		c.held = append(c.held, held{message, time.Now()})
		c.queued += size
		time.AfterFunc(wait, c.release)
		return nil
	}
	c.enqueue(message)
	return nil
}

// release queues the held messages that a deletion can no longer overtake.
func (c *conn) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.held) > 0 && time.Since(c.held[0].at) >= c.gateway.cfg.Overtaking {
		message := c.held[0].message
		c.held = c.held[1:]
		c.queued -= len(message) + queueOverhead
		if c.closing == nil {
			c.enqueue(message)
		}
	}
}

// enqueue requires the lock.
func (c *conn) enqueue(message []byte) {
	c.queue = append(c.queue, message)
	c.queued += len(message) + queueOverhead
	c.wake()
}

// wake requires the lock.
func (c *conn) wake() {
	if !c.sending {
		c.sending = true
		go c.sendQueue()
	}
}

// close ends the connection after the waiting messages, and after last unless it is nil. From now
// on nothing can be sent.
func (c *conn) close(why closing, last []byte) {
	if !c.end(why) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if last != nil {
		c.enqueue(last)
	}
	c.wake()
}

// end records why the connection ends, and reports whether it had not ended before.
func (c *conn) end(why closing) bool {
	c.mu.Lock()
	first := c.closing == nil
	if first {
		c.closing = &why
	}
	c.mu.Unlock()
	if first {
		c.gateway.remove(c)
	}
	return first
}

// ended returns why the connection ends, or nil.
func (c *conn) ended() *closing {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closing
}

// sendQueue sends the messages that wait. If the connection ends, it then closes it.
func (c *conn) sendQueue() {
	for {
		messages, why, more := c.next()
		switch {
		case !more:
			return
		case why != nil:
			_ = c.ws.Close(why.code, why.reason) // the client may be gone
			return
		}
		if c.send(messages...) != nil {
			return
		}
	}
}

// next returns the next messages to send together, or why the connection is to be closed.
func (c *conn) next() (messages [][]byte, why *closing, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case len(c.queue) > 0:
		n, size := 0, 0
		for n == 0 || n < len(c.queue) && size+len(c.queue[n]) <= maxFrame {
			size += len(c.queue[n])
			n++
		}
		messages, c.queue = c.queue[:n], c.queue[n:]
		c.queued -= size + n*queueOverhead
		return messages, nil, true
	case c.closing != nil:
		c.queue = nil
		return nil, c.closing, true
	}
	c.queue, c.sending = nil, false
	return nil, nil, false
}

// send writes messages. If that fails, it cuts off the connection, and the receiver reports the
// end.
func (c *conn) send(messages ...[]byte) error {
	c.touch()
	err := c.meter.writeMessages(messages)
	if err != nil {
		_ = c.ws.CloseNow()
	}
	return err
}

// The reasons why a message cannot be sent to a connection.
var (
	ErrGone    = errors.New("the connection has ended")
	ErrFull    = errors.New("the client does not receive what was sent before")
	ErrTooLong = errors.New("the message is over 128 KB")
)

// Post sends a message to a connection, which keeps it: the caller must not change it. Post never
// waits for the client. The error is ErrTooLong, ErrGone or ErrFull.
func (g *Gateway) Post(id string, message []byte) error {
	if len(message) > maxMessage {
		return ErrTooLong
	}
	c := g.find(id)
	if c == nil {
		return ErrGone
	}
	return c.post(message)
}

// Delete closes a connection after the messages that wait for the client. The error is ErrGone.
func (g *Gateway) Delete(id string) error {
	c := g.find(id)
	if c == nil {
		return ErrGone
	}
	c.delete()
	return nil
}

// delete closes a connection. The messages that are still held are lost.
func (c *conn) delete() {
	c.release()
	c.close(closedByAPI, nil)
}

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
