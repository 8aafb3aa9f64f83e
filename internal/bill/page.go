package bill

import (
	"fmt"
	"strings"
)

// Amazon CloudFront pricing, pay as you go, in the cheapest class: requests over HTTPS, and
// transfer out. CloudFront's reads of S3 are free of transfer.
const (
	priceEdgeRequest = 0.01 / 10_000
	priceEdgeGB      = 0.085
	freeEdgeRequests = 10 * million
	freeEdgeGB       = 1000
)

// Amazon S3 pricing, Standard.
const (
	priceStoredGB     = 0.023
	priceStorageRead  = 0.0004 / thousand
	priceStorageWrite = 0.005 / thousand
)

// Assumptions about the web app. A test compares the first two with the built files.
const (
	// PageFiles is the maximum number of files that a visit loads: all of them and the
	// configuration.
	PageFiles = 90
	// PageKB is their maximum size as sent.
	PageKB = 220
	// pageStoredKB is their stored size, including former versions.
	pageStoredKB = 1000
	visits       = 1000
)

// pageLines returns the price of the web app for a month with some visits, each with an empty
// cache. Every file counts as read from S3, although CloudFront keeps the versioned ones.
func pageLines(visits float64, free bool) []Line {
	requests, transfer := visits*PageFiles, visits*PageKB/million
	edge := requests*priceEdgeRequest + transfer*priceEdgeGB
	if free {
		edge = over(requests, freeEdgeRequests)*priceEdgeRequest + over(transfer, freeEdgeGB)*priceEdgeGB
	}
	return []Line{
		{Name: "S3: files at rest", Used: pageStoredKB / 1e6, Unit: "GB", Dollar: pageStoredKB / 1e6 * priceStoredGB},
		{Name: "S3: reads by CloudFront", Used: requests, Dollar: requests * priceStorageRead},
		{Name: "CloudFront: requests and transfer", Used: requests, Dollar: edge},
	}
}

// PageMarkdown returns the table of the web app, and its assumptions.
func PageMarkdown() string {
	columns := [][]Line{pageLines(0, true), pageLines(visits, true), pageLines(visits, false)}
	var b strings.Builder
	fmt.Fprintf(&b, "| a month | at rest | %s visits | %s visits beyond the free tier |\n| --- | ---: | ---: | ---: |\n", number(visits), number(visits))
	rows(&b, columns)
	b.WriteString("| **Total** |")
	for _, column := range columns {
		b.WriteString(" **" + dollars(Total(column)) + "** |")
	}
	fmt.Fprintf(&b, "\n\n- A visit loads all files of the page with an empty cache: at most %d files of %d KB together. A visitor who comes back loads less until a deploy changes the page.\n", PageFiles, PageKB)
	fmt.Fprintf(&b, "- CloudFront's free tier is permanent: %d M requests and %s GB a month, of all distributions of the account (CloudFront's pricing page, pay as you go, "+
		"North America and Europe). Beyond it: $%.2f for a million requests, and $%.3f a GB.\n", freeEdgeRequests/million, number(freeEdgeGB), priceEdgeRequest*million, priceEdgeGB)
	fmt.Fprintf(&b, "- S3 Standard: $%.3f a GB, $%.4f for 1,000 reads (S3's pricing page). A deploy with new files writes them for $%.4f. The function that writes them runs for a second.\n",
		priceStoredGB, priceStorageRead*thousand, PageFiles*priceStorageWrite)
	return b.String()
}
