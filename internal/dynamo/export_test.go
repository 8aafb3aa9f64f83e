package dynamo

import "net/http"

// TransportOf returns the transport of a client that NewClient made.
func TransportOf(c *http.Client) *http.Transport {
	of, _ := c.Transport.(bounded)
	return of.Transport
}

// MaxAttempts is the number of attempts of a call.
const MaxAttempts = maxAttempts
