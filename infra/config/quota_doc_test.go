package config

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// aRegion matches a Region's name in a page.
var aRegion = regexp.MustCompile("`([a-z]{2}(-gov)?-[a-z]+-[0-9])`")

// TestSmallRegions_MatchTheQuotasPage compares the page with the check of the synth.
func TestSmallRegions_MatchTheQuotasPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/quotas.md")
	if err != nil {
		t.Fatal(err)
	}
	compareRegions(t, string(text), smallRegions)
}

// TestRegions_MatchTheDeployPage compares two paragraphs of the page with the checks of the synth.
func TestRegions_MatchTheDeployPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/deploy.md")
	if err != nil {
		t.Fatal(err)
	}
	for beginning, regions := range map[string][]string{"- **No HTTP APIs**": withoutHTTPAPIs, "- **No budgets**": withoutBudgets} {
		_, rest, found := strings.Cut(string(text), beginning)
		if !found {
			t.Errorf("the page has no item %q", beginning)
		}
		item, _, _ := strings.Cut(rest, "\n- ")
		item, _, _ = strings.Cut(item, "\n\n")
		compareRegions(t, item, regions)
	}
}

// compareRegions compares the Regions that a text names with a list.
func compareRegions(t *testing.T, text string, want []string) {
	t.Helper()
	var listed []string
	for _, found := range aRegion.FindAllStringSubmatch(text, -1) {
		listed = append(listed, found[1])
	}
	slices.Sort(listed)
	if !slices.Equal(listed, slices.Sorted(slices.Values(want))) {
		t.Errorf("the page lists %v, but the synth knows %v", listed, want)
	}
}
