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
	// ContextService is ServiceConnection for a connection of a service, and absent for people's.
	ContextService = "service"
)

// ServiceConnection is the value of ContextService.
const ServiceConnection = "true"
