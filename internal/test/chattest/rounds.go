package chattest

// raceRounds is how many rounds stand for one under the race detector. The detector slows a round
// down tenfold, and it reads each order of accesses as well in a fifth of them. The full number runs
// without it.
const raceRounds = 5

// Rounds returns how often to repeat a race of callers: n times, or a fifth of it under the race
// detector.
func Rounds(n int) int {
	if raced {
		return n / raceRounds
	}
	return n
}
