package bill

import (
	"fmt"
	"math"
	"strings"
)

// cell returns a line's use and price.
func cell(l Line) string {
	if l.Used == 0 {
		return dollars(l.Dollar)
	}
	used := strings.TrimSpace(number(l.Used) + " " + l.Unit)
	return used + ": " + dollars(l.Dollar)
}

// cheap is the largest price that two decimals cannot show.
const cheap = 0.005

func dollars(d float64) string {
	switch {
	case d == 0:
		return "$0"
	case d < cheap:
		return "under $0.01"
	case d < thousand:
		return fmt.Sprintf("$%.2f", d)
	}
	return "$" + number(d)
}

// number formats f with three digits, or a larger number with all digits in groups of three.
func number(f float64) string {
	switch {
	case f == math.Trunc(f) && f < thousand:
		return fmt.Sprintf("%.0f", f)
	case f < 1:
		return fmt.Sprintf("%.3f", f)
	case f < 100:
		return fmt.Sprintf("%.1f", f)
	case f < thousand:
		return fmt.Sprintf("%.0f", f)
	}
	n := int64(math.Round(f))
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
