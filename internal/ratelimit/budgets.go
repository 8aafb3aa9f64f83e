package ratelimit

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
)

// Budgets are the instants at which a person's budgets are full again. A budget that is absent, or
// whose instant has passed, is full.
type Budgets [count]time.Time

// Spending moves the instant of one budget.
type Spending struct {
	Limit ID
	Now   time.Time // to the microsecond
	// By is how far the instant moves, from Now if it has passed.
	By time.Duration
	// Below is how far the instant may be ahead of Now at most before it moves.
	Below time.Duration
	// Trust is how far spending can move the instant ahead of Now. If it is further ahead, a clock
	// was ahead, and the budget is full.
	Trust time.Duration
	// Full means that the budget seems to be full. A wrong guess costs one more write unit.
	Full bool
}

// Store stores budgets with the rest of an account.
type Store interface {
	// Spend moves a budget's instant, unless it is already too far ahead. It returns the stored
	// instant in both cases. The error is a *chat.Error of kind Unavailable if the store cannot
	// answer at present.
	Spend(ctx context.Context, user chat.UserID, s Spending) (fullAt time.Time, spent bool, err error)
}
