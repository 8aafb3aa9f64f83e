//go:build !race

package httpapi_test

// rowsEach is the number of rows of the role matrix of which one is tested.
const rowsEach = 1
