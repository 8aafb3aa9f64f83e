package main

import "net/url"

// loopbackNames are the names of this machine under which a browser finds the same page.
var loopbackNames = []string{"localhost", "127.0.0.1"}

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
