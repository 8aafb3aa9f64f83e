// Package bill computes the monthly price of Parley, line by line, from list prices and from units
// counted on the real engine. `go run ./cmd/bench bill` prints the tables of the operator's guide.
// A test fails when the guide's tables differ.
package bill

// PricesAsOf is the month in which the prices were last compared with the published ones.
const PricesAsOf = "November 2026"

// List prices of us-east-1 in dollars, as stated on the pricing page of each service.
const (
	// Amazon API Gateway pricing, HTTP APIs, per request; responses over 512 KB count double.
	priceRequest     = 1.00 / million
	priceRequestMore = 0.90 / million
	requestTier      = 300 * million // a month at the first price

	// AWS Lambda pricing, arm64.
	priceInvocation = 0.20 / million
	priceGBSecond   = 0.0000133334
	freeInvocations = 1 * million
	freeGBSeconds   = 400_000

	// Amazon DynamoDB pricing, on-demand capacity, standard table class. Lambda reads a stream for
	// free, and expiry is free.
	priceWriteUnit   = 0.625 / million
	priceReadUnit    = 0.125 / million
	priceTableGB     = 0.25
	freeTableGB      = 25
	priceRecoveredGB = 0.20

	// Amazon CloudWatch pricing.
	priceLogGB      = 0.50
	priceKeptLogGB  = 0.03
	logCompression  = 0.15 // of what was written, the page's own estimate
	freeLogGB       = 5
	priceAlarm      = 0.10
	freeAlarms      = 10
	priceMetric     = 0.30 // of a log, in a month in which it counts something
	freeMetrics     = 10
	priceDashboard  = 3.00
	freeDashboards  = 3
	priceBudget     = 0 // AWS Budgets pricing: a budget without actions is free
	priceTransferGB = 0.09
	freeTransferGB  = 100 // of all services of the account together

	// Amazon EC2 on-demand pricing, data transfer out to the internet, by GB of a month.
	priceTransferGB10 = 0.085
	priceTransferGB50 = 0.07
	transferTier10    = 10_240
	transferTier50    = 51_200

	// Amazon Cognito pricing, users who sign in to the pool itself.
	userPoolPlan    = "LITE"
	priceActiveUser = 0.0055
	freeActiveUsers = 10_000
)

const (
	million  = 1_000_000
	thousand = 1_000
	gigabyte = 1 << 30
)
