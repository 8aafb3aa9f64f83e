package main

import (
	"net"
	"net/http"

	"parley/internal/config"
	"parley/internal/webpage"
)

// page returns the handler of the web app, which passes other requests on.
func (c *serveCmd) page(addr net.Addr, next http.Handler) (http.Handler, error) {
	kind := config.SignInToken
	if c.signsInByName(addr) {
		kind = config.SignInLocal
	}
	return webpage.New(webpage.Options{
		Page: config.Page{SignIn: config.PageSignIn{Kind: kind}, Docs: "/docs"}, Dir: c.Page, Next: next,
	})
}

// signsInByName reports whether people sign in by their names alone: only on this machine, and only
// with the tokens of the local issuer.
func (c *serveCmd) signsInByName(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return c.Issuer == "" && ok && tcp.IP.IsLoopback()
}
