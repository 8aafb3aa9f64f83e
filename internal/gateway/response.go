package gateway

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

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

// recorder buffers a handler's response until the handler returns. It follows net/http's rules: the
// first write sends the header, informational responses are ignored, and a response to HEAD or with
// status 204 or 304 has no body.
type recorder struct {
	head   bool        // the request's method is HEAD
	header http.Header // the handler's
	sent   http.Header // as it was at WriteHeader
	status int
	body   bytes.Buffer
}

func newRecorder(method string) *recorder {
	return &recorder{head: method == http.MethodHead, header: http.Header{}}
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status != 0 || status < http.StatusOK {
		return
	}
	w.status = status
	w.sent = w.header.Clone()
}

func (w *recorder) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.status == http.StatusNoContent || w.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	if w.head {
		return len(p), nil
	}
	return w.body.Write(p)
}

// response returns the response in the payload format. The format has one value for each header, so
// repeated headers are joined. Cookies cannot be joined and have their own field.
func (w *recorder) response() events.APIGatewayV2HTTPResponse {
	w.WriteHeader(http.StatusOK)
	resp := events.APIGatewayV2HTTPResponse{
		StatusCode: w.status,
		Headers:    make(map[string]string, len(w.sent)+1),
		Cookies:    w.sent.Values("Set-Cookie"),
	}
	w.sent.Del("Set-Cookie")
	for name, values := range w.sent {
		resp.Headers[name] = strings.Join(values, ", ")
	}
	body := w.body.Bytes()
	if len(body) > 0 && w.sent.Get("Content-Type") == "" {
		resp.Headers["Content-Type"] = http.DetectContentType(body)
	}
	resp.Body = string(body)
	if !utf8.Valid(body) {
		resp.Body, resp.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	}
	return resp
}
