package config

import "strings"

// Version is the version of Parley and of its API. The command, the documents of the API, its
// answers, the client and the stack's outputs state it. scripts/release makes a release only of the
// tag with this version.
const Version = "1.0.0"

// Speaks reports whether this version serves clients of another one, such as "1" or "1.2.0": those
// of the same major version.
func Speaks(version string) bool {
	major, _, _ := strings.Cut(version, ".")
	own, _, _ := strings.Cut(Version, ".")
	return major == own
}
