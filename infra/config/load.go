package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The context keys of Load, as in `cdk deploy -c env=dev`. A deploy that forgets one of them
// deploys nothing different.
const (
	KeyEnv          = "env"
	KeyArchitecture = "arch"
)

// cdkKeys are plain names that the CDK itself adds to the context.
var cdkKeys = []string{"cli-telemetry", "acknowledged-issue-numbers"}

// ErrNoEnvironment reports that the context names no environment.
var ErrNoEnvironment = fmt.Errorf("no environment chosen: give -c %s=%s or -c %s=%s", KeyEnv, Dev, KeyEnv, Prod)

// File returns the path of an environment's settings.
func File(env Env) string { return "infra/settings/" + string(env) + ".go" }

// Load returns the configuration of the environment that the context names, resolved from its
// settings. It refuses an unknown key, because a misspelt key would deploy something unintended. It
// ignores the CDK's own keys, which contain ":", "/" or "@".
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
			return Config{},
				fmt.Errorf("-c %s=%s is not an architecture: there are %s and %s", KeyArchitecture, arch, ARM64, X8664)
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
	if s.FeedReserved < Unreserved {
		errs = append(errs, fmt.Errorf("%s: FeedReserved must not be %d", File(env), s.FeedReserved))
	}
	whole := s.over(Defaults(env))
	if whole.Logs.Gateway != Own && whole.Logs.Gateway != Account {
		errs = append(
			errs, fmt.Errorf("%s: Logs.Gateway must be %q or %q, not %q", File(env), Own, Account, whole.Logs.Gateway),
		)
	}
	cfg := resolve(env, whole)
	errs = append(errs, inFile(env, slices.Concat(s.checkPool(whole), s.checkPage(whole), cfg.problems())))
	return cfg, errors.Join(errs...)
}

// inFile returns an error with each problem of an environment's settings, or nil if there is none.
func inFile(env Env, p problems) error {
	var errs []error
	for _, err := range p {
		errs = append(errs, fmt.Errorf("%s: %w", File(env), err))
	}
	return errors.Join(errs...)
}

// flags returns our keys of the context.
func flags(context map[string]any) (map[string]string, error) {
	known := []string{KeyEnv, KeyArchitecture}
	values := make(map[string]string)
	for _, key := range slices.Sorted(maps.Keys(context)) {
		if strings.ContainsAny(key, ":/@") || slices.Contains(cdkKeys, key) {
			continue
		}
		if !slices.Contains(known, key) {
			return nil, fmt.Errorf(
				"-c %s is not known: there are %s; everything else is a setting (docs/settings.md)", key,
				strings.Join(known, " and "),
			)
		}
		value, ok := context[key].(string)
		if !ok || value == "" {
			return nil, fmt.Errorf("-c %s must be a string that is not empty", key)
		}
		values[key] = value
	}
	return values, nil
}

// ContextOf returns the context that the CDK's command line would pass to the app, from the text
// of cdk.json. It adds two settings that cdk.json must not contain: paths, which help to read the
// template, and the locations of assets, which `sam local` needs.
func ContextOf(cdkJSON []byte) (map[string]any, error) {
	context := map[string]any{}
	file := struct{ Context map[string]any }{Context: context}
	if err := json.Unmarshal(cdkJSON, &file); err != nil {
		return nil, fmt.Errorf("read cdk.json: %w", err)
	}
	context["aws:cdk:enable-path-metadata"] = true
	context["aws:cdk:enable-asset-metadata"] = true
	return context, nil
}
