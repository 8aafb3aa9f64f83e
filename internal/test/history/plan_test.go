package history_test

import (
	"math/rand/v2"

	"parley/internal/test/faults"
)

// planned is how many calls of an operation a plan reaches, and how many in a hundred of them fail. Reads
// are part of everything, so few of them fail, or nothing would ever succeed.
var planned = []struct {
	operation string
	calls     int
	percent   int
}{
	{"GetItem", 4000, 2},
	{"Query", 2000, 3},
	{"BatchGetItem", 1000, 6},
	{"UpdateItem", 1000, 10},
	{"PutItem", 1500, 20},
	{"TransactWriteItems", 1000, 25},
}

// plan draws what fails of one client of the SDK. The same seed fails the same calls, by their numbers, but which call has which
// number depends on the schedule.
func plan(r *rand.Rand) []faults.Rule {
	var rules []faults.Rule
	for _, p := range planned {
		for n := 1; n <= p.calls; n++ {
			if r.IntN(100) < p.percent {
				rules = append(rules, failing(r, p.operation, n)...)
			}
		}
	}
	return rules
}

// failing draws how one call fails: in its first attempt or two, so that the SDK's own retry ends it, in all of them, or so that
// it takes effect and is refused ever after.
func failing(r *rand.Rand, operation string, n int) []faults.Rule {
	var fitting []faults.Fault
	for _, f := range faults.All() {
		if f.Fits(operation) {
			fitting = append(fitting, f)
		}
	}
	rule := faults.Rule{Operation: operation, N: n, Fault: fitting[r.IntN(len(fitting))]}
	switch r.IntN(10) {
	case 0, 1, 2:
		rule.Attempts = 1
	case 3:
		rule.Attempts = 2
	case 4: // all
	case 5:
		rule.Fault, rule.Attempts = faults.LostAnswer, 1
	case 6:
		rule.Fault = faults.LostAnswer
	default:
		lost := faults.Rule{Operation: operation, N: n, Fault: faults.LostAnswer, Attempts: 1}
		if rule.Fault = faults.Conflict; !rule.Fault.Fits(operation) {
			rule.Fault = faults.ServerError
		}
		return []faults.Rule{lost, rule}
	}
	return []faults.Rule{rule}
}
