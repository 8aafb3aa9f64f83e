package socket_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/coder/websocket"
)

// Each client does something wrong. Another client's connection works as before.
func TestGateway_ClientsHarmOnlyThemselves(t *testing.T) {
	t.Parallel()
	text := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct {
		writes []byte
		closed websocket.StatusCode // 0 if the connection continues
		answer string
		cut    bool // the client ends the connection
	}{
		"a frame over 32 KB":                         {frame(final|opText, text(32<<10+1)), 1009, "", false},
		"a frame of 32 KB":                           {frame(final|opText, text(32<<10)), 0, text(32 << 10), false},
		"a large frame after a small one":            {append(frame(final|opText, "ok"), frame(final|opText, text(40<<10))...), 1009, "ok", false},
		"a large frame in a message":                 {append(frame(opText, "ok"), frame(final|opContinue, text(40<<10))...), 1009, "", false},
		"a large frame that does not come":           {frame(final|opText, text(70<<10))[:14], 1009, "", true},
		"a message of 128 KB in frames":              {fragments(text(32<<10), 4), 0, text(128 << 10), false},
		"a message over 128 KB in frames":            {fragments(text(32<<10), 5), 1009, "", false},
		"a fragmented message":                       {fragments("ab", 3), 0, "ababab", false},
		"a ping within a message":                    {join(frame(opText, "a"), frame(final|opPing, "p"), frame(final|opContinue, "b")), 0, "ab", false},
		"a binary message":                           {frame(final|opBinary, "x"), 1003, "", false},
		"text that is not UTF-8":                     {frame(final|opText, "\xff"), 1007, "", false},
		"malformed JSON":                             {frame(final|opText, `{"type":`), 0, `{"type":`, false},
		"an empty message":                           {append(frame(final|opText, ""), frame(final|opText, "next")...), 0, "next", false},
		"a continuation of nothing":                  {frame(final|opContinue, "x"), 1002, "", false},
		"a message within a message":                 {append(frame(opText, "a"), frame(final|opText, "b")...), 1002, "", false},
		"an unknown opcode":                          {frame(final|0x3, ""), 1002, "", false},
		"reserved bits":                              {frame(final|0x40|opText, "x"), 1002, "", false},
		"a fragmented ping":                          {frame(opPing, ""), 1002, "", false},
		"a large ping":                               {frame(final|opPing, text(126)), 1002, "", false},
		"an unmasked frame":                          {[]byte{final | opText, 1, 'x'}, 1002, "", false},
		"a negative length":                          {[]byte{final | opText, masked | 127, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1009, "", false},
		"a close frame without a code":               {frame(final|opClose, "x"), 1002, "", false},
		"an end in the middle of a frame's header":   {[]byte{final | opText}, 1006, "", true},
		"an end in the middle of a frame's contents": {frame(final|opText, "xx")[:7], 1006, "", true},
		"a panic of the function":                    {frame(final|opText, "panic"), 0, `{"message":"Internal server error"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := serve(t)
			other, _ := a.connect(t)
			bad, id := a.connectRaw(t)
			bad.write(c.writes)
			if c.closed == 0 {
				if got := bad.message(len(c.answer)); !strings.HasPrefix(got, c.answer) {
					t.Errorf("the answer has %d bytes: %.80s", len(got), got)
				}
				bad.write(frame(final|opText, "again"))
				if got := bad.message(1); got != "again" {
					t.Errorf("the next answer: %.80s", got)
				}
			}
			wantEcho(t, other)
			switch {
			case c.closed == 0:
				return
			case c.cut:
				_ = bad.Close()
			default:
				bad.wantClose(c.closed)
			}
			e := a.await(t, "DISCONNECT", 1)
			if e.RequestContext.ConnectionID != id || e.RequestContext.DisconnectStatusCode != int64(c.closed) {
				t.Errorf("the end of %s with %d", e.RequestContext.ConnectionID, e.RequestContext.DisconnectStatusCode)
			}
			for _, m := range a.all("MESSAGE") {
				if m.RequestContext.ConnectionID == id && m.Body != c.answer {
					t.Errorf("a message of %d bytes reached the function", len(m.Body))
				}
			}
			wantEcho(t, other)
		})
	}
}

// fragments returns a message of n equal frames.
func fragments(each string, n int) []byte {
	all := frame(opText, each)
	for range n - 2 {
		all = append(all, frame(opContinue, each)...)
	}
	return append(all, frame(final|opContinue, each)...)
}

func join(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// message reads frames until a message has at least a number of bytes. Larger messages come in
// frames.
func (c raw) message(atLeast int) string {
	c.t.Helper()
	var text []byte
	for {
		op, payload, err := c.next()
		if err != nil || op == final|opClose {
			c.t.Fatalf("opcode %x, %v", op, err)
		}
		if op&0xf == opPong {
			continue
		}
		if text = append(text, payload...); op&final != 0 && len(text) >= atLeast {
			return string(text)
		}
	}
}

func TestGateway_RefusesMalformedHandshakes(t *testing.T) {
	t.Parallel()
	a := serve(t)
	other, _ := a.connect(t)
	for name, c := range map[string]struct {
		old, new string
		status   int
	}{
		"no upgrade":        {"Upgrade: websocket\r\n", "", 426},
		"no connection":     {"keep-alive, Upgrade", "close", 426},
		"another protocol":  {"Upgrade: websocket", "Upgrade: h2c", 426},
		"another method":    {"GET /", "POST /", 400},
		"an older protocol": {"Version: 13", "Version: 8", 400},
		"no key":            {"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n", "", 400},
		"a short key":       {"AAAAAAAAAAAAAAAAAAAAAA==", "AAAA", 400},
		"two keys":          {"\r\n\r\n", "\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", 400},
	} {
		t.Run(name, func(t *testing.T) {
			request := strings.Replace(handshake, c.old, c.new, 1)
			if request == handshake {
				t.Fatal("nothing was replaced")
			}
			if _, resp := a.dialRaw(t, request); resp.StatusCode != c.status {
				t.Errorf("status %d, want %d", resp.StatusCode, c.status)
			}
			wantEcho(t, other)
		})
	}
	if n := len(a.authorized); n != 1 {
		t.Errorf("the authorizer was asked %d times", n)
	}
}

// A client that sends without receiving blocks itself.
func TestGateway_FloodHarmsOnlyItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := serveInMemory(t)
		other, _ := a.connect(t)
		bad, id := a.connectRaw(t)
		go func() {
			message := frame(final|opText, strings.Repeat("x", 30<<10))
			for {
				if _, err := bad.Write(message); err != nil {
					return
				}
			}
		}()
		e := a.await(t, "DISCONNECT", 1)
		if e.RequestContext.ConnectionID != id || e.RequestContext.DisconnectStatusCode != 1006 {
			t.Errorf("the end of %s with %d", e.RequestContext.ConnectionID, e.RequestContext.DisconnectStatusCode)
		}
		wantEcho(t, other)
	})
}

// The answers to one connection's messages come in the messages' order.
func TestGateway_AnswersInOrder(t *testing.T) {
	t.Parallel()
	a := serve(t)
	ws, _ := a.connect(t)
	const n = 200
	go func() {
		for i := range n {
			_ = ws.Write(t.Context(), websocket.MessageText, fmt.Appendf(nil, "%d", i))
		}
	}()
	for i := range n {
		if got := receive(t, ws); got != fmt.Sprint(i) {
			t.Fatalf("answer %d is %s", i, got)
		}
	}
}
