package main

import (
	"fmt"
	"net"
	"os"
	"strings"
)

// announce tells where everything is, and how to get a token, on lines that
// can be pasted.
func (c *serveCmd) announce(s streams, listener net.Listener, engine string) {
	url := "http://" + reachable(listener.Addr())
	fmt.Fprintf(s.Out, "ready %s\n", url)
	fmt.Fprintf(s.Out, "docs  %s/docs\n", url)
	fmt.Fprintf(s.Out, "table %s at %s\n", localTable, engine)
	if c.Issuer == "" {
		fmt.Fprintf(s.Out, "token %s token --data %s --user NAME\n", quoted(os.Args[0]), quoted(c.Data))
	}
}

// reachable is an address that a client on this machine can use, also for a
// listener on all of its addresses.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return fmt.Sprintf("localhost:%d", tcp.Port)
}

// quoted is a word as a shell reads it back.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+="
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
