package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/aws/aws-lambda-go/events"

	"example.com/parley/internal/gateway"
)

// ExampleHandler answers one event as a deployed function does: Function decodes the event, Handler
// serves it with a mux, and Claims returns the caller to the mux's handler. The path arrives
// decoded: if it no longer fits its route, the mux is not called.
func ExampleHandler() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /people/{user}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprintf(w, "%s asks for %s", gateway.Claims(r)["sub"], r.PathValue("user"))
	})
	function := gateway.Function(gateway.Handler(mux))

	for _, event := range []string{
		`{"version": "2.0", "routeKey": "GET /people/{user}", "rawPath": "/people/zoë", "requestContext": {
			"http": {"method": "GET"}, "authorizer": {"jwt": {"claims": {"sub": "amsg"}}}}}`,
		// The client sent /people/a%2Fb, which the service matched and then decoded.
		`{"version": "2.0", "routeKey": "GET /people/{user}", "rawPath": "/people/a/b", "requestContext": {
			"http": {"method": "GET"}}}`,
	} {
		answer, err := function.Invoke(context.Background(), []byte(event))
		if err != nil {
			fmt.Println(err)
			continue
		}
		var response events.APIGatewayV2HTTPResponse
		if err := json.Unmarshal(answer, &response); err != nil {
			fmt.Println(err)
		}
		fmt.Println(response.StatusCode, response.Headers["Content-Type"])
		if response.StatusCode == http.StatusOK {
			fmt.Println(response.Body)
		}
	}
	// Output:
	// 200 text/plain
	// amsg asks for zoë
	// 404 application/problem+json
}
