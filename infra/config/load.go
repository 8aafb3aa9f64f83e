package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The context keys that Load takes, as in `cdk deploy -c env=dev`.
const (
	KeyEnv          = "env"
	KeyArchitecture = "arch"
	KeyIssuer       = "issuer"
	KeyAudience     = "audience"
	KeyOrigins      = "origins"
	KeyAlarmEmail   = "alarmEmail"
)

// cdkKeys are plain names that the CDK itself puts into the context.
var cdkKeys = []string{"cli-telemetry", "acknowledged-issue-numbers"}

// Load chooses an environment and applies what the context changes in it. A
// key that it does not know is refused: a misspelt one would deploy
// something else than was meant. Keys of the CDK's own have a ":", "/" or
// "@" in them and are passed over.
func Load(context map[string]any) (Config, error) {
	values, err := settings(context)
	if err != nil {
		return Config{}, err
	}
	cfg, err := choose(values[KeyEnv])
	if err != nil {
		return Config{}, err
	}
	if v, ok := values[KeyArchitecture]; ok {
		cfg.Architecture = Architecture(v)
	}
	if v, ok := values[KeyIssuer]; ok {
		cfg.Tokens.Issuer = v
	}
	if v, ok := values[KeyAudience]; ok {
		cfg.Tokens.Audience = list(v)
	}
	if v, ok := values[KeyOrigins]; ok {
		cfg.API.Origins = list(v)
	}
	if v, ok := values[KeyAlarmEmail]; ok {
		cfg.Alarms.Email = v
	}
	if err := cfg.Validate(); err != nil {
		return Config{}, err
	}
	return cfg, nil
}

// settings picks our keys out of the context.
func settings(context map[string]any) (map[string]string, error) {
	known := []string{KeyEnv, KeyArchitecture, KeyIssuer, KeyAudience, KeyOrigins, KeyAlarmEmail}
	values := make(map[string]string)
	for _, key := range slices.Sorted(maps.Keys(context)) {
		if strings.ContainsAny(key, ":/@") || slices.Contains(cdkKeys, key) {
			continue
		}
		if !slices.Contains(known, key) {
			return nil, fmt.Errorf("context key %q is not known: there are %s", key, strings.Join(known, ", "))
		}
		value, ok := context[key].(string)
		if !ok || value == "" {
			return nil, fmt.Errorf("context key %q must be a text that is not empty", key)
		}
		values[key] = value
	}
	return values, nil
}

func choose(name string) (Config, error) {
	if name == "" {
		return Config{}, fmt.Errorf("no environment chosen: give -c %s=%s or -c %s=%s", KeyEnv, Dev, KeyEnv, Prod)
	}
	cfg, ok := environments()[Env(name)]
	if !ok {
		return Config{}, fmt.Errorf("environment %q is not known: there are %s and %s", name, Dev, Prod)
	}
	return cfg, nil
}

// list splits a value at its commas. Empty parts stay, so that Validate
// refuses them.
func list(value string) []string {
	parts := strings.Split(value, ",")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
