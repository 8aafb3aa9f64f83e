package outboxfn_test

import (
	"io"
	"strings"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/outboxfn"
)

// TestFromEnv sets each variable on its own.
func TestFromEnv(t *testing.T) {
	t.Parallel()
	full := map[string]string{config.EnvTable: "chat", config.EnvHooks: "on", config.EnvHookQueue: "https://sqs.example/q", "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"}
	for _, tt := range []struct {
		name, value string
		private     bool
		err         string
	}{
		{"", "", false, ""},
		{config.EnvHooks, "private", true, ""},
		{config.EnvHooks, "yes", false, config.EnvHooks},
		{config.EnvHooks, "", false, config.EnvHooks},
		{config.EnvTable, "", false, config.EnvTable},
	} {
		cfg, err := outboxfn.FromEnv(func(name string) string {
			if name == tt.name {
				return tt.value
			}
			return full[name]
		}, io.Discard)
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) || cfg.Rules.Private != tt.private {
			t.Errorf("%s=%q: private %v, %v", tt.name, tt.value, cfg.Rules.Private, err)
		}
	}
}
