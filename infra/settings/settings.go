// Package settings is what your team decides about each deployment, one file per environment.
//
// The files dev.go and prod.go are yours. Nothing in this repository depends on what they say,
// and a new version leaves them alone, so a merge from upstream has nothing to conflict with.
// Where a new version needs a decision, the synth stops and names the setting to add.
//
// docs/settings.md lists what can be set, with defaults and prices.
package settings

import "parley/infra/config"

// All returns the settings of every environment.
func All() map[config.Env]config.Settings {
	return map[config.Env]config.Settings{config.Dev: dev(), config.Prod: prod()}
}
