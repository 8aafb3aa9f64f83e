package bill

// Scale is how much a team talks.
type Scale struct {
	Messages float64 // a day
	Online   float64 // people at once, for HoursOnline a day
}

// Scales are the columns of the bill.
func Scales() []Scale {
	return []Scale{{100, 10}, {10_000, 500}, {1_000_000, 20_000}}
}

// What people do. The guide states every one of these.
const (
	daysPerMonth = 30
	daysPerYear  = 365
	// HoursOnline is a working day.
	HoursOnline = 8
	// PollSeconds is how often a client asks for the changes of the room it shows: there are no
	// sockets yet.
	PollSeconds = 5
	// SlowPollSeconds is for comparison.
	SlowPollSeconds = 30
	// ListSeconds is how often it asks for the unread counts of all its rooms.
	ListSeconds = 60
	// OpensPerDay is how many pages one person opens, and marks as read.
	OpensPerDay = 20
	// PeoplePerOnline is how many people use it in a month for each who is online at once.
	PeoplePerOnline = 2
	// ReadersPerMessage is how many others have the room open when a message is posted.
	ReadersPerMessage = 9
	// ResentShare of the posts are sent twice, since an answer was lost.
	ResentShare = 0.01
)

// How long functions run. A call to DynamoDB takes about 4 ms on the service; each operation
// makes two or three, one after another.
const (
	PostMilliseconds = 15
	ReadMilliseconds = 15
	FeedMilliseconds = 25
)

// What the stack of prod sets. A test compares them with the synthesized template.
const (
	writeMemoryMB = 512
	readMemoryMB  = 1024
	feedMemoryMB  = 512
	logDays       = 90
	feedDays      = 90
	alarmMetrics  = 19
	dashboards    = 1
)

// Sizes in bytes.
const (
	// AccessLineBytes is a line of the access log, with the 26 bytes that CloudWatch adds.
	AccessLineBytes = 326
	// FeedLineBytes is the line that the feed function writes for a batch.
	FeedLineBytes = 300
	// itemOverhead is what DynamoDB adds to each item, in the table and in the index.
	itemOverhead = 100
	// HeaderBytes are the headers of an answer.
	HeaderBytes = 350
)

// operation is what one call consumes.
type operation struct{ reads, writes, answerBytes, itemBytes float64 }

// What `go run ./cmd/bench operations` counts, with caches that are empty. A test counts again.
var (
	posting     = operation{reads: 2, writes: 2, answerBytes: 344, itemBytes: 366}
	opening     = operation{reads: 5, answerBytes: 17_346}
	pollingNone = operation{reads: 3, answerBytes: 97}
	pollingOne  = operation{reads: 5, answerBytes: 580}
	listing     = operation{reads: 10.5, answerBytes: 903}
	marking     = operation{reads: 4, writes: 1, answerBytes: 39}
	feeding     = operation{writes: 2, itemBytes: 143}
)
