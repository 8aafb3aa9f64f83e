package socket

import (
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
