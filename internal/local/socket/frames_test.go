package socket_test

import (
	"strings"
	"testing"
)

// TestGateway_MessagesOfAllSizesInOrder posts messages of sizes at which the form of a frame
// changes, faster than the client receives them. The gateway answers pings in between.
func TestGateway_MessagesOfAllSizesInOrder(t *testing.T) {
	t.Parallel()
	a := serve(t)
	ws, id := a.connect(t)
	pings := make(chan error, 1)
	const rounds = 20
	sizes := []int{0, 1, 125, 126, 511, 512, 32<<10 - 1, 32 << 10, 32<<10 + 1, 64 << 10, 128 << 10}
	go func() {
		for range rounds {
			if err := ws.Ping(t.Context()); err != nil {
				pings <- err
				return
			}
		}
		pings <- nil
	}()
	for range rounds {
		for _, n := range sizes {
			if err := a.Post(id, []byte(strings.Repeat("x", n))); err != nil {
				t.Fatal(err)
			}
		}
		for _, n := range sizes {
			if got := receive(t, ws); len(got) != n {
				t.Fatalf("received %d bytes, want %d", len(got), n)
			}
		}
	}
	go func() { _, _, _ = ws.Read(t.Context()) }() // the last answers to pings
	if err := <-pings; err != nil {
		t.Error(err)
	}
	if err := a.Delete(id); err != nil {
		t.Error(err)
	}
}
