package httpapi

import (
	"net/http"
	"testing"
)

// TestOperations_AreOfTheirFunction checks that a function's table contains only its operations.
// The stack sends their requests to it.
func TestOperations_AreOfTheirFunction(t *testing.T) {
	t.Parallel()
	for _, all := range All() {
		for _, o := range all.list() {
			if o.function != all.Function() {
				t.Errorf("%s is of the function %s, and is in the table of %s", o.OperationID, o.function, all.Function())
			}
		}
	}
}

// maxGatewayRoutes keeps a deployment, which creates all routes concurrently, below the burst of
// 40 calls that API Gateway's control plane accepts.
const maxGatewayRoutes = 24

// TestGatewayRoutes_ReachTheFunctionOfEachRoute includes HEAD, which API Gateway does not map to GET.
func TestGatewayRoutes_ReachTheFunctionOfEachRoute(t *testing.T) {
	t.Parallel()
	gateway := map[string]Route{}
	for _, r := range GatewayRoutes() {
		if _, twice := gateway[r.Key()]; twice || r.Method == http.MethodOptions {
			t.Errorf("%s is there twice, or takes preflights, which API Gateway answers only where no route does", r.Key())
		}
		gateway[r.Key()] = r
	}
	if len(gateway) > maxGatewayRoutes {
		t.Errorf("there are %d routes, more than %d", len(gateway), maxGatewayRoutes)
	}
	for _, want := range Routes() {
		for _, method := range []string{want.Method, http.MethodHead} {
			if method != want.Method && want.Method != http.MethodGet {
				continue
			}
			got, ok := gateway[method+" "+want.Path]
			if !ok {
				got = gateway[method+" "+anyPath]
			}
			if got.Function != want.Function || got.Public != want.Public {
				t.Errorf("%s %s reaches %+v, want %s", method, want.Path, got, want.Function)
			}
		}
	}
}
