package socketapi

// The routes of the WebSocket API. API Gateway reads the type of a message to select a route, and
// no type has a route of its own.
const (
	connectRoute    = "$connect"
	disconnectRoute = "$disconnect"
	defaultRoute    = "$default"
)

// RouteSelection is the expression by which API Gateway selects the route of a message.
const RouteSelection = "$request.body.type"

// Route is a route of the WebSocket API.
type Route struct {
	Key string
	// Authorized means that the authorizer checks its requests.
	Authorized bool
	// Answers means that the function's answer is sent to the client.
	Answers bool
}

// Routes returns all routes. The stack and the local server use them.
func Routes() []Route {
	return []Route{
		{Key: connectRoute, Authorized: true, Answers: true},
		{Key: disconnectRoute},
		{Key: defaultRoute, Answers: true},
	}
}
