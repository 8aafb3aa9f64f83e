package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/infra/config"
)

func context(pairs ...string) map[string]any {
	m := map[string]any{"aws:cdk:version-reporting": true, "@aws-cdk/core:stackRelativeExports": true}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		context map[string]any
		want    string
	}{
		{"no environment", context(), "no environment chosen"},
		{"an unknown environment", context("env", "staging"), `environment "staging" is not known`},
		{"an environment in capitals", context("env", "DEV"), `environment "DEV" is not known`},
		{"a misspelt key", context("env", "dev", "orgins", "https://a.example"), `context key "orgins" is not known`},
		{"an empty value", context("env", "dev", "arch", ""), `context key "arch" must be a text`},
		{"a value that is no text", map[string]any{"env": true}, `context key "env" must be a text`},
		{"an unknown architecture", context("env", "dev", "arch", "arm"), "Architecture must be arm64 or x86_64"},
		{"an issuer without audience", context("env", "dev", "issuer", "https://id.example"), "Tokens.Audience must be given with"},
		{"an audience without issuer", context("env", "dev", "audience", "web"), "Tokens.Issuer must be given with"},
		{"an audience with a hole", context("env", "dev", "issuer", "https://id.example", "audience", "a,,b"), "Tokens.Audience must not have an empty entry"},
		{"an issuer that is not https", context("env", "dev", "issuer", "http://id.example", "audience", "web"), "Tokens.Issuer must be an https address"},
		{"an issuer that is no address", context("env", "dev", "issuer", "cognito", "audience", "web"), "Tokens.Issuer must be an https address"},
		{"every origin", context("env", "dev", "origins", "*"), "API.Origins must be like"},
		{"a wildcard origin", context("env", "dev", "origins", "https://*"), "API.Origins must be like"},
		{"an origin with a path", context("env", "dev", "origins", "https://a.example/"), "API.Origins must be like"},
		{"a plain http origin", context("env", "dev", "origins", "http://a.example"), "API.Origins must be like"},
		{"an e-mail in an environment without alarms", context("env", "dev", "alarmEmail", "ops@example.com"), "Alarms.Email needs Alarms.Enabled"},
		{"an e-mail with a name", context("env", "prod", "alarmEmail", "Ops <ops@example.com>"), "Alarms.Email must be an address"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Load(tt.context)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Load = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestLoadTakesWhatTheContextChanges(t *testing.T) {
	t.Parallel()
	got, err := config.Load(context("env", "prod", "arch", "x86_64", "issuer", "https://id.example/a",
		"audience", "web, phone", "origins", "https://a.example,http://localhost:5173", "alarmEmail", "ops@example.com"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := config.Load(context("env", "prod"))
	if err != nil {
		t.Fatal(err)
	}
	want.Architecture = config.X8664
	want.Tokens = config.Tokens{Issuer: "https://id.example/a", Audience: []string{"web", "phone"}}
	want.API.Origins = []string{"https://a.example", "http://localhost:5173"}
	want.Alarms.Email = "ops@example.com"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestValidateNamesTheField(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*config.Config)
		want   string
	}{
		{"an environment of no name", func(c *config.Config) { c.Env = "" }, "Env must"},
		{"recovery of no days", func(c *config.Config) { c.Table.RecoveryDays = 0 }, "Table.RecoveryDays must"},
		{"a log of no days", func(c *config.Config) { c.Table.LogDays = 0 }, "Table.LogDays must"},
		{"a log of too many days", func(c *config.Config) { c.Table.LogDays = 3651 }, "Table.LogDays must"},
		{"a feed of no days", func(c *config.Config) { c.Table.FeedDays = 0 }, "Table.FeedDays must"},
		{"a feed of too many days", func(c *config.Config) { c.Table.FeedDays = 3651 }, "Table.FeedDays must"},
		{"recovery of too many days", func(c *config.Config) { c.Table.RecoveryDays = 36 }, "Table.RecoveryDays must"},
		{"retention without protection", func(c *config.Config) { c.Table.DeletionProtection = false }, "Table.DeletionProtection goes"},
		{"prod that loses its data", func(c *config.Config) { c.Table.Retain, c.Table.DeletionProtection = false, false }, "Table.Retain must"},
		{"a log period that there is not", func(c *config.Config) { c.Logs.Days = 8 }, "Logs.Days must"},
		{"a log level that there is not", func(c *config.Config) { c.Logs.Level = "trace" }, "Logs.Level must"},
		{"no requests", func(c *config.Config) { c.API.Rate = 0 }, "API.Rate must"},
		{"no burst", func(c *config.Config) { c.API.Burst = 0 }, "API.Burst must"},
		{"too little memory", func(c *config.Config) { c.Write.MemoryMB = 64 }, "Write.MemoryMB must"},
		{"too much memory", func(c *config.Config) { c.Read.MemoryMB = 10_241 }, "Read.MemoryMB must"},
		{"a feed function with too little memory", func(c *config.Config) { c.Feed.MemoryMB = 127 }, "Feed.MemoryMB must"},
		{"a negative reserve", func(c *config.Config) { c.Read.Reserved = -1 }, "Read.Reserved must"},
		{"too many audiences", func(c *config.Config) {
			c.Tokens = config.Tokens{Issuer: "https://id.example", Audience: make([]string, 51)}
		}, "Tokens.Audience may have"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := config.Load(context("env", "prod"))
			if err != nil {
				t.Fatal(err)
			}
			tt.change(&c)
			if err := c.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Validate = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func TestValidateNamesEveryFieldThatIsWrong(t *testing.T) {
	t.Parallel()
	err := config.Config{}.Validate()
	for _, field := range []string{"Env", "Architecture", "Table.RecoveryDays", "Table.LogDays", "Table.FeedDays", "Logs.Days", "Logs.Level", "API.Rate", "API.Burst", "Write.MemoryMB", "Read.MemoryMB", "Feed.MemoryMB"} {
		if err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("Validate = %v, want %s named", err, field)
		}
	}
}

func TestContextOfTakesTheFilesContext(t *testing.T) {
	t.Parallel()
	got, err := config.ContextOf([]byte(`{"app": "x", "context": {"a:b": true}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"a:b": true, "aws:cdk:enable-path-metadata": true, "aws:cdk:enable-asset-metadata": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := config.ContextOf([]byte(`{"context": 1}`)); err == nil {
		t.Error("a context that is no object is taken")
	}
}
