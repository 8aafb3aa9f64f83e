// Package version serves the versions of messages: what their authors wrote before each edit. It
// also has the position in a list of versions, which documents share.
package version
