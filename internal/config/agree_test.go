package config_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/chat"
	"parley/internal/config"
	"parley/internal/feed"
)

// root is the folder of the module.
const root = "../.."

// TestDocuments_StateTheBoundsOfAMessagesTime compares the documents with what the service does.
func TestDocuments_StateTheBoundsOfAMessagesTime(t *testing.T) {
	t.Parallel()
	old := fmt.Sprintf("%g hours old", chat.MaxAge.Hours())
	ahead := fmt.Sprintf("%g seconds ahead", chat.MaxAhead.Seconds())
	for _, path := range []string{"internal/httpapi/testdata/openapi.json", "docs/problems.md"} {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{old, ahead} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not say %q", path, want)
			}
		}
	}
}

// resources are the parts of a reviewed template that are made from this package.
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

// TestTemplate_HasTheListsAndTheBatch holds the template that was reviewed against this package.
// The stack's own tests hold what it makes against that template.
func TestTemplate_HasTheListsAndTheBatch(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "infra/stack/testdata/own.golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var template struct{ Resources resources }
	if err := json.Unmarshal(text, &template); err != nil {
		t.Fatal(err)
	}
	cors := template.Resources.API.Properties.CorsConfiguration
	if !slices.Equal(cors.AllowHeaders, config.AllowedHeaders()) {
		t.Errorf("the template allows the headers %q, want %q", cors.AllowHeaders, config.AllowedHeaders())
	}
	if !slices.Equal(cors.ExposeHeaders, config.ExposedHeaders()) {
		t.Errorf("the template exposes the headers %q, want %q", cors.ExposeHeaders, config.ExposedHeaders())
	}
	if cors.MaxAge != config.PreflightAge.Seconds() {
		t.Errorf("the template keeps a preflight for %v s, want %v", cors.MaxAge, config.PreflightAge)
	}
	if got := template.Resources.Mapping.Properties.BatchSize; got != config.StreamBatch {
		t.Errorf("the template has batches of %d, want %d", got, config.StreamBatch)
	}
}

// TestStreamBatch_FitsASegment: a batch of one room becomes one item, and no segment is half empty.
func TestStreamBatch_FitsASegment(t *testing.T) {
	t.Parallel()
	if config.StreamBatch != feed.MaxSegmentChanges {
		t.Errorf("a batch has %d records, a segment takes %d changes", config.StreamBatch, feed.MaxSegmentChanges)
	}
}
