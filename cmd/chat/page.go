package main

import (
	"net"
	"net/http"

	"example.com/parley/internal/config"
	"example.com/parley/internal/webpage"
)

// page returns the handler of the web app, which passes other requests on.
func (c *serveCmd) page(addr net.Addr, next http.Handler) (http.Handler, error) {
	return webpage.New(webpage.Options{Page: c.pageConfig(addr), Dir: c.Page, Next: next})
}

// pageConfig returns the description of the web app's environment.
func (c *serveCmd) pageConfig(addr net.Addr) config.Page {
	kind := config.SignInToken
	if c.signsInByName(addr) {
		kind = config.SignInLocal
	}
	return config.Page{SignIn: config.PageSignIn{Kind: kind}, Docs: "/docs", AvatarHosts: c.AvatarHost}
}
