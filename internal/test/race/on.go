//go:build race

package race

// raced reports whether the race detector is on.
const raced = true
