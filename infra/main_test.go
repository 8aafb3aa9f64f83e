package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// in puts the test into a folder with this cdk.json.
func in(t *testing.T, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(cdkJSON, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestContextOfTheCommandLineIsTakenAsItIs(t *testing.T) {
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

func TestContextOfADirectRunIsTheFilesAndTheFlags(t *testing.T) {
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

func TestReadContextRefuses(t *testing.T) {
	t.Run("a context that is no JSON", func(t *testing.T) {
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
