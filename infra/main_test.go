package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/infra/config"
)

// in runs the test in a folder with this cdk.json.
func in(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(cdkJSON, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestReadContext_PrefersTheCommandLine(t *testing.T) {
	in(t, `{"context": {"a:b": true}}`)
	t.Setenv(envContext, `{"env": "dev"}`)
	got, err := readContext(contextFlags{"env": "prod"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]any{"env": "dev"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadContext_DirectRunMergesFileAndFlags(t *testing.T) {
	in(t, `{"context": {"env": "dev", "a:b": true}}`)
	t.Setenv(envContext, "")
	got, err := readContext(contextFlags{"env": "prod"})
	if err != nil {
		t.Fatal(err)
	}
	if got["env"] != "prod" || got["a:b"] != true {
		t.Errorf("context = %v, want the flag's env and the file's a:b", got)
	}
}

// TestLoad_ChecksTheRegionAndAccount also checks the precedence: the command line's Region and
// account win over the shell's.
func TestLoad_ChecksTheRegionAndAccount(t *testing.T) {
	fast := config.Settings{Rate: 5_000}
	elsewhere := config.Settings{Adopt: config.Adopt{LogTable: "arn:aws:dynamodb:eu-west-1:123456789012:table/parley-log"}}
	tests := []struct {
		name     string
		settings config.Settings
		env      map[string]string
		want     string
	}{
		{"a rate that the Region allows", fast, map[string]string{"AWS_REGION": "eu-west-1"}, ""},
		{"a rate above the Region's quota", fast, map[string]string{"AWS_REGION": "eu-south-1"}, "2500 requests a second in eu-south-1"},
		{"the Region of the old variable", fast, map[string]string{"AWS_DEFAULT_REGION": "eu-south-1"}, "in eu-south-1"},
		{"the Region of the profile", fast, map[string]string{"CDK_DEFAULT_REGION": "eu-south-1", "AWS_REGION": "eu-west-1"}, "in eu-south-1"},
		{"a table of another account", elsewhere, map[string]string{"CDK_DEFAULT_REGION": "eu-west-1", "CDK_DEFAULT_ACCOUNT": "210987654321"}, "Adopt.LogTable is in"},
		{"a table and no credentials", elsewhere, map[string]string{"CDK_DEFAULT_REGION": "us-east-1"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stated := map[config.Env]config.Settings{config.Dev: tt.settings}
			_, err := load(map[string]any{"env": "dev"}, stated, func(name string) string { return tt.env[name] })
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestReadContext_RefusesInvalidInput(t *testing.T) {
	t.Run("a context that is not JSON", func(t *testing.T) {
		t.Setenv(envContext, "{")
		if _, err := readContext(nil); err == nil {
			t.Error("no error")
		}
	})
	t.Run("a folder without cdk.json", func(t *testing.T) {
		t.Chdir(t.TempDir())
		t.Setenv(envContext, "")
		if _, err := readContext(nil); err == nil {
			t.Error("no error")
		}
	})
	t.Run("a flag without value", func(t *testing.T) {
		if err := (contextFlags{}).Set("env"); err == nil {
			t.Error("no error")
		}
	})
}
