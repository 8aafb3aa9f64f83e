package gateway

import (
	"encoding/json"
	"net/http"
	"path"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"parley/internal/problem"
)

// fits reports whether a decoded path is still one of its route. The service matches the path as it
// was sent and delivers it decoded. An encoded slash or dot of a parameter has then become a
// segment. By it, a mux would redirect, or find another route than the one whose rights were
// checked.
func fits(decoded, routeKey string) bool {
	if path.Clean(decoded) != decoded {
		return false
	}
	_, route, found := strings.Cut(routeKey, " ")
	if !found || strings.HasSuffix(route, "+}") {
		return true // $default and greedy routes take any number of segments
	}
	return strings.Count(decoded, "/") == strings.Count(route, "/")
}

// notFound returns the response to a path that no route has.
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
