// Package socketfn constructs the function of connections, for the function's main and for the
// local server.
package socketfn

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/config"
	"parley/internal/dynamo"
	"parley/internal/socketapi"
)

// Parts are the dependencies of the function.
type Parts struct {
	DB        *dynamodb.Client
	Table     string
	LiveTable string
	Log       *slog.Logger
}

// FromEnv returns the parts of the deployed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (Parts, error) {
	log, err := config.Logger(getenv(config.EnvLogLevel), logs)
	if err != nil {
		return Parts{}, fmt.Errorf("environment variable %s: %w", config.EnvLogLevel, err)
	}
	for _, name := range []string{config.EnvTable, config.EnvLiveTable, config.EnvSocketEndpoint} {
		if getenv(name) == "" {
			return Parts{}, fmt.Errorf("environment variable %s is not set", name)
		}
	}
	db, err := dynamo.ClientFromEnv(getenv)
	if err != nil {
		return Parts{}, err
	}
	return Parts{DB: db, Table: getenv(config.EnvTable), LiveTable: getenv(config.EnvLiveTable), Log: log}, nil
}

// Handler returns the handler of connections.
func (p Parts) Handler() *socketapi.Handler {
	return socketapi.New(socketapi.Options{Log: p.Log, Clock: time.Now})
}
