package bill

import (
	"fmt"
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

func TestPrices_MatchTheGuide(t *testing.T) {
	t.Parallel()
	states(t, guide, "pricing pages, as of "+PricesAsOf,
		fmt.Sprintf("API Gateway: $%.2f for a million requests", priceRequest*million),
		fmt.Sprintf("Lambda on arm64: $%.2f for a million requests, and $%.10f for a GB-second", priceInvocation*million, priceGBSecond),
		fmt.Sprintf("$%.3f for a million write units, $%.3f for a million read units, $%.2f a GB, and $%.2f a GB for recovery",
			priceWriteUnit*million, priceReadUnit*million, priceTableGB, priceRecoveredGB),
		fmt.Sprintf("CloudWatch: $%.2f a GB of logs written", priceLogGB),
		fmt.Sprintf("Transfer: $%.2f a GB", priceTransferGB),
		fmt.Sprintf("$%.4f for 1,000 reads", priceStorageRead*thousand))
}
