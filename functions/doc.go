// Package functions holds the deployed functions, one binary for each, and the tests that run them
// as Lambda does.
package functions
