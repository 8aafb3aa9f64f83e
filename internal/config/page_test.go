package config_test

import (
	"strings"
	"testing"

	"example.com/parley/internal/config"
)

// TestPagePolicy_Connects checks that the policy allows each host to which the app connects, once,
// and no other.
func TestPagePolicy_Connects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		page config.Page
		want string
	}{
		{"the page's own origin", config.Page{Docs: "/docs", SignIn: config.PageSignIn{Kind: config.SignInLocal}}, ""},
		{"one host for all", config.Page{API: "https://x.example", Socket: "wss://x.example/ws", SignIn: config.PageSignIn{Token: "https://x.example/token"}},
			" https://x.example wss://x.example"},
		{"hosts for each, and those that are only visited", config.Page{
			API: "https://api.example", Socket: "wss://live.example/ws", Docs: "https://docs.example/docs",
			SignIn: config.PageSignIn{
				Authorize: "https://in.example", Token: "https://token.example:8443?audience=https://api.example/", Logout: "https://out.example", Revoke: "https://revoke.example/a?b/c",
			},
		}, " https://api.example wss://live.example https://token.example:8443 https://revoke.example"},
		{"placeholders", config.Page{API: "https://${Token[TOKEN.7]}.execute-api.${Token[AWS.Region.4]}/"}, " https://${Token[TOKEN.7]}.execute-api.${Token[AWS.Region.4]}"},
	} {
		if got := c.page.Policy(); !strings.Contains(got, "; connect-src 'self'"+c.want+"; ") {
			t.Errorf("%s: %q, want the sources%s", c.name, got, c.want)
		}
	}
}

func TestPagePolicy_ShowsPicturesOfAllowedHosts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		hosts []string
		want  string
	}{{nil, ""}, {[]string{"a.example", "b.example"}, " https://a.example https://b.example"}} {
		page := config.Page{API: "https://api.example", AvatarHosts: c.hosts}
		if got := page.Policy(); !strings.Contains(got, "; img-src 'self' blob:"+c.want+"; ") {
			t.Errorf("%q: %q, want the sources%s", c.hosts, got, c.want)
		}
	}
}

// TestPagePolicy_ShowsFiles checks that the policy allows the links to files where the app uses
// them.
func TestPagePolicy_ShowsFiles(t *testing.T) {
	t.Parallel()
	got := config.Page{API: "https://api.example", Files: "https://files.example"}.Policy()
	for _, want := range []string{"; img-src 'self' blob: https://files.example; ", "; connect-src 'self' https://files.example https://api.example; ", "; media-src 'self' https://files.example; "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

func TestIsHostName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"pictures.example.com": true, "a-1.example": true, "xn--bcher-kva.example": true,
		"": false, "example": false, "Example.com": false, "*.example.com": false, "https://example.com": false, "example.com/": false,
		"example.com:443": false, "example.com; script-src *": false, "-a.example.com": false, "127.0.0.1": false, "example.com\n": false,
	} {
		if got := config.IsHostName(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
