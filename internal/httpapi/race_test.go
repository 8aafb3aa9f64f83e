//go:build race

package httpapi_test

// rowsEach is the number of rows of the role matrix of which one is tested. The requests of a row
// run sequentially, so the race detector finds little in them.
const rowsEach = 4
