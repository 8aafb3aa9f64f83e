// Package bill computes the price of connections and of one person's worst hour, line by line, from
// list prices and from units counted on the real engine. Tests fail when the guides' tables differ,
// or what the other tables of the guides rest on. Those were computed once, and state their inputs.
package bill

import (
	"fmt"
	"math"
	"strings"

	"example.com/parley/internal/config"
)

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

// Assumptions about people. The guide states each of them.
const (
	daysPerMonth = 30
	// HoursOnline is a working day.
	HoursOnline = 8
	// PollSeconds is the interval at which a client polls for changes in the room it shows.
	PollSeconds = 5
	// ListSeconds is the interval at which a client polls for the unread counts of all its rooms.
	ListSeconds = 60
	// ReadMilliseconds is the run time of a read, which makes two or three calls to DynamoDB, one
	// after another, of about 4 ms each.
	ReadMilliseconds = 15
)

// Settings of the stack in prod. A test compares them with the synthesized template.
const (
	writeMemoryMB      = 512
	readMemoryMB       = 1024
	searchMemoryMB     = 1024
	feedMemoryMB       = 512
	socketMemoryMB     = 512
	authorizerMemoryMB = 256
)

// Sizes in bytes.
const (
	// AccessLineBytes is the length of an access log line, including the 26 bytes that CloudWatch
	// adds.
	AccessLineBytes = 314
	// RequestLineBytes is the length of the line that a function logs for one ordinary request in
	// config.SampleOf.
	RequestLineBytes = 212
	lineBytes        = AccessLineBytes + RequestLineBytes/float64(config.SampleOf)
	// FeedLineBytes is the length of the line that the feed function logs for a batch.
	FeedLineBytes = 300
	// HeaderBytes is the size of a response's headers.
	HeaderBytes = 350
)

// operation is the consumption of one call.
type operation struct{ reads, writes, answerBytes, itemBytes float64 }

// Counted by `go run ./cmd/bench operations` with empty caches. A test counts again.
var (
	pollingNone = operation{reads: 3.5, answerBytes: 97}
	pollingOne  = operation{reads: 4.5, answerBytes: 580}
	listing     = operation{reads: 16, answerBytes: 2_571}
)

// cell returns a line's use and price.
func cell(l Line) string {
	if l.Used == 0 {
		return dollars(l.Dollar)
	}
	used := strings.TrimSpace(number(l.Used) + " " + l.Unit)
	return used + ": " + dollars(l.Dollar)
}

// cheap is the largest price that two decimals cannot show.
const cheap = 0.005

func dollars(d float64) string {
	switch {
	case d == 0:
		return "$0"
	case d < cheap:
		return "under $0.01"
	case d < thousand:
		return fmt.Sprintf("$%.2f", d)
	}
	return "$" + number(d)
}

// number formats f with three digits, or a larger number with all digits in groups of three.
func number(f float64) string {
	switch {
	case f == math.Trunc(f) && f < thousand:
		return fmt.Sprintf("%.0f", f)
	case f < 1:
		return fmt.Sprintf("%.3f", f)
	case f < 100:
		return fmt.Sprintf("%.1f", f)
	case f < thousand:
		return fmt.Sprintf("%.0f", f)
	}
	n := int64(math.Round(f))
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
