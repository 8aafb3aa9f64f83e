package socket

// RemoveRoute removes a route. It must be called before the first connection.
func (g *Gateway) RemoveRoute(key string) { delete(g.routes, key) }

// Has reports whether the gateway knows a connection.
func (g *Gateway) Has(id string) bool { return g.find(id) != nil }
