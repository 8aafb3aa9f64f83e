package gateway

import (
	"encoding/json"
	"net/http"
	"path"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/problem"
)

// fits reports whether a decoded path still matches its route. The service matches the encoded
// path and delivers it decoded. An encoded slash or dot in a parameter then becomes a segment of
// the path. A mux would redirect such a path, or choose a different route from the authorized one.
func fits(decoded, routeKey string) bool {
	if path.Clean(decoded) != decoded {
		return false
	}
	_, route, found := strings.Cut(routeKey, " ")
	if !found || strings.HasSuffix(route, "+}") {
		return true // greedy routes match any number of segments
	}
	return strings.Count(decoded, "/") == strings.Count(route, "/")
}

// notFound returns the response to a path without a route.
func notFound() (events.APIGatewayV2HTTPResponse, error) {
	body, err := json.Marshal(problem.NoRoute())
	if err != nil {
		return events.APIGatewayV2HTTPResponse{}, err
	}
	return events.APIGatewayV2HTTPResponse{
		StatusCode: http.StatusNotFound,
		Headers: map[string]string{
			"Cache-Control":          "no-store",
			"Content-Type":           problem.MediaType,
			"X-Content-Type-Options": "nosniff",
		},
		Body: string(body) + "\n",
	}, nil
}
