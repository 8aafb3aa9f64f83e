// Package follow is a client of live delivery. It hands the changes of rooms to its caller in
// order, each once and without holes, through every failure of the network.
//
// Changes come as frames over a WebSocket. Their numbers show where one is missing, and the feed of
// the room over HTTP has it. The follower asks the feed when a hole lasts, when the server reports
// a higher number, and after each connection; without a connection it polls. One goroutine owns all
// state. Others dial, read and fetch for it, and post their results to its inbox.
package follow
