package socket

import "time"

// The service's quotas. None of them can be raised.
const (
	// maxFrame and maxMessage are the sizes in bytes above which a frame or a message ends its
	// connection with code 1009.
	maxFrame   = 32 << 10
	maxMessage = 128 << 10
	// maxIdle is how long a connection may carry no message in either direction. Pings are not
	// messages.
	maxIdle = 10 * time.Minute
	// maxAge is how long a connection lasts.
	maxAge = 2 * time.Hour
	// invokeTimeout is the longest that the service waits for a function.
	invokeTimeout = 29 * time.Second
)

const (
	// sweepInterval is the interval between checks of the connections' ages. It is fine enough for
	// limits of minutes.
	sweepInterval = time.Second
	// writeTimeout is how long a client may take to receive one message, unless Config.WriteTime
	// says otherwise. Then the client or its network is gone.
	writeTimeout = 20 * time.Second
	// maxQueue bounds the messages in bytes that wait for one slow client. It is four of the
	// largest. The service also has such a buffer, but does not document its size.
	maxQueue = 4 * maxMessage
	// queueOverhead is added to the bytes of each waiting message, so empty messages are bounded
	// too.
	queueOverhead = 64
	// bufferSize is the size of a connection's buffers. Most messages of clients fit. Larger
	// messages bypass the buffers.
	bufferSize = 512
	// maxDisconnects is how many $disconnect events are handled concurrently when all clients
	// leave together.
	maxDisconnects = 16
	// cutOffTime is how long the functions may take to handle the ends of connections that were cut
	// off by Shutdown.
	cutOffTime = 2 * time.Second
	// idSize is the size of the service's ids of connections and requests.
	idSize = 11
)
