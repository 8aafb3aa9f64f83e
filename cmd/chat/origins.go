package main

import (
	"fmt"
	"net/url"

	"example.com/parley/internal/config"
)

// loopbackNames are the names of this machine under which a browser finds the same page.
var loopbackNames = []string{"localhost", "127.0.0.1"}

// checkHosts checks the origins and hosts of the command line.
func (c *serveCmd) checkHosts() error {
	for _, origin := range c.Origin {
		if !config.IsOrigin(origin) {
			return fmt.Errorf(
				"--origin must be a page's scheme, host and port, such as http://localhost:3000, without path or "+
					"wildcard, not %q",
				origin,
			)
		}
	}
	for _, host := range c.AvatarHost {
		if !config.IsHostName(host) {
			return fmt.Errorf(
				"--avatar-host must be a name such as pictures.example.com, without scheme, path or wildcard, not %q",
				host,
			)
		}
	}
	return nil
}

// withLoopbackNames returns origins and, for each origin on this machine, the same origin with its
// other name. This gives pages no further rights: every request needs a token, and the port is the
// same.
func withLoopbackNames(origins []string) []string {
	var all []string
	for _, origin := range origins {
		all = append(all, origin)
		u, err := url.Parse(origin)
		if err != nil {
			continue
		}
		for i, name := range loopbackNames {
			if u.Hostname() == name {
				other := *u
				other.Host = loopbackNames[1-i]
				if u.Port() != "" {
					other.Host += ":" + u.Port()
				}
				all = append(all, other.String())
			}
		}
	}
	return all
}
