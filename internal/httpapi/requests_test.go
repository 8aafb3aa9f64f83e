package httpapi_test

import (
	"slices"
	"testing"

	"parley/internal/httpapi"
	"parley/internal/test/requests"
)

// TestRoutes_HaveARequest fails with each route that no request of its function reaches with success.
func TestRoutes_HaveARequest(t *testing.T) {
	t.Parallel()
	for _, route := range httpapi.Routes() {
		reaches := func(r requests.Request) bool { return r.Route == route.Key() && r.Status < 300 }
		if !slices.ContainsFunc(requests.All(string(route.Function)), reaches) {
			t.Errorf("internal/test/requests has no request for %s that succeeds: add one to the %s function's", route.Key(), route.Function)
		}
	}
}
