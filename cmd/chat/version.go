package main

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// versionCmd prints which commit was built.
type versionCmd struct{}

// Run prints the commit and its date, in UTC, on one line.
func (versionCmd) Run(s streams) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this program was built without information about its build")
	}
	_, err := fmt.Fprintln(s.Out, version(info))
	return err
}

// version returns "parley <commit> <date>", with "modified" where the build had changes that were
// not committed. Without a repository at the build it says so.
func version(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit, date := settings["vcs.revision"], settings["vcs.time"]
	if commit == "" {
		return "parley, built outside of a repository"
	}
	text := "parley " + commit + " " + date
	if settings["vcs.modified"] == "true" {
		text += " modified"
	}
	return text
}
