package pagefn

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestAwait_EndsBeforeTheFunction asks for a document that CloudFront refuses for good.
func TestAwait_EndsBeforeTheFunction(t *testing.T) {
	t.Parallel()
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer front.Close()
	const left = 20 * time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), askMargin+left)
	defer cancel()
	err := Config{HTTP: front.Client()}.await(ctx, front.URL, []string{"keys"})
	if err == nil || !strings.Contains(err.Error(), "/keys") || ctx.Err() != nil {
		t.Errorf("%v, %v, want an error about the document before the function ends", err, ctx.Err())
	}
}
