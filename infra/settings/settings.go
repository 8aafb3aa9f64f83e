// Package settings holds your team's decisions about each deployment, in one file per environment.
//
// The files dev.go and prod.go are yours. Nothing in this repository depends on their content, and
// a new version does not change them, so a merge from upstream does not conflict. If a new version
// needs a decision, the synth stops and names the setting to add.
//
// docs/settings.md lists all settings, with defaults and prices.
package settings

import "example.com/parley/infra/config"

// All returns the settings of every environment.
func All() map[config.Env]config.Settings {
	return map[config.Env]config.Settings{config.Dev: dev(), config.Prod: prod()}
}
