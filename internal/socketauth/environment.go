package socketauth

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"example.com/parley/internal/auth"
	"example.com/parley/internal/config"
)

// FromEnv returns the authorizer of a deployed function. It makes no request.
func FromEnv(getenv func(string) string, logs io.Writer) (*Authorizer, error) {
	log, err := config.Logger(getenv(config.EnvLogLevel), logs)
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", config.EnvLogLevel, err)
	}
	verifier, err := verifierFromEnv(getenv, log)
	if err != nil {
		return nil, err
	}
	return New(Options{Verifier: verifier, Origins: list(getenv(config.EnvOrigins)), Clock: time.Now, Log: log}), nil
}

// TokensFromEnv returns the token verifier for another deployed function. It makes no request.
func TokensFromEnv(getenv func(string) string, log *slog.Logger) (*Tokens, error) {
	verifier, err := verifierFromEnv(getenv, log)
	if err != nil {
		return nil, err
	}
	return &Tokens{Verifier: verifier, Clock: time.Now, Log: log}, nil
}

func verifierFromEnv(getenv func(string) string, log *slog.Logger) (*auth.Verifier, error) {
	for _, name := range []string{config.EnvIssuer, config.EnvAudience} {
		if getenv(name) == "" {
			return nil, fmt.Errorf("environment variable %s is not set", name)
		}
	}
	keys, err := auth.NewRemote(auth.RemoteConfig{
		Issuer: getenv(config.EnvIssuer), Client: &http.Client{}, Clock: time.Now, Log: log,
	})
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", config.EnvIssuer, err)
	}
	rules, err := config.TokenRulesOf(getenv)
	if err != nil {
		return nil, err
	}
	verifier, err := auth.New(auth.Config{
		Issuer: getenv(config.EnvIssuer), Audiences: list(getenv(config.EnvAudience)), Keys: keys, Clock: time.Now,
		Rules: rules,
	})
	if err != nil {
		return nil, fmt.Errorf("environment variable %s: %w", config.EnvAudience, err)
	}
	return verifier, nil
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
