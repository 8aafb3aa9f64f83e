// Package functions holds the functions that are deployed, one binary a
// role, and the test that runs them as Lambda does.
package functions
