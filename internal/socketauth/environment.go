package socketauth

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"parley/internal/auth"
	"parley/internal/config"
)

// FromEnv returns the authorizer of a deployed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (*Authorizer, error) {
	log, err := config.Logger(getenv(config.EnvLogLevel), logs)
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", config.EnvLogLevel, err)
	}
	for _, name := range []string{config.EnvIssuer, config.EnvAudience} {
		if getenv(name) == "" {
			return nil, fmt.Errorf("environment variable %s is not set", name)
		}
	}
	keys, err := auth.NewRemote(auth.RemoteConfig{Issuer: getenv(config.EnvIssuer), Client: &http.Client{}, Clock: time.Now, Log: log})
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", config.EnvIssuer, err)
	}
	verifier, err := auth.New(auth.Config{
		Issuer: getenv(config.EnvIssuer), Audiences: list(getenv(config.EnvAudience)), Keys: keys, Clock: time.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", config.EnvAudience, err)
	}
	return New(Options{Verifier: verifier, Origins: list(getenv(config.EnvOrigins)), Clock: time.Now, Log: log}), nil
}

// list returns the items of a text that are separated by commas.
func list(text string) []string {
	if text == "" {
		return nil
	}
	items := strings.Split(text, ",")
	for i, item := range items {
		items[i] = strings.TrimSpace(item)
	}
	return items
}
