package gateway

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"

	"github.com/aws/aws-lambda-go/events"
)

// A function's status must be in this range.
const (
	minStatus = 200
	maxStatus = 599
)

// connectionHeaders are set by the service, which ignores a function's values.
var connectionHeaders = []string{"Connection", "Content-Length", "Keep-Alive", "Transfer-Encoding"}

// WriteResponse sends a function's response to the client. If the response is malformed, it returns
// an error and writes nothing. It does not report a failed write to the client.
func WriteResponse(w http.ResponseWriter, resp events.APIGatewayV2HTTPResponse) error {
	if resp.StatusCode < minStatus || resp.StatusCode > maxStatus {
		return fmt.Errorf("function's response: status %d is not from %d to %d", resp.StatusCode, minStatus, maxStatus)
	}
	body := []byte(resp.Body)
	if resp.IsBase64Encoded {
		var err error
		if body, err = base64.StdEncoding.DecodeString(resp.Body); err != nil {
			return fmt.Errorf("function's response: body: %w", err)
		}
	}
	h := w.Header()
	vary := h.Values("Vary") // the edge's values are added to the function's values
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
