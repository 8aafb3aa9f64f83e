package config

import "strings"

// Version is the version of Parley. The command, the documents of the API, the packages and the
// stack's outputs state it. scripts/release makes a release only of the tag with this version.
const Version = "0.9.0"

// APIVersion is the version of the API's conventions, operations and frames. Answers state it.
const APIVersion = "1"

// Speaks reports whether the API serves clients that were written for a version of it, such as
// "1" or "1.2". Only the major version counts.
func Speaks(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	return major == APIVersion
}
