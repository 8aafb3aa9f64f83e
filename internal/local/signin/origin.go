package signin

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// forwarded are headers by which proxies name the client for which they act. That client may be
// anywhere, although the proxy is on this machine.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip"}

// refusal returns the reason to refuse a request, or "". Each check stops what the others let
// through:
//   - the peer, a client on another machine;
//   - the headers of proxies, a tunnel from elsewhere to this machine;
//   - Host, a foreign name that resolves to this machine (DNS rebinding), whose pages are of the
//     same origin as this server;
//   - Origin and Sec-Fetch-Site, a page of another site or of another port that posts to this one.
//
// Browsers send Origin with every POST. A request without it is not the page's.
func refusal(r *http.Request) string {
	const here = "; open the page on the machine that runs the server, at the address that it prints"
	switch {
	case !isLoopback(r.RemoteAddr):
		return "sign-in by name is for people on the same machine" + here
	case isForwarded(r.Header):
		return "sign-in by name takes no requests through a proxy" + here
	case !isLocalName(r.Host):
		return "sign-in by name takes no requests to another host name" + here
	case r.Header.Get("Origin") != "http://"+r.Host:
		return "sign-in by name takes no requests from other pages or programs; a program takes the token of chat token"
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return "sign-in by name takes no requests from other sites"
	}
	return ""
}

// isLoopback reports whether an address with a port is of this machine.
func isLoopback(addr string) bool {
	peer, err := netip.ParseAddrPort(addr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

func isForwarded(h http.Header) bool {
	for _, name := range forwarded {
		if h.Values(name) != nil {
			return true
		}
	}
	return false
}

// isLocalName reports whether a Host header names this machine in a way that no resolver can
// change: localhost, which browsers resolve themselves, or a loopback address.
func isLocalName(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}
