package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The context keys that Load takes, as in `cdk deploy -c env=dev`. Nothing that an upgrade or a
// roll-back could forget is one of them.
const (
	KeyEnv          = "env"
	KeyArchitecture = "arch"
)

// cdkKeys are plain names that the CDK itself puts into the context.
var cdkKeys = []string{"cli-telemetry", "acknowledged-issue-numbers"}

// former maps the context keys of earlier versions to the settings that they have become.
var former = map[string]string{
	"issuer": "Issuer", "audience": "Audience", "origins": "Origins", "alarmEmail": "AlarmEmail",
}

// ErrNoEnvironment reports that the context does not say which environment is meant.
var ErrNoEnvironment = fmt.Errorf("no environment chosen: give -c %s=%s or -c %s=%s", KeyEnv, Dev, KeyEnv, Prod)

// File returns the file that holds the settings of an environment.
func File(env Env) string { return "infra/settings/" + string(env) + ".go" }

// Load returns the configuration of the environment that the context names, resolved from its
// settings. It refuses an unknown key, because a misspelt one would deploy something else than was
// meant. It ignores the CDK's own keys, which contain ":", "/" or "@".
func Load(context map[string]any, stated map[Env]Settings) (Config, error) {
	values, err := flags(context)
	if err != nil {
		return Config{}, err
	}
	env := Env(values[KeyEnv])
	settings, ok := stated[env]
	switch {
	case env == "":
		return Config{}, ErrNoEnvironment
	case !ok:
		return Config{}, fmt.Errorf("-c %s=%s is not an environment: there are %s and %s", KeyEnv, env, Dev, Prod)
	}
	cfg, err := settings.Resolve(env)
	if err != nil {
		return Config{}, err
	}
	if arch, ok := values[KeyArchitecture]; ok {
		cfg.Architecture = Architecture(arch)
		if cfg.Architecture != ARM64 && cfg.Architecture != X8664 {
			return Config{}, fmt.Errorf("-c %s=%s is not an architecture: there are %s and %s", KeyArchitecture, arch, ARM64, X8664)
		}
	}
	return cfg, nil
}

// Resolve returns the deployment that the settings describe. Its errors name the file and the
// setting as it is spelled there.
func (s Settings) Resolve(env Env) (Config, error) {
	var errs []error
	for _, m := range s.missing(env) {
		errs = append(errs, fmt.Errorf("%s: %s must be stated: %s", File(env), m.Name, m.Stated))
	}
	whole := s.over(Defaults(env))
	cfg := resolve(env, whole)
	for _, err := range slices.Concat(s.checkPool(whole), cfg.problems()) {
		errs = append(errs, fmt.Errorf("%s: %w", File(env), err))
	}
	return cfg, errors.Join(errs...)
}

// flags picks our keys out of the context.
func flags(context map[string]any) (map[string]string, error) {
	known := []string{KeyEnv, KeyArchitecture}
	values := make(map[string]string)
	for _, key := range slices.Sorted(maps.Keys(context)) {
		if strings.ContainsAny(key, ":/@") || slices.Contains(cdkKeys, key) {
			continue
		}
		if setting, ok := former[key]; ok {
			return nil, fmt.Errorf("-c %s is no longer a flag: state %s in %s and commit it, so that no upgrade or roll-back forgets it", key, setting, whichFile(context))
		}
		if !slices.Contains(known, key) {
			return nil, fmt.Errorf("-c %s is not known: there are %s; everything else is a setting (docs/settings.md)", key, strings.Join(known, " and "))
		}
		value, ok := context[key].(string)
		if !ok || value == "" {
			return nil, fmt.Errorf("-c %s must be a text that is not empty", key)
		}
		values[key] = value
	}
	return values, nil
}

// whichFile names the file of the environment that the context chooses, or else both.
func whichFile(context map[string]any) string {
	switch env, _ := context[KeyEnv].(string); Env(env) {
	case Dev, Prod:
		return File(Env(env))
	}
	return File(Dev) + " or " + File(Prod)
}
