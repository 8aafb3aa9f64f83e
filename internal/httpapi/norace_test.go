//go:build !race

package httpapi_test

// rowsEach is how many rows of the matrix of roles stand for one that is asked.
const rowsEach = 1
