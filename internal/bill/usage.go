package bill

// Scale is the size of a team.
type Scale struct {
	Messages float64 // a day
	Online   float64 // people online concurrently, for HoursOnline a day
}

// Scales are the columns of the bill.
func Scales() []Scale {
	return []Scale{{100, 10}, {10_000, 500}, {1_000_000, 20_000}}
}

// Assumptions about people. The guide states each of them.
const (
	daysPerMonth = 30
	daysPerYear  = 365
	// HoursOnline is a working day.
	HoursOnline = 8
	// PollSeconds is the interval at which a client polls for changes in the room it shows.
	PollSeconds = 5
	// SlowPollSeconds is an interval for comparison.
	SlowPollSeconds = 30
	// ListSeconds is the interval at which a client polls for the unread counts of all its rooms.
	ListSeconds = 60
	// OpensPerDay is the number of pages that one person opens, and marks as read.
	OpensPerDay = 20
	// PeoplePerOnline is the number of monthly users for each person online concurrently.
	PeoplePerOnline = 2
	// ReadersPerMessage is the number of others who have the room open when a message is posted.
	ReadersPerMessage = 9
	// ResentShare is the share of posts that are sent twice because a response was lost.
	ResentShare = 0.01
)

// Run times of functions. A call to DynamoDB takes about 4 ms; each operation makes two or three,
// one after another.
const (
	PostMilliseconds = 15
	ReadMilliseconds = 15
	FeedMilliseconds = 25
)

// Settings of the stack in prod. A test compares them with the synthesized template.
const (
	writeMemoryMB  = 512
	readMemoryMB   = 1024
	searchMemoryMB = 1024
	feedMemoryMB   = 512
	logDays        = 90
	feedDays       = 90
	alarmMetrics   = 32
	logMetrics     = 6
	dashboards     = 1
)

// Sizes in bytes.
const (
	// AccessLineBytes is the length of an access log line, including the 26 bytes that CloudWatch
	// adds.
	AccessLineBytes = 326
	// FeedLineBytes is the length of the line that the feed function logs for a batch.
	FeedLineBytes = 300
	// itemOverhead is the size that DynamoDB adds to each item, in the table and in the index.
	itemOverhead = 100
	// HeaderBytes is the size of a response's headers.
	HeaderBytes = 350
)

// operation is the consumption of one call.
type operation struct{ reads, writes, answerBytes, itemBytes float64 }

// Counted by `go run ./cmd/bench operations` with empty caches. A test counts again.
var (
	posting     = operation{reads: 2.5, writes: 2, answerBytes: 344, itemBytes: 366}
	opening     = operation{reads: 6, answerBytes: 17_386}
	pollingNone = operation{reads: 3.5, answerBytes: 97}
	pollingOne  = operation{reads: 4.5, answerBytes: 580}
	listing     = operation{reads: 16, answerBytes: 2_571}
	marking     = operation{reads: 7.4, writes: 1, answerBytes: 51}
	feeding     = operation{writes: 2, itemBytes: 143}
)
