package bill

import (
	"fmt"
	"strings"
)

// searchers are a column of the table of searches.
type searchers struct{ people, searches float64 } // searches of all in a day

var searchColumns = []searchers{{50, 50}, {5_000, 5_000}, {5_000, 50_000}}

// Assumptions about searches. The guide states each of them.
const (
	// requestsASearch is the number of requests that the page sends while somebody types.
	requestsASearch = 5
	// messagesAPerson is the number of messages in the rooms that are searched, and indexBytes the
	// size of each in the index.
	messagesAPerson = 2_000
	indexBytes      = 40
	// membersARoom people are in a room, and each person in roomsAPerson. Somebody writes to each
	// room every day.
	membersARoom = 10
	roomsAPerson = 10
	// searchMilliseconds is the time of a request in a process that has the indexes. The first
	// request of each search finds none: it takes coldMilliseconds. A sweep takes sweepMilliseconds
	// for each room.
	searchMilliseconds, coldMilliseconds, sweepMilliseconds = 100, 600, 60
)

// searching is the consumption of a request in roomsAPerson rooms with 20 results by a new process,
// and searchingAgain of its next one. sweeping counts for each room of a sweep, and indexing for
// each message of a room that is first searched. A test counts them again.
var (
	searching      = operation{reads: 64, answerBytes: 8_364}
	searchingAgain = operation{reads: 53}
	sweeping       = operation{reads: 3.5}
	indexing       = operation{reads: 0.0625}
)

// searchLines returns the price of a month's searches, in the month in which they begin. Free tiers
// are not deducted.
func searchLines(s searchers) []Line {
	searches := s.searches * daysPerMonth
	requests := searches * requestsASearch
	messages := s.people * messagesAPerson
	swept := s.people * roomsAPerson / membersARoom * daysPerMonth
	compute := ((requests-searches)*searchMilliseconds + searches*coldMilliseconds + swept*sweepMilliseconds) * searchMemoryMB / thousand / 1024
	reads := searches*searching.reads + (requests-searches)*searchingAgain.reads + swept*sweeping.reads + messages*indexing.reads
	logs, sent, stored := requests*AccessLineBytes/gigabyte, requests*(searching.answerBytes+HeaderBytes)/gigabyte, messages*indexBytes/gigabyte
	gets, puts := searches*roomsAPerson+swept, swept
	return []Line{
		{"API and Lambda requests", requests / million, "M", requests * (priceRequest + priceInvocation)},
		{"Lambda compute", compute / thousand, "thousand GB-s", compute * priceGBSecond},
		{"DynamoDB reads", reads / million, "M units", reads * priceReadUnit},
		{"Logs written", logs, "GB", logs * priceLogGB},
		{"S3: indexes read", gets / million, "M", gets * priceStorageRead},
		{"S3: indexes written, by sweeps", puts / million, "M", puts * priceStorageWrite},
		{"S3: indexes stored", stored, "GB", stored * priceStoredGB},
		{"Data transfer out", sent, "GB", sent * priceTransferGB},
	}
}

// SearchTotal returns the price of a month in which people search so often a day.
func SearchTotal(people, searches float64) float64 {
	return Total(searchLines(searchers{people, searches}))
}

// SearchMarkdown returns the table of searches, and its assumptions.
func SearchMarkdown() string {
	var b strings.Builder
	var columns [][]Line
	b.WriteString("| a month |")
	for _, s := range searchColumns {
		fmt.Fprintf(&b, " %s people, %s searches a day |", number(s.people), number(s.searches))
		columns = append(columns, searchLines(s))
	}
	b.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(columns)) + "\n")
	rows(&b, columns)
	b.WriteString("| **Total** |")
	for _, column := range columns {
		b.WriteString(" **" + dollars(Total(column)) + "** |")
	}
	fmt.Fprintf(&b, "\n\n- The page sends %d requests while somebody types a query. Each person is in %d rooms of %d people. The rooms have %s messages for each person, or %s and %s in all.\n",
		requestsASearch, roomsAPerson, membersARoom, number(messagesAPerson), number(searchColumns[0].people*messagesAPerson), number(searchColumns[1].people*messagesAPerson))
	fmt.Fprintf(&b, "- The engine counts DynamoDB's units: a request in %d rooms %g reads in a new process and then %g, with %d results that are read again; the first search of a room %g for each of its messages; a sweep %g for each room.\n",
		roomsAPerson, searching.reads, searchingAgain.reads, 20, indexing.reads, sweeping.reads)
	fmt.Fprintf(&b, "- The first request of each search finds a new process, which reads the indexes of all %d rooms from S3 and runs %d ms at %d MB; the others run %d ms. A message has %d bytes in the index.\n",
		roomsAPerson, coldMilliseconds, searchMemoryMB, searchMilliseconds, indexBytes)
	fmt.Fprintf(&b, "- Once a day a sweep reads and stores the index of each room, for %d ms: people write to all of them. Without searches there are no indexes, and the sweep costs a list: $%.3f for 1,000.\n",
		sweepMilliseconds, priceStorageWrite*thousand)
	b.WriteString("- Free tiers are not deducted.\n")
	return b.String()
}
