package main

import (
	"net"
	"strings"
	"sync"
	"testing"
)

// cutter is a network between clients and servers that can fail. Its address does not change while
// servers come and go.
type cutter struct {
	net.Listener

	mu     sync.Mutex
	thaw   *sync.Cond
	target string
	frozen bool
	conns  map[net.Conn]bool
}

func newCutter(t *testing.T, serverURL string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{Listener: l, conns: map[net.Conn]bool{}}
	c.thaw = sync.NewCond(&c.mu)
	c.aim(serverURL)
	go c.serve()
	t.Cleanup(func() { _ = l.Close(); c.cut() })
	return c
}

func (c *cutter) url() string { return "http://" + c.Addr().String() }

// aim directs new connections to another server.
func (c *cutter) aim(serverURL string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.target = strings.TrimPrefix(serverURL, "http://")
}

// cut ends all connections without notice.
func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.conns {
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = conn.Close()
	}
	c.conns, c.frozen = map[net.Conn]bool{}, false
	c.thaw.Broadcast()
}

// freeze keeps all connections open but transfers nothing until the next cut.
func (c *cutter) freeze() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frozen = true
}

func (c *cutter) serve() {
	for {
		client, err := c.Accept()
		if err != nil {
			return
		}
		c.mu.Lock()
		target := c.target
		c.mu.Unlock()
		server, err := net.Dial("tcp", target)
		if err != nil {
			_ = client.Close()
			continue
		}
		c.mu.Lock()
		c.conns[client], c.conns[server] = true, true
		c.mu.Unlock()
		go c.carry(client, server)
		go c.carry(server, client)
	}
}

func (c *cutter) carry(to, from net.Conn) {
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		c.mu.Lock()
		for c.frozen {
			c.thaw.Wait()
		}
		c.mu.Unlock()
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			break
		}
	}
	_ = to.Close()
	_ = from.Close()
}
