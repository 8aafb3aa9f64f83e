// Package stream reads the stream of the table, and builds the feeds of rooms from it.
//
// A Handler reads each record of the stream as a change and appends it to the feed of its room.
// The feed function and the local server run a Handler. For an operator's command, a Repair
// appends the changes that a feed lacks. Both append through an Appender.
//
// An Appender packs changes into segments with consecutive sequence numbers. It puts a segment at
// the next number, if the feed has no segment there. If two processes put at the same time, one of
// them fails, reads the other's segment and tries again.
//
// An Appender leaves out the changes that are already in the feed. The stream may therefore be
// delivered twice, from its start again, in pieces, or to several processes concurrently. The
// clocks of these processes may differ by up to five seconds.
//
// After the appends of a room, a Handler performs its Projections, at least once for each entry.
// After all rooms, it passes the appended entries to its Consumers, at most once.
package stream
