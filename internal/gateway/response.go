package gateway

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"

	"github.com/aws/aws-lambda-go/events"
)

// The statuses that a function may answer with.
const (
	minStatus = 200
	maxStatus = 599
)

// connectionHeaders are the service's own business: it drops a function's.
var connectionHeaders = []string{"Connection", "Content-Length", "Keep-Alive", "Transfer-Encoding"}

// WriteResponse sends a function's response to the client. An error means that
// the response is malformed and nothing was written, not even a header. That the
// client has gone is no error: nobody is left to tell.
func WriteResponse(w http.ResponseWriter, resp events.APIGatewayV2HTTPResponse) error {
	if resp.StatusCode < minStatus || resp.StatusCode > maxStatus {
		return fmt.Errorf("function's response: status %d is none", resp.StatusCode)
	}
	body := []byte(resp.Body)
	if resp.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(resp.Body); err != nil {
			return fmt.Errorf("function's response: body: %w", err)
		}
	}
	h := w.Header()
	vary := h.Values("Vary") // what the edge answers by counts besides the function's
	for name, value := range resp.Headers {
		h.Set(name, value)
	}
	for name, values := range resp.MultiValueHeaders {
		h.Del(name)
		for _, value := range values {
			h.Add(name, value)
		}
	}
	for _, by := range vary {
		if !slices.Contains(h.Values("Vary"), by) {
			h.Add("Vary", by)
		}
	}
	for _, cookie := range resp.Cookies {
		h.Add("Set-Cookie", cookie)
	}
	for _, name := range connectionHeaders {
		h.Del(name)
	}
	w.WriteHeader(resp.StatusCode)
	_, _ = w.Write(body)
	return nil
}
