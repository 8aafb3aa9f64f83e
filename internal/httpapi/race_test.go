//go:build race

package httpapi_test

// rowsEach is how many rows of the matrix of roles stand for one that is asked. The requests of a row
// come one after the other, so the race detector finds little in them.
const rowsEach = 4
