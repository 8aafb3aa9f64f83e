// Package ratelimit bounds the requests of each person, over all processes together. A budget is
// one instant in the person's account: the time at which the budget is full again. Spending moves
// it forward. Most spending is sampled, so that a message costs less than a tenth of a write unit
// more.
package ratelimit
