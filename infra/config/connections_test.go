package config_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"example.com/parley/infra/config"
)

func TestTable_ConnectRate(t *testing.T) {
	t.Parallel()
	for writes, want := range map[int]int{0: 48, 4_000: 48, 12_000: 145, 40_000: 483, 100_000: 500} {
		if got := (config.Table{WarmWrites: writes}).ConnectRate(); got != want {
			t.Errorf("with %d warm writes, %d connections a second are accepted, want %d", writes, got, want)
		}
	}
}

// TestQuotas_StateTheConnectRate computes what the guides state of a reconnect.
func TestQuotas_StateTheConnectRate(t *testing.T) {
	t.Parallel()
	const people = 20_000
	fresh, warm := config.Table{}.ConnectRate(), config.Table{WarmWrites: 12_000}.ConnectRate()
	minutes := func(rate int) float64 { return math.Round(2*people/float64(rate)/60) / 2 }
	for page, all := range map[string][]string{
		"quotas.md": {
			fmt.Sprintf("accepts %d new connections a second", fresh), fmt.Sprintf("brings 20,000 people back in %v minutes", minutes(fresh)),
			fmt.Sprintf("`WarmWrites: 12_000` it accepts %d, and they are back in %v minutes", warm, minutes(warm)),
			fmt.Sprintf("A hello with 30 rooms writes %d units", config.HelloWrites),
		},
		"deploy.md":   {fmt.Sprintf("A throttle allows %d new connections a second", fresh)},
		"settings.md": {fmt.Sprintf("%d without it, and %d with 12,000", fresh, warm)},
	} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, sentence := range all {
			if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), sentence) {
				t.Errorf("docs/%s does not say: %s", page, sentence)
			}
		}
	}
}
