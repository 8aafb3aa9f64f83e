// Package style holds one test: the measures of how this module's Go code reads. They are the
// length of functions and files, the width and the words of comments, and the names of tests.
//
// A package that is behind stands in pending.txt, with the measure that it misses. The list may
// only shrink: an entry that holds already, or names no package, fails the test.
// `go test ./internal/test/style -args -shrink` removes such entries.
package style
