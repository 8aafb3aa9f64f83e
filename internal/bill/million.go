package bill

import (
	"fmt"
	"strings"
)

// Consumption of operations in a warm process, as `go run ./cmd/bench depth` counts it. A test
// counts again. The units of a post include the share of the limits' records.
var (
	warmPost = operation{reads: 1.5, writes: 2, answerBytes: 344}
	warmPage = operation{reads: 4, answerBytes: compressedPage}
	warmPoll = operation{reads: 2, answerBytes: 97}
)

const (
	// compressedPage is the size of a page of 50 messages of a public room with gzip, in bytes.
	compressedPage = 3_800
	// busyBatch is the number of messages that the feed function receives in a batch in a busy
	// room.
	busyBatch = 100
	// busyFeed is the write units for one of these messages.
	busyFeed = 0.04
	// idlePoll is the number of polls of a client in a month.
	idlePoll = 24 * 3600 * daysPerMonth / PollSeconds
)

// unitPrice is the price of a million of something, by category.
type unitPrice struct {
	Name, Goal                           string
	requests, compute, units, logs, sent float64 // dollars
}

// total returns the price of a million.
func (p unitPrice) total() float64 { return p.requests + p.compute + p.units + p.logs + p.sent }

// perMillion returns the price of a million requests of an operation that runs for some
// milliseconds in a function of some memory.
func perMillion(o operation, milliseconds, memoryMB float64) unitPrice {
	return unitPrice{
		requests: million * (priceRequest + priceInvocation),
		compute:  million * milliseconds / thousand * memoryMB / 1024 * priceGBSecond,
		units:    million * (o.reads*priceReadUnit + o.writes*priceWriteUnit),
		logs:     AccessLineBytes * priceLogGB * million / gigabyte,
		sent:     million * (o.answerBytes + HeaderBytes) / gigabyte * priceTransferGB,
	}
}

// times returns the price of n millions under another name.
func (p unitPrice) times(n float64, name, goal string) unitPrice {
	return unitPrice{name, goal, n * p.requests, n * p.compute, n * p.units, n * p.logs, n * p.sent}
}

// withFeed returns the price of messages with their feed, some of which share a batch.
func (p unitPrice) withFeed(batch, writes float64, name, goal string) unitPrice {
	batches := million / batch
	p.Name, p.Goal = name, goal
	p.requests += batches * priceInvocation
	p.compute += batches * FeedMilliseconds / thousand * feedMemoryMB / 1024 * priceGBSecond
	p.units += million * writes * priceWriteUnit
	p.logs += batches * FeedLineBytes / gigabyte * priceLogGB
	return p
}

// millions returns the price of a million of each operation, for a warm service without free
// tiers.
func millions() []unitPrice {
	message := perMillion(warmPost, PostMilliseconds, writeMemoryMB).times(1+ResentShare, "messages in", "≤ $2.65")
	page := perMillion(warmPage, ReadMilliseconds, readMemoryMB)
	poll := perMillion(warmPoll, ReadMilliseconds, readMemoryMB)
	return []unitPrice{
		message,
		message.withFeed(1, feeding.writes, "messages with their feed, quiet room", "≤ $3.60"),
		message.withFeed(busyBatch, busyFeed, "messages with their feed, busy room", "≤ $2.80"),
		page.times(1, "pages of 50 of a public room", "≤ $2.40"),
		poll.times(clients*idlePoll/million, fmt.Sprintf("%s idle clients that poll every %d s, a month", number(clients), PollSeconds), ""),
	}
}

// MillionsMarkdown returns the lines between the markers of the page on performance.
func MillionsMarkdown() string {
	var b strings.Builder
	b.WriteString("| a million | requests | compute | units | logs | transfer | total | goal |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, p := range millions() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | **%s** | %s |\n", p.Name,
			dollars(p.requests), dollars(p.compute), dollars(p.units), dollars(p.logs), dollars(p.sent), dollars(p.total()), p.Goal)
	}
	idle := Total(connected(clients * 24 * 60 * daysPerMonth).lines())
	fmt.Fprintf(&b, "| %s idle connections, a month | | | | | | **%s** | ≤ $80 |\n", number(clients), dollars(idle))
	fmt.Fprintf(&b, "\nPrices are the list prices of us-east-1 as of %s, without free tiers. Units are counted in a warm process.\n", PricesAsOf)
	return b.String()
}
