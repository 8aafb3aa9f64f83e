package main

import (
	"fmt"
	"net"
	"os"
	"strings"
)

// announce prints the addresses of the server, and a command that prints a token, on lines that can
// be pasted into a shell.
func (c *serveCmd) announce(s streams, listener net.Listener, engine string) {
	url := "http://" + reachable(listener.Addr())
	fmt.Fprintf(s.Out, "ready %s\n", url)
	fmt.Fprintf(s.Out, "docs  %s/docs\n", url)
	fmt.Fprintf(s.Out, "table %s at %s\n", localTable, engine)
	if c.Issuer == "" {
		fmt.Fprintf(s.Out, "token %s token --data %s --user NAME\n", quoted(os.Args[0]), quoted(c.Data))
	}
}

// reachable returns an address that clients on this machine can use, even if the listener is on all
// addresses.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return fmt.Sprintf("localhost:%d", tcp.Port)
}

// quoted returns a word quoted for a shell.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+="
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
