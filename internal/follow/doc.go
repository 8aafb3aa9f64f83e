// Package follow is a client of live delivery. It passes the changes of rooms to its caller in
// order, each once and without gaps, despite network failures.
//
// Changes come as frames over a WebSocket. Their numbers show where one is missing, and the room's
// feed over HTTP contains it. The follower queries the feed when a gap lasts, when the server
// reports a higher number, and after each connection. Without a connection it polls.
//
// One connection follows 100 rooms. Of more rooms, the ones that changed last take the places of
// quiet ones. The heads of all rooms, in one request a minute, show which others have changed.
//
// A connection that does not answer within 2 seconds may be dead: another one is opened, and the
// first to answer stays. The follower also checks after a sleep of the machine and, if somebody
// watches, after a time without a frame.
//
// One goroutine owns all state. Other goroutines dial, read and fetch for it, and post their
// results to its inbox.
package follow
