package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/parley/internal/config"
)

// raw sends a request without decompressing the response or following a redirect.
func raw(t *testing.T, method, url string, headers ...string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := (&http.Transport{DisableKeepAlives: true, DisableCompression: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, text
}

// An unknown path and an unknown method reach a function with a token, with and without configured
// origins. Without a token, API Gateway answers.
func TestServe_UnknownPathsAndPreflights(t *testing.T) {
	t.Parallel()
	const page = "https://chat.example"
	for _, origins := range [][]string{nil, {"--origin", page}} {
		dir := dataDir(t)
		s := serve(t, dir, origins...)
		token := "Bearer " + tokenOf(t, dir, "amsg")
		for request, status := range map[string]int{
			"GET /nothing": 404, "GET /rooms//messages": 404, "DELETE /docs": 405, "PATCH /rooms/seattle/messages": 405, "HEAD /people/me": 200,
		} {
			method, path, _ := strings.Cut(request, " ")
			resp, text := raw(t, method, s.url+path, "Origin", page, "Authorization", token)
			if resp.StatusCode != status || (status == 405) != (resp.Header.Get("Allow") != "") {
				t.Errorf("%v %s: %d %s %v", origins, request, resp.StatusCode, text, resp.Header)
			}
			if stranger, _ := raw(t, method, s.url+path); stranger.StatusCode != http.StatusUnauthorized {
				t.Errorf("%v %s without a token: %d", origins, request, stranger.StatusCode)
			}
			if allowed := resp.Header.Get("Access-Control-Allow-Origin"); (allowed == page) != (origins != nil) {
				t.Errorf("%v %s: allowed origin %q", origins, request, allowed)
			}
		}
		resp, _ := raw(t, http.MethodOptions, s.url+"/rooms/seattle/messages", "Origin", page, "Access-Control-Request-Method", "POST")
		if origins == nil && resp.StatusCode != http.StatusNotFound {
			t.Errorf("preflight without origins: %d", resp.StatusCode)
		}
		if origins != nil && (resp.StatusCode != http.StatusNoContent || resp.Header.Get("Access-Control-Allow-Methods") != "DELETE,GET,HEAD,PATCH,POST,PUT" ||
			resp.Header.Get("Access-Control-Allow-Headers") != strings.Join(config.AllowedHeaders(), ",") || resp.Header.Get("Access-Control-Max-Age") != "3600") {
			t.Errorf("preflight: %d %v", resp.StatusCode, resp.Header)
		}
	}
}

func TestServe_DocumentsAreCompressedAndCached(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t))
	resp, packed := raw(t, http.MethodGet, s.url+"/openapi.json", "Accept-Encoding", "gzip")
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatalf("%v: %v", resp.Header, err)
	}
	if text, err := io.ReadAll(unpacked); err != nil || !strings.Contains(string(text), `"openapi":"3.1.0"`) {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	conditional, text := raw(t, http.MethodGet, s.url+"/openapi.json", "Accept-Encoding", "gzip", "If-None-Match", resp.Header.Get("Etag"))
	if conditional.StatusCode != http.StatusNotModified || len(text) > 0 {
		t.Errorf("conditional request: %d with %d bytes", conditional.StatusCode, len(text))
	}
}
