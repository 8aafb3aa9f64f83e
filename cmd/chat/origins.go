package main

import "net/url"

// loopbackNames are the names of this machine at which a browser finds the same page.
var loopbackNames = []string{"localhost", "127.0.0.1"}

// withLoopbackNames returns origins and, of those on this machine, the same with its other name. It
// gives no page more rights: a token is needed for every request, and the port is the same.
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
