// Package functions contains the deployed functions, each a separate binary, and the tests that
// run them as Lambda does.
package functions
