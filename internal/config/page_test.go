package config_test

import (
	"slices"
	"testing"

	"parley/internal/config"
)

func TestPageSources(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		page config.Page
		want []string
	}{
		{"the page's own origin", config.Page{Docs: "/docs", SignIn: config.PageSignIn{Kind: config.SignInLocal}}, nil},
		{"one host for all", config.Page{API: "https://x.example", Socket: "wss://x.example/ws", SignIn: config.PageSignIn{Token: "https://x.example/token"}},
			[]string{"https://x.example", "wss://x.example"}},
		{"hosts for each, and those that are only visited", config.Page{
			API: "https://api.example", Socket: "wss://live.example/ws", Docs: "https://docs.example/docs",
			SignIn: config.PageSignIn{
				Authorize: "https://in.example", Token: "https://token.example:8443?audience=https://api.example/", Logout: "https://out.example", Revoke: "https://revoke.example/a?b/c",
			},
		}, []string{"https://api.example", "wss://live.example", "https://token.example:8443", "https://revoke.example"}},
		{"placeholders", config.Page{API: "https://${Token[TOKEN.7]}.execute-api.${Token[AWS.Region.4]}/"}, []string{"https://${Token[TOKEN.7]}.execute-api.${Token[AWS.Region.4]}"}},
	} {
		if got := c.page.Sources(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
