package outgoing

import (
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"sync"
	"testing"
)

// names is a DNS server on 127.0.0.1. It answers the first lookup of a name with the first of the
// name's addresses, the second with the second, and later ones with the last.
type names struct {
	conn net.PacketConn
	mu   sync.Mutex
	next map[string][]string
}

func serveNames(t *testing.T, addrs map[string][]string) *names {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &names{conn: conn, next: addrs}
	done := make(chan struct{})
	go func() {
		defer close(done)
		n.serve()
	}()
	t.Cleanup(func() {
		conn.Close()
		<-done
	})
	return n
}

// resolver returns a resolver that asks only this server.
func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp4", n.conn.LocalAddr().String())
	}}
}

func (n *names) serve() {
	buf := make([]byte, 1500)
	for {
		size, from, err := n.conn.ReadFrom(buf)
		if err != nil {
			return
		}
		if answer := n.answer(buf[:size]); answer != nil {
			_, _ = n.conn.WriteTo(answer, from) // an answer that is lost is asked for again
		}
	}
}

// answer returns the answer to a query with one question (RFC 1035, section 4).
func (n *names) answer(query []byte) []byte {
	const header, typeA, typeAAAA = 12, 1, 28
	name, end := "", header
	for end < len(query) && query[end] != 0 {
		label := query[end+1 : end+1+int(query[end])]
		name += string(label) + "."
		end += 1 + len(label)
	}
	if end += 5; end > len(query) {
		return nil
	}
	var records [][]byte
	asked := binary.BigEndian.Uint16(query[end-4:])
	for _, addr := range n.addresses(name, asked == typeA) {
		if addr.Is4() == (asked == typeA) && (asked == typeA || asked == typeAAAA) {
			records = append(records, addr.AsSlice())
		}
	}
	answer := append([]byte{query[0], query[1], 0x84, 0, 0, 1, 0, byte(len(records)), 0, 0, 0, 0}, query[header:end]...)
	for _, record := range records {
		answer = append(answer, 0xc0, header, 0, byte(asked), 0, 1, 0, 0, 0, 0, 0, byte(len(record)))
		answer = append(answer, record...)
	}
	return answer
}

// addresses returns the addresses of a name. A lookup asks for both kinds; the question for IPv4
// moves on to the next.
func (n *names) addresses(name string, move bool) []netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := n.next[name]
	if len(all) == 0 {
		return nil
	}
	if move && len(all) > 1 {
		n.next[name] = all[1:]
	}
	return []netip.Addr{netip.MustParseAddr(all[0])}
}
