package socketfn_test

import (
	"io"
	"strings"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/socketfn"
)

func TestFromEnv_ReadsOrRefusesEachVariable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, variable, value string
		refused               bool
	}{
		{name: "the default rate", variable: config.EnvPostRate, value: ""},
		{name: "a rate", variable: config.EnvPostRate, value: "1000"},
		{name: "a rate of 0", variable: config.EnvPostRate, value: "0", refused: true},
		{name: "a rate above the account's", variable: config.EnvPostRate, value: "10001", refused: true},
		{name: "a send rate of 0", variable: config.EnvSendRate, value: "0", refused: true},
		{name: "no table", variable: config.EnvTable, value: "", refused: true},
		{name: "no table of connections", variable: config.EnvLiveTable, value: "", refused: true},
		{name: "no endpoint", variable: config.EnvSocketEndpoint, value: "", refused: true},
		{name: "an endpoint that is no address", variable: config.EnvSocketEndpoint, value: "abc", refused: true},
		{name: "no issuer", variable: config.EnvIssuer, value: "", refused: true},
		{name: "no audience", variable: config.EnvAudience, value: "", refused: true},
		{name: "an unknown level", variable: config.EnvLogLevel, value: "loud", refused: true},
	} {
		env := map[string]string{
			config.EnvTable: "chat", config.EnvLiveTable: "live", config.EnvSocketEndpoint: "https://abc.execute-api.us-east-1.amazonaws.com/live",
			config.EnvIssuer: "https://issuer.example", config.EnvAudience: "one",
			"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x",
		}
		env[tt.variable] = tt.value
		cfg, err := socketfn.FromEnv(func(name string) string { return env[name] }, io.Discard)
		switch {
		case tt.refused && (err == nil || !strings.Contains(err.Error(), tt.variable)):
			t.Errorf("%s: %v does not name %s", tt.name, err, tt.variable)
		case !tt.refused && (err != nil || cfg.LiveTable != "live" || cfg.Poster == nil || cfg.Tokens == nil || !cfg.Quiet || cfg.Handler() == nil):
			t.Errorf("%s: %+v, %v", tt.name, cfg, err)
		}
	}
}
