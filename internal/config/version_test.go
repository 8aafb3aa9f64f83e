package config_test

import (
	"encoding/json"
	"os"
	"testing"

	"example.com/parley/internal/config"
)

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
	for version, want := range map[string]bool{"1": true, "1.4": true, config.Version: false, "2": false, "10": false, "": false, "v1": false} {
		if got := config.Speaks(version); got != want {
			t.Errorf("speaks %q: %t", version, got)
		}
	}
}
