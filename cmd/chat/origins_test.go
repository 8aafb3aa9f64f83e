package main

import (
	"net/http"
	"strings"
	"testing"
)

func TestWithLoopbackNames(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"http://localhost:3000": "http://localhost:3000 http://127.0.0.1:3000", "http://127.0.0.1": "http://127.0.0.1 http://localhost",
		"https://chat.example": "https://chat.example", "http://localhost.example:3000": "http://localhost.example:3000", "*": "*",
		"http://192.0.2.7:3000": "http://192.0.2.7:3000",
	} {
		if got := strings.Join(withLoopbackNames([]string{given}), " "); got != want {
			t.Errorf("%s gives %s, want %s", given, got, want)
		}
	}
}

func TestServe_AllowsAnOriginUnderBothNames(t *testing.T) {
	t.Parallel()
	s := serve(t, dataDir(t), "--origin", "http://localhost:3000")
	for origin, want := range map[string]bool{"http://localhost:3000": true, "http://127.0.0.1:3000": true, "http://127.0.0.1:3001": false} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/openapi.json", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if allowed := res.Header.Get("Access-Control-Allow-Origin") == origin; allowed != want {
			t.Errorf("%s is allowed: %v, want %v", origin, allowed, want)
		}
	}
}
