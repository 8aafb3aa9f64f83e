package measure

import (
	"fmt"
	"time"
)

// atMost returns a figure of a time with its goal, and by how much it misses the goal.
func atMost(name string, value, goal time.Duration) Figure {
	return Figure{
		Name: name, Goal: fmt.Sprintf("≤ %.4g ms", ms(goal)),
		Value: fmt.Sprintf("%.1f ms%s", ms(value), over(ms(value), ms(goal))),
	}
}

// atLeast returns a figure of a rate with its goal, and by how much it misses the goal.
func atLeast(name string, value, goal float64) Figure {
	return Figure{
		Name: name, Goal: fmt.Sprintf("≥ %.0f", goal), Value: fmt.Sprintf("%.0f%s", value, under(value, goal)),
	}
}

// under returns by how much a value falls short of its goal.
func under(value, goal float64) string {
	if value >= goal {
		return ""
	}
	return fmt.Sprintf(", %.0f %% short", 100*(1-value/goal))
}

// over returns by how much a value misses its goal.
func over(value, goal float64) string {
	if value <= goal {
		return ""
	}
	return fmt.Sprintf(", %.0f %% over", 100*(value/goal-1))
}

// rate returns the number per second.
func rate(n int, took time.Duration) float64 { return float64(n) / took.Seconds() }
