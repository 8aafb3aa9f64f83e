package bill

import (
	"fmt"
	"math"
	"strings"
)

// Markdown returns the lines between the guide's markers: the bill, its assumptions, and the prices
// of live delivery, of files, of searches and of the page.
func Markdown() string {
	var b strings.Builder
	table(&b)
	rest(&b)
	assumptions(&b)
	b.WriteString("\nThis is the bill of clients that poll. [Live delivery](live.md) replaces most polls:\n\n" + LiveMarkdown())
	b.WriteString("\n[Files](#files) of messages and pictures of people come on top, mostly for storage and transfer:\n\n" + FilesMarkdown())
	b.WriteString("\n[Searches](search.md) come on top, and cost nothing while nobody searches but for a list a day:\n\n" + SearchMarkdown())
	b.WriteString("\nThe [page](#the-page), if the stack serves it, comes on top:\n\n" + PageMarkdown())
	return b.String()
}

func table(b *strings.Builder) {
	b.WriteString("| a month |")
	for _, s := range Scales() {
		fmt.Fprintf(b, " %s messages a day, %s online |", number(s.Messages), number(s.Online))
	}
	b.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(Scales())) + "\n")
	var columns [][]Line
	for _, s := range Scales() {
		columns = append(columns, Lines(s, PollSeconds))
	}
	rows(b, columns)
	total(b, "**Total**", "**", PollSeconds)
	total(b, fmt.Sprintf("Total if clients poll every %d s", SlowPollSeconds), "", SlowPollSeconds)
}

// rows writes the rows of a table whose columns have the same lines.
func rows(b *strings.Builder, columns [][]Line) {
	for i, line := range columns[0] {
		fmt.Fprintf(b, "| %s |", line.Name)
		for _, column := range columns {
			b.WriteString(" " + cell(column[i]) + " |")
		}
		b.WriteString("\n")
	}
}

func total(b *strings.Builder, name, emphasis string, pollSeconds float64) {
	fmt.Fprintf(b, "| %s |", name)
	for _, s := range Scales() {
		fmt.Fprintf(b, " %s%s%s |", emphasis, dollars(Total(Lines(s, pollSeconds))), emphasis)
	}
	b.WriteString("\n")
}

// rest writes the price of a month without use.
func rest(b *strings.Builder) {
	fmt.Fprintf(b, "\n**At rest** a month costs %s in `prod`, for the alarms: they read %d metrics, and an account has %d free. Where other alarms use those up, it costs %s. "+
		"%d metrics of logs cost %s each in a month in which they count something, such as connections that missed a change; %d are free. Nothing else is billed by the hour: an empty table and an idle function cost nothing. Storage costs %s a GB after the account's first %d GB, "+
		"and its recovery %s a GB; stored logs cost %s a GB.\n", dollars(Total(Lines(Scale{}, PollSeconds))), alarmMetrics, freeAlarms,
		dollars(alarmMetrics*priceAlarm), logMetrics, dollars(priceMetric), freeMetrics, dollars(priceTableGB), freeTableGB, dollars(priceRecoveredGB), dollars(priceKeptLogGB))
}

func assumptions(b *strings.Builder) {
	b.WriteString("\nThe bill assumes:\n\n")
	for _, line := range []string{
		fmt.Sprintf("People are online %d hours a day, %d days a month. In a month, %d times as many people use it as are online at once.", HoursOnline, daysPerMonth, PeoplePerOnline),
		fmt.Sprintf("A client asks for the changes of its open room every %d s, and for the unread counts of all its %d rooms every %d s. Most of the bill is for polls "+
			"that return nothing new.", PollSeconds, 10, ListSeconds),
		fmt.Sprintf("Each person opens %d pages of 50 messages a day and marks each as read. A new message reaches %d open clients, by one poll each.", OpensPerDay, ReadersPerMessage),
		"This amounts to " + requestsPerSecond() + " requests a second while people are online.",
		fmt.Sprintf("A message has 100 bytes, its item %.0f, its change in a quiet room's feed %.0f. %.0f %% of the posts are sent twice.", posting.itemBytes, feeding.itemBytes, 100*ResentShare),
		fmt.Sprintf("A write runs %d ms at %d MB, a read %d ms at %d MB, a batch of the feed function %d ms at %d MB, one batch a message. Cold starts are left out.",
			PostMilliseconds, writeMemoryMB, ReadMilliseconds, readMemoryMB, FeedMilliseconds, feedMemoryMB),
		fmt.Sprintf("The engine counts DynamoDB's units, with empty caches: a post %.0f writes and %g reads, its change in the feed %.0f writes, "+
			"a page %g reads, a poll %g, a poll that returns a message %g, the list of rooms %g, a read marker %.0f write and %g reads.",
			posting.writes, posting.reads, feeding.writes, opening.reads, pollingNone.reads, pollingOne.reads, listing.reads, marking.writes, marking.reads),
		fmt.Sprintf("A line of the access log has %d bytes, one of the feed function %d; logs are kept for %d days. An answer has %d bytes of headers.", AccessLineBytes, FeedLineBytes, logDays, HeaderBytes),
		fmt.Sprintf("Prices are the list prices of us-east-1 as of %s; check them on the services' pricing pages before you rely on them. AWS's permanent free tier "+
			"is deducted (%d GB of table, %d M Lambda requests, %s GB-s, %d GB of logs, %d metrics of alarms, %d of logs, %d GB out, %s Cognito users), as if the account had no other use for it.",
			PricesAsOf, freeTableGB, freeInvocations/million, number(freeGBSeconds), freeLogGB, freeAlarms, freeMetrics, freeTransferGB, number(freeActiveUsers)),
		fmt.Sprintf("Users are in the stack's own pool, on the plan %s. With an identity provider of your own, Cognito costs nothing.", userPoolPlan),
	} {
		b.WriteString("- " + line + "\n")
	}
}

// requestsPerSecond returns the columns' requests as a list in words.
func requestsPerSecond() string {
	var all []string
	for _, s := range Scales() {
		seconds := HoursOnline * 3600.0 * daysPerMonth
		all = append(all, number(math.Round(UsageOf(s, PollSeconds).requests()/seconds)))
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

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
