package gateway_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/internal/gateway"
)

func TestHandler_ResponseFollowsNetHTTPsRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   events.APIGatewayV2HTTPResponse
	}{
		{"silence is 200", func(http.ResponseWriter, *http.Request) {},
			events.APIGatewayV2HTTPResponse{StatusCode: 200, Headers: map[string]string{}}},
		{"text stays text and gets a type", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "grüß")
		}, events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: "grüß",
			Headers: map[string]string{"Content-Type": "text/plain; charset=utf-8"}}},
		{"bytes become base64", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write([]byte{0xff, 0x00})
		}, events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: "/wA=", IsBase64Encoded: true,
			Headers: map[string]string{"Content-Type": "image/png"}}},
		{"repeated headers are joined and cookies set apart", func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Vary"] = []string{"Origin", "Accept"}
			w.Header()["Set-Cookie"] = []string{"a=1", "b=2"}
			w.WriteHeader(http.StatusTeapot)
		}, events.APIGatewayV2HTTPResponse{StatusCode: 418, Cookies: []string{"a=1", "b=2"},
			Headers: map[string]string{"Vary": "Origin, Accept"}}},
		{"headers after the first write are too late", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusCreated)
			w.Header().Set("X-Late", "1")
			w.WriteHeader(http.StatusOK)
		}, events.APIGatewayV2HTTPResponse{StatusCode: 201, Headers: map[string]string{}}},
		{"informational answers pass by", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusAccepted)
		}, events.APIGatewayV2HTTPResponse{StatusCode: 202, Headers: map[string]string{}}},
		{"no content has no body", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
			_, _ = io.WriteString(w, "lost")
		}, events.APIGatewayV2HTTPResponse{StatusCode: 204, Headers: map[string]string{}}},
		{"compressed text is bytes", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write([]byte{0x1f, 0x8b, 0x08})
		}, events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: "H4sI", IsBase64Encoded: true,
			Headers: map[string]string{"Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip"}}},
		{"HEAD has no body", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			if n, err := io.WriteString(w, r.Method); n != len(r.Method) || err != nil {
				t.Errorf("wrote %d bytes, %v", n, err)
			}
		}, events.APIGatewayV2HTTPResponse{StatusCode: 200, Headers: map[string]string{"Content-Type": "text/plain"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := events.APIGatewayV2HTTPRequest{RawPath: "/"}
			if strings.HasPrefix(c.name, http.MethodHead) {
				e.RequestContext.HTTP.Method = http.MethodHead
			}
			got, err := gateway.Handler(c.answer)(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWriteResponse_ReachesTheClient(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	w.Header().Set("Vary", "Origin")
	err := gateway.WriteResponse(w, events.APIGatewayV2HTTPResponse{
		StatusCode:        201,
		Headers:           map[string]string{"content-type": "image/png", "content-length": "99", "x-a": "0", "vary": "Accept"},
		MultiValueHeaders: map[string][]string{"X-A": {"1", "2"}},
		Cookies:           []string{"a=1", "b=2"},
		Body:              "/wA=",
		IsBase64Encoded:   true,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := http.Header{"Content-Type": {"image/png"}, "Vary": {"Accept", "Origin"}, "X-A": {"1", "2"}, "Set-Cookie": {"a=1", "b=2"}}
	if diff := cmp.Diff(want, w.Header()); diff != "" || w.Code != 201 || w.Body.String() != "\xff\x00" {
		t.Errorf("%d %q %s", w.Code, w.Body, diff)
	}
}

func TestWriteResponse_MalformedIsRefusedBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	for _, resp := range []events.APIGatewayV2HTTPResponse{
		{}, {StatusCode: 99}, {StatusCode: 100}, {StatusCode: 1000}, {StatusCode: -1},
		{StatusCode: 200, Body: "%", IsBase64Encoded: true, Headers: map[string]string{"x": "y"}},
	} {
		w := httptest.NewRecorder()
		if err := gateway.WriteResponse(w, resp); err == nil || w.Body.Len() > 0 || len(w.Header()) > 0 {
			t.Errorf("%+v: %v, wrote %d %v", resp, err, w.Code, w.Header())
		}
	}
}
