package history_test

import (
	"math/rand/v2"
	"slices"

	"example.com/parley/internal/test/faults"
)

// planned lists how many calls of an operation a plan covers and the percentage that fails. Reads
// are part of every operation, so few of them fail.
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

// certain are faults of every plan. Each client makes these calls in every history, so every history
// has calls that fail, and writes of unknown outcome.
var certain = []faults.Rule{
	{Operation: "PutItem", N: 2, Fault: faults.LostAnswer},
	{Operation: "TransactWriteItems", N: 2, Fault: faults.LostAnswer},
}

// plan returns the certain faults and random ones for one client of the SDK. A seed selects the
// same calls by number, but the order of the calls depends on the schedule.
func plan(r *rand.Rand) []faults.Rule {
	rules := slices.Clone(certain)
	for _, p := range planned {
		for n := 1; n <= p.calls; n++ {
			if r.IntN(100) < p.percent {
				rules = append(rules, callRules(r, p.operation, n)...)
			}
		}
	}
	return rules
}

// callRules returns a random fault for one call. The fault hits one or two attempts, so that the
// SDK's retry succeeds, or it hits all attempts. Otherwise the call takes effect and all retries
// fail.
func callRules(r *rand.Rand, operation string, n int) []faults.Rule {
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
