package config_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"

	"example.com/parley/internal/config"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/test/templates"
)

// root is the folder of the module.
const root = "../.."

// resources are the parts of the template that depend on this package.
type resources struct {
	API struct {
		Properties struct {
			CorsConfiguration struct {
				AllowHeaders, ExposeHeaders []string
				MaxAge                      float64
			}
		}
	} `json:"Api"`
	Mapping struct {
		Properties struct{ BatchSize int }
	} `json:"FeedMapping"`
}

// reviewed returns the resources of the reviewed template. The stack's own tests compare the stack
// with that template.
func reviewed(t *testing.T) resources {
	t.Helper()
	text, err := templates.Read(root, "own")
	if err != nil {
		t.Fatal(err)
	}
	var template struct{ Resources resources }
	if err := json.Unmarshal(text, &template); err != nil {
		t.Fatal(err)
	}
	return template.Resources
}

func TestAllowedHeaders_AreInTheTemplateWithTheOtherRulesOfCORS(t *testing.T) {
	t.Parallel()
	cors := reviewed(t).API.Properties.CorsConfiguration
	if !slices.Equal(cors.AllowHeaders, config.AllowedHeaders()) {
		t.Errorf("the template allows the headers %q, want %q", cors.AllowHeaders, config.AllowedHeaders())
	}
	if !slices.Equal(cors.ExposeHeaders, config.ExposedHeaders()) {
		t.Errorf("the template exposes the headers %q, want %q", cors.ExposeHeaders, config.ExposedHeaders())
	}
	if cors.MaxAge != config.PreflightAge.Seconds() {
		t.Errorf("the template keeps a preflight for %v s, want %v", cors.MaxAge, config.PreflightAge)
	}
}

func TestStreamBatch_IsInTheTemplate(t *testing.T) {
	t.Parallel()
	if got := reviewed(t).Mapping.Properties.BatchSize; got != config.StreamBatch {
		t.Errorf("the template has batches of %d, want %d", got, config.StreamBatch)
	}
}

// TestStreamBatch_FitsASegment checks that a batch of one room becomes one full segment.
func TestStreamBatch_FitsASegment(t *testing.T) {
	t.Parallel()
	if config.StreamBatch != feed.MaxSegmentChanges {
		t.Errorf("a batch has %d records, a segment holds %d changes", config.StreamBatch, feed.MaxSegmentChanges)
	}
}

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

// TestVersion_IsThatOfEveryPackage compares the version with those that other files state.
func TestVersion_IsThatOfEveryPackage(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"../../web/client/package.json", "../../web/react/package.json", "../../api/openapi.json", "../../api/asyncapi.json"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var stated struct {
			Version string
			Info    struct{ Version string }
		}
		if err := json.Unmarshal(text, &stated); err != nil || stated.Version+stated.Info.Version != config.Version {
			t.Errorf("%s states the version %q, want %s: %v", path, stated.Version+stated.Info.Version, config.Version, err)
		}
	}
	archive := regexp.MustCompile(`parley-(?:client|react)-([0-9.]+)\.tgz`)
	for _, path := range []string{"../../web/client/README.md", "../../web/react/README.md", "../../examples/inbox/package.json"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		named := archive.FindAllStringSubmatch(string(text), -1)
		for _, n := range named {
			if n[1] != config.Version {
				t.Errorf("%s names %s, want the version %s", path, n[0], config.Version)
			}
		}
		if len(named) == 0 {
			t.Errorf("%s names no archive", path)
		}
	}
	for version, want := range map[string]bool{"1": true, "1.4": true, config.Version: false, "2": false, "10": false, "": false, "v1": false} {
		if got := config.Speaks(version); got != want {
			t.Errorf("speaks %q: %t", version, got)
		}
	}
}
