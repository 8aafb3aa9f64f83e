// Package bill computes the price of connections and of one person's worst hour, line by line, from
// list prices and from units counted on the real engine. Tests fail when the guides' tables differ,
// or what the other tables of the guides rest on. Those were computed once, and state their inputs.
package bill

// PricesAsOf is the month in which the prices were last compared with the published ones.
const PricesAsOf = "November 2026"

// List prices of us-east-1 in dollars, as stated on the pricing page of each service.
const (
	// Amazon API Gateway pricing: HTTP APIs, and WebSocket APIs, where each message of up to 32 KB
	// to or from a client counts, and each minute of a connection.
	priceRequest = 1.00 / million
	priceFrame   = 1.00 / million
	priceMinute  = 0.25 / million

	// AWS Lambda pricing, arm64.
	priceInvocation = 0.20 / million
	priceGBSecond   = 0.0000133334

	// Amazon DynamoDB pricing, on-demand capacity, standard table class.
	priceWriteUnit   = 0.625 / million
	priceReadUnit    = 0.125 / million
	priceTableGB     = 0.25
	priceRecoveredGB = 0.20

	// Amazon CloudWatch, S3 and EC2 on-demand pricing: logs, reads, transfer out to the internet.
	priceLogGB       = 0.50
	priceStorageRead = 0.0004 / thousand
	priceTransferGB  = 0.09
)

const (
	million  = 1_000_000
	thousand = 1_000
	gigabyte = 1 << 30
)

// Line is one line of a bill: the use, and its price.
type Line struct {
	Name   string
	Used   float64
	Unit   string // such as "M" for millions
	Dollar float64
}

// Total returns the sum of the lines.
func Total(lines []Line) float64 {
	sum := 0.0
	for _, l := range lines {
		sum += l.Dollar
	}
	return sum
}
