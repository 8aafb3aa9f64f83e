package config_test

import (
	"encoding/json"
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
