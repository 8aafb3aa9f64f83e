// Package socketapi is the WebSocket edge: the requests of the protocol parley.v1, and its frames
// about connections. It holds no rules of the domain.
//
// A client sends JSON objects with a type and an id, and gets an ack or a problem with the same
// id. Package live sends everything else that a client receives.
package socketapi
