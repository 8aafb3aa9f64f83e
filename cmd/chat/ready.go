package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"example.com/parley/internal/config"
	"example.com/parley/internal/demo"
	"example.com/parley/internal/local/issuer"
)

const (
	// firstUser is the user of the token that a server prints. The guides use the same name.
	firstUser = "amsg"
	// secondUser is the user whom the page's second printed address signs in.
	secondUser = "bob"
	// firstTokenLife is a working day, the default lifetime of other tokens.
	firstTokenLife = 12 * time.Hour
)

// announce prints the addresses of the server and of its page, and a command that prints a token.
// Each line can be pasted into a browser or a shell. On a terminal it also prints a request with a
// token, unless the server is reachable from other machines or another issuer signs. Elsewhere the
// output may be a file, which must not hold tokens. The engine checks neither tokens nor origins,
// so its address is printed only if its port was requested.
func (c *serveCmd) announce(out io.Writer, addr net.Addr, engine string, terminal bool) error {
	url := "http://" + reachable(addr)
	fmt.Fprintf(out, "ready %s\n", url)
	c.announcePage(out, addr, url)
	fmt.Fprintf(out, "docs  %s/docs\n", url)
	fmt.Fprintf(out, "live  ws://%s%s\n", reachable(addr), socketPath)
	if c.EnginePort != 0 {
		fmt.Fprintf(
			out, "table %s at %s (which every program and every web page on this machine can read and change)\n",
			localTable, engine,
		)
	}
	if !c.engineIP().IsLoopback() {
		fmt.Fprintln(out, "      and so can every container that reaches this address")
	}
	if len(c.Keys) > 0 {
		fmt.Fprintf(out, "token %s token --key private.pem --user NAME\n", quoted(os.Args[0]))
	}
	if !c.signsTokens() {
		return nil
	}
	fmt.Fprintf(out, "token %s token --data %s --user NAME\n", quoted(os.Args[0]), quoted(c.Data))
	if !terminal || !c.signsInByName(addr) {
		return nil
	}
	i, err := openIssuer(c.Data)
	if err != nil {
		return err
	}
	token, err := i.Token(firstUser, firstTokenLife, issuer.Claim{Name: config.NameClaim, Value: firstUser})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "try   curl -sS -H 'Authorization: Bearer %s' %s/people/me\n", token, url)
	return nil
}

// announcePage prints the addresses of the page, and the command that serves the demo. The page of
// the demo opens as one of its people.
func (c *serveCmd) announcePage(out io.Writer, addr net.Addr, url string) {
	first, second := "", secondUser
	if c.demo != nil {
		first, second = "#as="+demo.Visitor, demo.Companion
	}
	if !c.signsInByName(addr) {
		fmt.Fprintf(out, "page  %s/\n", url)
		return
	}
	fmt.Fprintf(out, "page  %s/%s\n", url, first)
	fmt.Fprintf(out, "%-5s %s/#as=%s (a second person, for another window)\n", second, url, second)
	if c.demo == nil {
		fmt.Fprintf(out, "demo  %s demo (a week of a team, to look around in)\n", quoted(os.Args[0]))
	}
}

// Validate refuses an empty --engine-host, as of a command that finds no bridge.
func (c *serveCmd) Validate() error {
	if c.EngineHost == "" {
		return errors.New("--engine-host must be an address, and is empty")
	}
	return nil
}

// engineIP returns the address of the engine, 127.0.0.1 by default, or nil if it is not an address.
func (c *serveCmd) engineIP() net.IP { return net.ParseIP(cmp.Or(c.EngineHost, "127.0.0.1")) }

// checkEngineHost refuses engine addresses that other machines may reach, because the engine does
// not check credentials.
func (c *serveCmd) checkEngineHost() error {
	ip := c.engineIP()
	if ip == nil || !ip.IsLoopback() && !ip.IsPrivate() {
		return fmt.Errorf(
			"--engine-host must be 127.0.0.1 or the private address of Docker's bridge, such as 172.17.0.1, not %q: "+
				"the engine checks no credentials",
			c.EngineHost,
		)
	}
	if !ip.IsLoopback() && c.EnginePort == 0 {
		return errors.New("--engine-host needs --engine-port: functions must know the port")
	}
	return nil
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

// isLoopback reports whether an address is reachable only from this machine.
func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// quoted returns a word quoted for a shell.
func quoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+="
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
