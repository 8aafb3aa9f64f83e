package config

// Subprotocol is the WebSocket subprotocol of live delivery. The socket function selects it, and
// clients and the authorizer require it.
const Subprotocol = "parley.v1"

// The authorizer's context has these keys, and API Gateway passes their values to the socket
// function with every event of a connection.
const (
	ContextUser = "user"
	// ContextUntil is when the connection ends unless it is renewed, in seconds of Unix time.
	ContextUntil = "until"
	// ContextRenewable is the time until which it can be renewed, also in seconds of Unix time. It
	// may be absent.
	ContextRenewable = "renewable"
)
