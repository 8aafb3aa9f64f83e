// Package race bounds the tests that repeat races of callers, under the race detector.
package race

// raceRounds is how many rounds stand for one under the race detector, which slows each down. It
// needs few of them to see every access. All run without it.
const raceRounds = 5

// Rounds returns how often to repeat a race of callers: n times, or a fifth of it under the race
// detector.
func Rounds(n int) int { return Times(n, n/raceRounds) }

// Times returns n, or other under the race detector.
func Times(n, other int) int {
	if raced {
		return other
	}
	return n
}
