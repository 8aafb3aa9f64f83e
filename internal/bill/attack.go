package bill

import (
	"fmt"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	conns "example.com/parley/internal/live"
	"example.com/parley/internal/ratelimit"
)

// Assumptions about one person who wants to cost the owner money. The page on security states each
// of them.
const (
	// attackSeconds is an hour.
	attackSeconds = 3600
	// AttackProcesses is the number of processes of each function that the person keeps busy.
	AttackProcesses = 64
	// AttackReceivers is the number of connections with the person's room open.
	AttackReceivers = 1000
	// stageRate is the setting Rate of prod, for HTTP and for sockets. connectRate is the limit of
	// new connections to a table that is not pre-warmed. A test compares both with the template.
	stageRate   = 2000
	connectRate = 48
	// accountRate is API Gateway's quota of requests and frames a second, for all APIs of an
	// account.
	accountRate = 10_000
	// refusalBytes is the size of a 429 response. Functions do not log it.
	refusalBytes = 300
	// copiesOfBytes is the maximum number of times that each byte of a text is written: to the
	// table and its index, and twice as a version.
	copiesOfBytes = 4
	// recoveredCopies of them are also billed for recovery, which leaves out the index.
	recoveredCopies = 3
)

// readExcess is the factor by which a person can exceed the read rate through many processes over
// a minute. A simulation checks it (TestTake_HoldsReadsAcrossProcesses).
const readExcess = 1.3

// Units of the most expensive message, a first reply, and of a mention, with all their
// consequences. docs/quotas.md lists them.
const (
	replyWrites, replyReads     = 15, 6.2
	mentionWrites, mentionReads = 2.05, 1.6
)

// Units of a reaction with all its consequences: the row, the count and the feed entry. Only
// votes in large polls cost more for their price. docs/quotas.md lists them.
const (
	reactionPrice                 = 4 // of the caller's budget
	reactionWrites, reactionReads = 6, 5.5
)

// largePoll is how many times the cost of a reaction a vote has at most: after each vote, the votes
// of the poll are counted again.
const largePoll = 7

// spent returns how much a person can consume of a budget in an hour, including the initial burst.
func spent(l ratelimit.Limit) float64 {
	return float64((l.Window + attackSeconds*time.Second) / l.Each)
}

// AttackLines returns the maximum cost that one person can cause in an hour, by kind. The sum is
// more than one person can reach, because requests and frames share a quota. No free tier is
// deducted.
func AttackLines() []Line {
	limits := ratelimit.For(0)
	messages, writes, reads := spent(limits[ratelimit.Messages]), spent(limits[ratelimit.Writes]),
		readExcess*spent(limits[ratelimit.Reads])
	mentions := min(chat.MaxMentions*messages, ratelimit.Targets*spent(limits[ratelimit.Toward("")]))
	kilobytes := float64(ratelimit.KilobytesADay) * (1 + attackSeconds/(24*3600.0))
	changes := writes / reactionPrice
	frames := min((messages+changes)*AttackReceivers, accountRate*attackSeconds)
	const requests, compute = float64(stageRate * attackSeconds),
		float64(AttackProcesses * attackSeconds * (writeMemoryMB + readMemoryMB + searchMemoryMB +
			socketMemoryMB) / 1024)
	lines := []Line{
		{
			Name: "Requests over HTTP, nearly all of them refused", Used: requests / million, Unit: "M",
			Dollar: requests * (priceRequest + priceInvocation),
		},
		{
			Name: "Their logs and answers", Used: requests * lineBytes / gigabyte, Unit: "GB of logs",
			Dollar: refusals(requests),
		},
		{Name: "Lambda compute", Used: compute / thousand, Unit: "thousand GB-s", Dollar: compute * priceGBSecond},
		unitLine("Messages", messages, replyWrites, replyReads),
		unitLine("Mentions", mentions, mentionWrites, mentionReads),
		unitLine("Their texts", kilobytes, copiesOfBytes, 0),
		unitLine("Other changes", changes, reactionWrites, reactionReads),
		unitLine(
			"What they cost more as votes in large polls", changes, (largePoll-1)*reactionWrites,
			(largePoll-1)*reactionReads,
		),
		unitLine("Reads", reads, 0, 1),
		{
			Name: "Searches' calls to S3", Used: searchCalls * reads / searchPrice / million, Unit: "M",
			Dollar: searchCalls * reads / searchPrice * priceStorageRead,
		},
		{
			Name: "Pages sent", Used: reads * pageBytes / gigabyte, Unit: "GB",
			Dollar: reads * pageBytes / gigabyte * priceTransferGB,
		},
		{
			Name: fmt.Sprintf("Frames to %s connections", number(AttackReceivers)), Used: frames / million, Unit: "M",
			Dollar: frames * priceFrame,
		},
		{
			Name: "Frames sent", Used: frames * conns.MaxFrame / gigabyte, Unit: "GB",
			Dollar: frames * conns.MaxFrame / gigabyte * priceTransferGB,
		},
	}
	return append(lines, socketLines()...)
}

// pageBytes is how many bytes of a response cost a read unit of the caller's budget. A test
// compares it with the price.
const pageBytes = 4 << 10

// searchCalls is the maximum number of calls to S3 of a search, which costs searchPrice units of
// the caller's budget. A test compares both with the code.
const searchCalls, searchPrice = 600, 30

// unitLine returns the price of operations that consume the same units.
func unitLine(name string, n, writes, reads float64) Line {
	return Line{
		Name: name, Used: n * (writes + reads) / million, Unit: "M units",
		Dollar: n * (writes*priceWriteUnit + reads*priceReadUnit),
	}
}

// refusals returns the price of the logs and responses of refused requests.
func refusals(n float64) float64 {
	return n*lineBytes/gigabyte*priceLogGB + n*(refusalBytes+HeaderBytes)/gigabyte*priceTransferGB
}

// socketLines returns the price of requests over connections. Connections that are refused too
// often are closed, and return at the throttle's rate.
func socketLines() []Line {
	const sent, begun = float64(stageRate * attackSeconds), float64(connectRate * attackSeconds)
	logs := (sent + 3*begun) * SocketLineBytes / gigabyte
	units := spent(ratelimit.ForConnections(0)[ratelimit.Writes])
	return []Line{
		{
			Name: "Requests over sockets, and their answers", Used: 2 * sent / million, Unit: "M",
			Dollar: sent * (2*priceFrame + priceInvocation),
		},
		{Name: "Their logs", Used: logs, Unit: "GB", Dollar: logs * priceLogGB},
		{Name: "Subscriptions and syncs", Used: units / million, Unit: "M units", Dollar: units * priceWriteUnit},
		{
			Name: "New connections", Used: begun / million, Unit: "M",
			Dollar: begun * (3*priceInvocation + (beginning.reads+1)*priceReadUnit),
		},
	}
}

// AttackMarkdown returns the lines between the markers of the page on security.
func AttackMarkdown() string {
	var b strings.Builder
	b.WriteString("| in an hour, at most | used | price |\n| --- | ---: | ---: |\n")
	lines := AttackLines()
	for _, l := range lines {
		fmt.Fprintf(&b, "| %s | %s %s | %s |\n", l.Name, number(l.Used), l.Unit, dollars(l.Dollar))
	}
	fmt.Fprintf(&b, "| **Total** | | **%s** |\n\n", dollars(Total(lines)))
	kept := float64(ratelimit.KilobytesADay) * copiesOfBytes / million
	for _, line := range []string{
		fmt.Sprintf(
			"One person ignores every 429, sends %s requests a second over HTTP and as many over sockets, which is "+
				"the `Rate` of `prod`, and keeps %d processes busy.",
			number(stageRate), AttackProcesses,
		),
		fmt.Sprintf("The limits follow from the default `SendRate`, without `WarmWrites`. The texts are a day's %s "+
			"MB, posted within the hour. %s connections have the person's room open, and receive frames of %d KB, "+
			"until all requests and frames together reach the account's quota of %s a "+
			"second.", number(ratelimit.KilobytesADay/1024), number(AttackReceivers), conns.MaxFrame>>10,
			number(accountRate)),
		fmt.Sprintf("A message is a first reply, with the units of [units](quotas.md#units), and mentions are as "+
			"many as the budgets of [attention](adr/0048-limit-what-one-asks-of-another.md) allow. Other changes are "+
			"reactions. Only votes cost more per unit of the limit: up to seven times as much, where a poll has "+
			"many votes. "+
			"An answer with 429 has %d bytes, and only the access logs have a line for it.", refusalBytes),
		fmt.Sprintf(
			"%s GB remain stored, and cost %s a month with their backup until they are deleted.", number(kept),
			dollars(kept*priceTableGB+kept*recoveredCopies/copiesOfBytes*priceRecoveredGB),
		),
		fmt.Sprintf(
			"Prices are as of %s. No free tier is deducted. Requests without a token are bounded by [other "+
				"throttles](deploy.md#what-strangers-can-do).",
			PricesAsOf,
		),
	} {
		b.WriteString("- " + line + "\n")
	}
	return b.String()
}
