package bill

import (
	"fmt"
	"strings"
)

// Assumptions about connections. The guide states each of them.
const (
	// workDays is the number of days in a user's month, of HoursOnline each.
	workDays = 22
	// SyncMinutes is the interval between a client's syncs, which keep its connection open.
	SyncMinutes = 8
	// ConnectionMinutes is the time after which a client connects again: 95 % of API Gateway's two
	// hours.
	ConnectionMinutes = 114
	// RoomSyncSeconds is the interval between syncs of the open room while the page is visible and
	// the room silent, which is a silentShare of the time.
	RoomSyncSeconds = 45
	silentShare     = 0.05
	// RenewMinutes is the time after which a client renews its connection: nine tenths of the
	// lifetime of the stack's user pool tokens. A renewal replaces a sync.
	RenewMinutes = 54
	// TokenMinutes is the lifetime of a token. Once the first token has expired, a process reads
	// the end of a connection with a request, unless it already knows it.
	TokenMinutes = 60
	// SocketRooms is the number of rooms of a connection.
	SocketRooms = 30
	// listenersPerRoom is the number of connections that one batch of changes reaches.
	listenersPerRoom = 10
	// postsPerSecond is the number of frames that one process of the feed function sends.
	postsPerSecond = 5000
	// FrameBytes is the size of a frame with one message, and FrameOverhead the size of its
	// headers.
	FrameBytes = 420
	// SocketMilliseconds is the run time of the socket function for a message, and
	// AuthorizerMilliseconds the authorizer's run time.
	SocketMilliseconds     = 25
	AuthorizerMilliseconds = 5
	// SocketLineBytes is the length of a line in the connection log.
	SocketLineBytes = 350
	// recordShare is the average write units for recording a sync or renewal in its person's
	// budget. Its price is 40 units, and 200 are randomly recorded at a time.
	recordShare, roomRecordShare = 40.0 / 200, 2.0 / 200
	// clients is the number of people or connections in a column of the table.
	clients = 1000
)

// Counted on the engine, with SocketRooms rooms. A test counts again.
var (
	beginning = operation{reads: 0.5}
	greeting  = operation{reads: 93.5, writes: 62}
	syncing   = operation{reads: 30.5, writes: 1}
	comparing = operation{reads: 1} // a sync of one room
	renewing  = operation{reads: 31, writes: 1}
	// ending is the cost of reading the end of a renewed connection.
	ending  = operation{reads: 1}
	parting = operation{reads: 31.5, writes: 32}
	// listening is the cost of reading a room's listeners for one batch.
	listening = operation{reads: 1}
)

// live is the use of live delivery.
type live struct{ minutes, connects, syncs, roomSyncs, renewals, deliveries float64 }

// connected returns the use of clients connected for some minutes, without deliveries.
func connected(minutes float64) live {
	renewals := minutes / RenewMinutes
	return live{
		minutes: minutes, connects: minutes / ConnectionMinutes, syncs: minutes/SyncMinutes - renewals,
		renewals:  renewals,
		roomSyncs: minutes * 60 / RoomSyncSeconds * silentShare,
	}
}

// events returns the number of connection events: each connection begins, says hello and ends.
func (l live) events() float64 { return 3*l.connects + l.syncs + l.roomSyncs + l.renewals }

// renewed returns the number of syncs after the first token has expired.
func (l live) renewed() float64 {
	return l.syncs * (ConnectionMinutes - TokenMinutes) / ConnectionMinutes
}

// lines returns the price of live delivery. The free tiers are not deducted, because the polls that
// it replaces would use them up.
func (l live) lines() []Line {
	frames := 2*(l.connects+l.syncs+l.roomSyncs+l.renewals) + l.deliveries // each request has a response
	batches := l.deliveries / listenersPerRoom
	invocations := l.events() + l.connects
	compute := (l.events()*SocketMilliseconds*socketMemoryMB +
		l.connects*AuthorizerMilliseconds*authorizerMemoryMB) / thousand / 1024
	compute += l.deliveries / postsPerSecond * feedMemoryMB / 1024
	writes := l.connects*(greeting.writes+parting.writes) + l.syncs*(syncing.writes+recordShare) +
		l.renewals*(renewing.writes+recordShare) + l.roomSyncs*roomRecordShare
	reads := l.connects*(beginning.reads+greeting.reads+parting.reads) + l.syncs*syncing.reads +
		l.roomSyncs*comparing.reads + l.renewals*renewing.reads + l.renewed()*ending.reads + batches*listening.reads
	logs := (l.events()*SocketLineBytes + batches*FeedLineBytes) / gigabyte
	return []Line{
		{Name: "Messages to and from clients", Used: frames / million, Unit: "M", Dollar: frames * priceFrame},
		{Name: "Minutes of connections", Used: l.minutes / million, Unit: "M", Dollar: l.minutes * priceMinute},
		{
			Name: "Lambda requests and compute", Used: invocations / million, Unit: "M",
			Dollar: invocations*priceInvocation + compute*priceGBSecond,
		},
		{Name: "DynamoDB writes", Used: writes / million, Unit: "M units", Dollar: writes * priceWriteUnit},
		{Name: "DynamoDB reads", Used: reads / million, Unit: "M units", Dollar: reads * priceReadUnit},
		{Name: "Logs written", Used: logs, Unit: "GB", Dollar: logs * priceLogGB},
		{
			Name: "Data transfer out", Used: l.deliveries * FrameBytes / gigabyte, Unit: "GB",
			Dollar: l.deliveries * FrameBytes / gigabyte * priceTransferGB,
		},
	}
}

// polled returns the price of polling instead: empty polls and lists for some minutes, and polls
// that return a message.
func polled(minutes, deliveries float64) float64 {
	empty, lists := minutes*60/PollSeconds-deliveries, minutes*60/ListSeconds
	empty = max(0, empty)
	requests := empty + lists + deliveries
	reads := empty*pollingNone.reads + lists*listing.reads + deliveries*pollingOne.reads
	compute := requests * ReadMilliseconds * readMemoryMB / thousand / 1024
	bodies := empty*pollingNone.answerBytes + lists*listing.answerBytes + deliveries*pollingOne.answerBytes
	return requests*(priceRequest+priceInvocation) + compute*priceGBSecond + reads*priceReadUnit +
		requests*lineBytes/gigabyte*priceLogGB + (bodies+requests*HeaderBytes)/gigabyte*priceTransferGB
}

// liveColumns are the columns of the live delivery table.
func liveColumns() []struct {
	title string
	use   live
} {
	const working, always = HoursOnline * 60 * workDays, 24 * 60 * daysPerMonth
	return []struct {
		title string
		use   live
	}{
		{
			fmt.Sprintf("%s users, %d h on %d days", number(clients), HoursOnline, workDays),
			connected(clients * working),
		},
		{"a million deliveries", live{deliveries: million}},
		{number(clients) + " idle connections, day and night", connected(clients * always)},
	}
}

// LiveMarkdown returns the lines between the markers of the guide: the table that compares live
// delivery with polling, and its assumptions.
func LiveMarkdown() string {
	var b strings.Builder
	b.WriteString("| a month |")
	for _, c := range liveColumns() {
		b.WriteString(" " + c.title + " |")
	}
	b.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(liveColumns())) + "\n")
	for i, line := range liveColumns()[0].use.lines() {
		fmt.Fprintf(&b, "| %s |", line.Name)
		for _, c := range liveColumns() {
			b.WriteString(" " + cell(c.use.lines()[i]) + " |")
		}
		b.WriteString("\n")
	}
	b.WriteString("| **Total** |")
	for _, c := range liveColumns() {
		fmt.Fprintf(&b, " **%s** |", dollars(Total(c.use.lines())))
	}
	fmt.Fprintf(&b, "\n| Polling every %d s instead |", PollSeconds)
	for _, c := range liveColumns() {
		fmt.Fprintf(&b, " %s |", dollars(polled(c.use.minutes, c.use.deliveries)))
	}
	b.WriteString("\n\n")
	for _, line := range []string{
		fmt.Sprintf("A connection has %d rooms. Its client sends a `sync` every %d minutes, or a `renew` after %d, "+
			"before its token expires, and connects again after %d. "+
			"That makes four calls of functions: the authorizer, the beginning, the hello and the end.",
			SocketRooms, SyncMinutes, RenewMinutes, ConnectionMinutes),
		fmt.Sprintf("While its page is visible and the open room silent, for %.0f %% of the time, the client sends a "+
			"`sync` of this room every %d s: %s of the third column.",
			100*silentShare, RoomSyncSeconds,
			dollars(Total(live{roomSyncs: connected(clients * 24 * 60 * daysPerMonth).roomSyncs}.lines()))),
		fmt.Sprintf("The engine counts DynamoDB's units: a hello %.0f writes and %g reads, a sync %.0f and %g, a "+
			"sync of one room none and %.0f, a renewal %.0f and %.0f, the end %.0f and %g. "+
			"A sync after the end of the first token reads %.0f more, and a sync or renewal writes %.1f to a budget. "+
			"A batch of changes reads the listeners of its room once, "+
			"and reaches %d of them.", greeting.writes, greeting.reads, syncing.writes, syncing.reads, comparing.reads,
			renewing.writes, renewing.reads, parting.writes, parting.reads, ending.reads, recordShare,
			listenersPerRoom),
		fmt.Sprintf("The socket function runs %d ms at %d MB for each event, the authorizer %d ms at %d MB, and the "+
			"feed function sends %s frames of %d bytes a second. A line of the log has %d bytes.",
			SocketMilliseconds, socketMemoryMB, AuthorizerMilliseconds, authorizerMemoryMB, number(postsPerSecond),
			FrameBytes, SocketLineBytes),
		"Free tiers are not deducted. Deliveries come on top of the first and the third column; a delivery is one " +
			"frame to one connection, with all changes of a batch.",
	} {
		b.WriteString("- " + line + "\n")
	}
	return b.String()
}
