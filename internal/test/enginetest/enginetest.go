// Package enginetest gives tests a real engine.
package enginetest

import (
	"context"
	"testing"

	"parley/internal/local/engine"
)

// Start starts an engine in memory for one test and returns its address. It fails the test, and
// never skips it, when the engine is not installed. When $DYNAMODB_ENDPOINT is set all tests share
// that engine: give tables names of their own.
func Start(t testing.TB) (endpoint string) {
	t.Helper()
	e, err := engine.Start(t.Context(), engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The test's own context has ended by now.
		if err := e.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e.Endpoint()
}
