package config

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestSmallRegions_MatchTheQuotasPage compares the page with the check of the synth.
func TestSmallRegions_MatchTheQuotasPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/quotas.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, found := range regexp.MustCompile("`([a-z]{2}-[a-z]+-[0-9])`").FindAllSubmatch(text, -1) {
		listed = append(listed, string(found[1]))
	}
	slices.Sort(listed)
	if !slices.Equal(listed, slices.Sorted(slices.Values(smallRegions))) {
		t.Errorf("the page lists %v, but the synth knows %v", listed, smallRegions)
	}
}
