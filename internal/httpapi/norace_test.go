//go:build !race

package httpapi_test

// cellsEach is how many cells of the matrix of faults stand for one that is run.
const cellsEach = 8

// rowsEach is how many rows of the matrix of roles stand for one that is asked.
const rowsEach = 1
