//go:build race

package chattest

// raced reports whether the race detector is on.
const raced = true
