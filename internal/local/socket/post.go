package socket

import "errors"

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
