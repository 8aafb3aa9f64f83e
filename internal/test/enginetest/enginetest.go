// Package enginetest starts a database engine for tests.
package enginetest

import (
	"context"
	"testing"

	"example.com/parley/internal/local/engine"
)

// Start starts an engine in memory for one test and returns its address. It fails the test, and
// does not skip it, if the engine is not installed. If $DYNAMODB_ENDPOINT is set, all tests share
// that engine, so their tables must have different names.
func Start(t testing.TB) (endpoint string) {
	t.Helper()
	e, err := engine.Start(t.Context(), engine.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// The context of the test is already canceled here.
		if err := e.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e.Endpoint()
}
