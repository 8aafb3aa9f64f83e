// Package style holds one test: the phrases and the width of comments, and the length of files.
// golangci-lint checks the length of functions.
package style
