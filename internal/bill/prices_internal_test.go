package bill

import (
	"math"
	"testing"

	"example.com/parley/internal/scan"
)

// TestPrices_MatchTheCommandsEstimate compares with the estimate that chat prints before it scans a
// table.
func TestPrices_MatchTheCommandsEstimate(t *testing.T) {
	t.Parallel()
	const units = 1e6
	if got, want := scan.Dollars(units), units*priceReadUnit; math.Abs(got-want) > 1e-9 {
		t.Errorf("a million read units cost $%v for chat, $%v in the bill", got, want)
	}
	if got, want := scan.WriteDollars(units), units*priceWriteUnit; math.Abs(got-want) > 1e-9 {
		t.Errorf("a million write units cost $%v for chat, $%v in the bill", got, want)
	}
}
