package bill

import "example.com/parley/internal/config"

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
