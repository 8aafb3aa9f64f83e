package config_test

import (
	"testing"

	"example.com/parley/internal/config"
)

func TestIsOrigin(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]bool{
		"https://chat.example.com": true, "https://chat.example.com:8443": true, "http://localhost:3000": true, "http://127.0.0.1": true,
		"": false, "*": false, "none": false, "null": false, "chat.example.com": false, "https://": false,
		"https://chat.example.com/": false, "https://chat.example.com/page": false, "https://*.example.com": false, "https://*": false,
		"http://chat.example.com": false, "ftp://localhost": false, "https://user@chat.example.com": false, "https://chat.example.com?x": false,
	} {
		if got := config.IsOrigin(origin); got != want {
			t.Errorf("%q: %v", origin, got)
		}
	}
}
