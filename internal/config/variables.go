// Package config states what the stack, the functions and the laptop have to agree on: the names of
// environment variables, what pages of other origins may do, and the size of batches. Each stands
// here once, and the others import it.
//
// A deployment's settings are another thing: they are in infra/config.
package config

// The variables of the functions behind the API and of the feed function. The stack sets them.
// Lambda itself adds the region and the credentials.
const (
	EnvTable    = "PARLEY_TABLE"     // the table's name; required
	EnvLogTable = "PARLEY_LOG_TABLE" // the activity log's table; required behind the API
	EnvLogDays  = "PARLEY_LOG_DAYS"  // how long its entries are kept; default 30
	EnvLogLevel = "PARLEY_LOG_LEVEL" // debug, info, warn or error; default info; every function
	// EnvSendRate is how many messages a second one person may send through one process; ten times
	// as many may come at once. Default 10.
	EnvSendRate = "PARLEY_SEND_RATE"
	// EnvRoomMakers says who may create rooms: everyone, or user ids separated by commas. Default
	// everyone.
	EnvRoomMakers = "PARLEY_ROOM_MAKERS"

	EnvFeedDays     = "PARLEY_FEED_DAYS"     // how long segments are kept; default 90
	EnvFailureQueue = "PARLEY_FAILURE_QUEUE" // the URL of the failures' queue; required
)

// Everyone is the value of EnvRoomMakers that lets everyone create rooms.
const Everyone = "everyone"

// The variables of the canary. The stack sets them.
const (
	EnvURL             = "PARLEY_URL"              // the API's address; required
	EnvUserPool        = "PARLEY_USER_POOL"        // the pool's id; required
	EnvClient          = "PARLEY_USER_POOL_CLIENT" // the app client's id; required
	EnvCanaryParameter = "PARLEY_CANARY_PARAMETER" // the parameter's name; required
)

// The variables by which AWS's SDKs and tools get other endpoints. They are documented in the SDK
// reference guide, under "Service-specific endpoints".
const (
	EnvDynamoDBEndpoint = "AWS_ENDPOINT_URL_DYNAMODB"
	EnvSQSEndpoint      = "AWS_ENDPOINT_URL_SQS"
	EnvUsersEndpoint    = "AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER"
	EnvSecretsEndpoint  = "AWS_ENDPOINT_URL_SSM" // #nosec G101 -- the name of a variable
)
