package socketauth

import (
	"slices"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/config"
)

const (
	// offered is the header with the subprotocols that a client offers. The token is one of them,
	// because a page can set no other header of a WebSocket. It is never in the query: that is
	// logged.
	offered = "Sec-WebSocket-Protocol"
	// bearer begins the subprotocol with the token.
	bearer = "bearer."
	// actAs is the header with which services act for people over HTTP.
	actAs = "Parley-Act-As"
)

// headers are the values of a request's headers, by their names as sent.
type headers map[string][]string

// headersOf returns the headers of a request. API Gateway sends each header twice, once with all
// its values.
func headersOf(e events.APIGatewayCustomAuthorizerRequestTypeRequest) headers {
	if len(e.MultiValueHeaders) > 0 {
		return e.MultiValueHeaders
	}
	h := headers{}
	for name, value := range e.Headers {
		h[name] = []string{value}
	}
	return h
}

// values returns the values of a header, whatever the case of its name.
func (h headers) values(name string) []string {
	var all []string
	for sent, values := range h {
		if strings.EqualFold(sent, name) {
			all = append(all, values...)
		}
	}
	return all
}

// tokenOf returns the one token of a request that offers the subprotocol.
func tokenOf(h headers) (string, error) {
	var protocols, tokens []string
	for name := range strings.SplitSeq(strings.Join(h.values(offered), ","), ",") {
		name = strings.TrimSpace(name)
		if token, ok := strings.CutPrefix(name, bearer); ok {
			tokens = append(tokens, token)
			continue
		}
		protocols = append(protocols, name)
	}
	switch {
	case !slices.Contains(protocols, config.Subprotocol):
		return "", &refusal{"the subprotocol " + config.Subprotocol + " is not offered"}
	case len(tokens) != 1:
		return "", &refusal{"there is not one token among the subprotocols"}
	}
	return tokens[0], nil
}
