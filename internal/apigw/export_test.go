package apigw

import (
	"context"
	"net"
)

// SetDial replaces the network.
func (c *Client) SetDial(dial func(ctx context.Context, network, addr string) (net.Conn, error)) {
	c.transport.DialContext = dial
}
