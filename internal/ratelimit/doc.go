// Package ratelimit bounds the requests of each person across all processes. A budget is one
// instant in the person's account: the time at which the budget is full again. Spending moves it
// forward. Most spending is sampled, so a message costs less than a tenth of a write unit more.
package ratelimit
