package main

import (
	"errors"
	"fmt"
	"runtime/debug"

	"example.com/parley/internal/config"
)

// versionCmd prints the version of the program.
type versionCmd struct{}

// Run prints the version, the commit and its date, in UTC, on one line.
func (versionCmd) Run(s streams) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this program has no build information")
	}
	_, err := fmt.Fprintln(s.Out, version(info))
	return err
}

// version returns "parley <version> <commit> <date>". It adds "modified" if the build had
// uncommitted changes. A build outside a repository has no commit.
func version(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit, date := settings["vcs.revision"], settings["vcs.time"]
	if commit == "" {
		return "parley " + config.Version + ", built outside of a repository"
	}
	text := "parley " + config.Version + " " + commit + " " + date
	if settings["vcs.modified"] == "true" {
		text += " modified"
	}
	return text
}
