package bill

import "math"

// Line is one line of the bill: the use in a month, and its price.
type Line struct {
	Name   string
	Used   float64
	Unit   string // such as "M" for millions
	Dollar float64
}

// Usage is a team's use in a month.
type Usage struct {
	posts, polls, lists, opens, deliveries float64
	people                                 float64
	messages                               float64 // stored, retries not counted
}

// UsageOf returns the monthly use at a scale if clients poll every pollSeconds.
func UsageOf(s Scale, pollSeconds float64) Usage {
	online := s.Online * HoursOnline * 3600 * daysPerMonth // client seconds
	people := s.Online * PeoplePerOnline
	messages := s.Messages * daysPerMonth
	polls := online / pollSeconds
	return Usage{
		posts: messages * (1 + ResentShare), messages: messages,
		polls: polls, lists: online / ListSeconds,
		opens: people * OpensPerDay * daysPerMonth, people: people,
		// A late poll returns several messages, and counts as one poll for each.
		deliveries: min(messages*min(ReadersPerMessage, max(0, s.Online-1)), polls),
	}
}

// requests returns the number of API calls. Each opened page is also marked as read.
func (u Usage) requests() float64 { return u.posts + u.polls + u.lists + 2*u.opens }

func (u Usage) reads() float64 {
	return u.posts*posting.reads + (u.polls-u.deliveries)*pollingNone.reads + u.deliveries*pollingOne.reads +
		u.lists*listing.reads + u.opens*(opening.reads+marking.reads)
}

func (u Usage) writes() float64 { return u.posts*posting.writes + u.opens*marking.writes }

func (u Usage) feedWrites() float64 { return u.messages * feeding.writes }

func (u Usage) gigabytesOut() float64 {
	bodies := u.posts*posting.answerBytes + (u.polls-u.deliveries)*pollingNone.answerBytes + u.deliveries*pollingOne.answerBytes +
		u.lists*listing.answerBytes + u.opens*(opening.answerBytes+marking.answerBytes)
	return (bodies + u.requests()*HeaderBytes) / gigabyte
}

func (u Usage) gigabyteSeconds() float64 {
	writes := (u.posts + u.opens) * PostMilliseconds * writeMemoryMB
	reads := (u.polls + u.lists + u.opens) * ReadMilliseconds * readMemoryMB
	feeds := u.messages * FeedMilliseconds * feedMemoryMB
	return (writes + reads + feeds) / thousand / 1024
}

func (u Usage) logGigabytes() float64 {
	return (u.requests()*AccessLineBytes + u.messages*FeedLineBytes) / gigabyte
}

// tableGigabytes returns the size of the table after a year. Messages are counted twice, for the
// table and the index; feeds expire after feedDays.
func (u Usage) tableGigabytes() float64 {
	daily := u.messages / daysPerMonth
	messages := daily * daysPerYear * 2 * (posting.itemBytes + itemOverhead)
	feeds := daily * feedDays * (feeding.itemBytes + itemOverhead)
	return (messages + feeds) / gigabyte
}

// Lines returns the bill of a month at a scale.
func Lines(s Scale, pollSeconds float64) []Line {
	u := UsageOf(s, pollSeconds)
	invocations := u.requests() + u.messages
	logs, stored, out := u.logGigabytes(), u.tableGigabytes(), u.gigabytesOut()
	kept := logs * logCompression * logDays / daysPerMonth
	return []Line{
		{"API requests", u.requests() / million, "M", min(u.requests(), requestTier)*priceRequest + over(u.requests(), requestTier)*priceRequestMore},
		{"Lambda requests, the feed's too", invocations / million, "M", over(invocations, freeInvocations) * priceInvocation},
		{"Lambda compute", u.gigabyteSeconds() / thousand, "thousand GB-s", over(u.gigabyteSeconds(), freeGBSeconds) * priceGBSecond},
		{"DynamoDB writes: messages and read markers", u.writes() / million, "M units", u.writes() * priceWriteUnit},
		{"DynamoDB writes: feeds, from the stream", u.feedWrites() / million, "M units", u.feedWrites() * priceWriteUnit},
		{"DynamoDB reads", u.reads() / million, "M units", u.reads() * priceReadUnit},
		{"Table, after a year", stored, "GB", over(stored, freeTableGB) * priceTableGB},
		{"Point-in-time recovery, after a year", stored, "GB", stored * priceRecoveredGB},
		{"Logs written", logs, "GB", over(logs, freeLogGB) * priceLogGB},
		{"Logs stored", kept, "GB", over(kept, freeLogGB) * priceKeptLogGB},
		{"Alarms, one per metric they read", alarmMetrics, "", over(alarmMetrics, freeAlarms) * priceAlarm},
		{"Metrics of logs, if all count something", logMetrics, "", over(logMetrics, freeMetrics) * priceMetric},
		{"Dashboards", dashboards, "", over(dashboards, freeDashboards) * priceDashboard},
		{"Budget", 1, "", priceBudget},
		{"Data transfer out", out, "GB", transfer(out)},
		{"Cognito, people active in the month", u.people, "", over(u.people, freeActiveUsers) * priceActiveUser},
	}
}

// Total returns the sum of the lines.
func Total(lines []Line) float64 {
	sum := 0.0
	for _, l := range lines {
		sum += l.Dollar
	}
	return sum
}

// over returns the amount by which used exceeds the free amount.
func over(used, free float64) float64 { return math.Max(0, used-free) }

// transfer returns the price of sending gigabytes to the internet.
func transfer(gigabytes float64) float64 {
	billed := over(gigabytes, freeTransferGB)
	first := min(billed, transferTier10)
	second := min(over(billed, transferTier10), transferTier50-transferTier10)
	return first*priceTransferGB + second*priceTransferGB10 + over(billed, transferTier50)*priceTransferGB50
}
