package bill

import (
	"fmt"
	"strings"
)

// filePeople are the columns of the table of files.
var filePeople = []float64{50, 5_000, 100_000}

// Assumptions about files. The guide states each of them.
const (
	// filesADay is the number of files that one person sends in a day.
	filesADay = 2
	// fileMB is the size of a file: most are pictures of a screen, a few are recordings.
	fileMB = 1
	// previewKB is the size of a preview, which ReadersPerMessage people load.
	previewKB = 40
	// originals is the number of people who load the whole file.
	originals = 2
	// visitsADay is how often in a day one person begins to look at the page, an hour after the
	// last time, so that its cache of pictures of people has ended.
	visitsADay = 3
	// facesAVisit is the number of people with a picture whom a visit shows.
	facesAVisit = 20
	// faceKB is the size of a picture of a person.
	faceKB = 8
)

// filing is the consumption of one file: the announcement, the message that takes it, and the feed
// function, which keeps it. linking is the consumption of a request for links to it, and finding
// that of a person in a query by ids. Tests count them again.
var (
	filing  = operation{reads: 2, writes: 6}
	linking = operation{reads: 2.5}
	finding = operation{reads: 0.5}
)

// fileLines returns the price of a month's files of some people, with a year's storage. Free tiers
// are not deducted.
func fileLines(people float64) []Line {
	files := people * filesADay * daysPerMonth
	visits := people * visitsADay * daysPerMonth
	faces := visits * facesAVisit
	calls := files*(1+ReadersPerMessage) + visits // the announcement, and a request for links by each reader
	compute := (files*PostMilliseconds*writeMemoryMB + (files*ReadersPerMessage+visits)*ReadMilliseconds*readMemoryMB) / thousand / 1024
	reads, writes := files*(filing.reads+ReadersPerMessage*linking.reads)+faces*finding.reads, files*filing.writes
	stored := files / daysPerMonth * daysPerYear * (fileMB + previewKB/1e3) / thousand
	sent := (files*(originals*fileMB+ReadersPerMessage*previewKB/1e3) + faces*faceKB/1e3) / thousand
	logs := calls * AccessLineBytes / gigabyte
	puts, gets := 2*files, files*(2+originals+ReadersPerMessage)+faces // the first two check what was sent
	return []Line{
		{"API and Lambda requests", calls / million, "M", calls * (priceRequest + priceInvocation)},
		{"Lambda compute", compute / thousand, "thousand GB-s", compute * priceGBSecond},
		{"DynamoDB units", (reads + writes) / million, "M units", reads*priceReadUnit + writes*priceWriteUnit},
		{"Logs written", logs, "GB", logs * priceLogGB},
		{"S3: files and previews written", puts / million, "M", puts * priceStorageWrite},
		{"S3: read and checked", gets / million, "M", gets * priceStorageRead},
		{"S3: stored, after a year", stored, "GB", stored * priceStoredGB},
		{"Data transfer out", sent, "GB", sent * priceTransferGB},
	}
}

// FilesMarkdown returns the table of files, and its assumptions.
func FilesMarkdown() string {
	var b strings.Builder
	var columns [][]Line
	b.WriteString("| a month |")
	for _, people := range filePeople {
		fmt.Fprintf(&b, " %s people |", number(people))
		columns = append(columns, fileLines(people))
	}
	b.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(filePeople)) + "\n")
	rows(&b, columns)
	b.WriteString("| **Total** |")
	for _, column := range columns {
		b.WriteString(" **" + dollars(Total(column)) + "** |")
	}
	fmt.Fprintf(&b, "\n\n- Each person sends %d files a day, %d days a month, of %d MB on average, each with a preview of %d KB. %d people load the preview, and %d of them the file. Nothing is deleted: "+
		"the storage is that of a year.\n", filesADay, daysPerMonth, fileMB, previewKB, ReadersPerMessage, originals)
	fmt.Fprintf(&b, "- The engine counts DynamoDB's units: a file %g writes and %g reads (4 writes to announce it, 1 when its message takes it, 1 when the feed function keeps it), and a request for links %g reads, of "+
		"which half a read is for each message. A deletion writes 1.\n", filing.writes, filing.reads, linking.reads)
	fmt.Fprintf(&b, "- S3 is asked 4 times when a file is sent: a `PUT` and a `HEAD` each for the file and its preview. S3 Standard: $%.3f for 1,000 writes; deletions are free (S3's pricing page).\n",
		priceStorageWrite*thousand)
	fmt.Fprintf(&b, "- A person looks at the page %d times a day, and loads the pictures of %d people of %d KB each time; a query for their addresses reads half a unit for each.\n", visitsADay, facesAVisit, faceKB)
	b.WriteString("- Free tiers and the lower prices of large amounts are not deducted. Messages are in the first table.\n")
	return b.String()
}
