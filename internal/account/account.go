// Package account holds what the operator knows about a person besides their profile: whether they
// are suspended. Each person has one account, which is a small item and is read with every write.
package account

import (
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
)

// MaxReason limits the reason of a suspension in bytes: a few lines. It keeps the account below 1
// KB, so that a change of the account costs one write unit.
const MaxReason = 500

// Account is the stored state of a person. The zero Account is an ordinary person's, of whom
// nothing is stored.
type Account struct {
	// Suspension is the current suspension; zero if there is none.
	Suspension Suspension
	// Ended describes the end of the previous suspension; zero if none has ended.
	Ended Ending
	// Erasure is the last erasure of the person; zero if there was none.
	Erasure Erasure
	// Budgets are the budgets of the person's limits.
	Budgets ratelimit.Budgets
}

// Suspension is a state in which nothing is accepted from a person.
type Suspension struct {
	At     time.Time   // to the millisecond
	By     chat.UserID // the suspending service; Owner for the command
	Reason string      // for services and the audit log; it may be empty
}

// IsZero reports whether there is no suspension.
func (s Suspension) IsZero() bool { return s.At.IsZero() }

// Ending describes the end of a suspension.
type Ending struct {
	At time.Time   // to the millisecond
	By chat.UserID // as in Suspension
}

// IsZero reports whether no suspension has ended.
func (e Ending) IsZero() bool { return e.At.IsZero() }

// Erasure is the erasure of a deleted person, which is made in steps.
type Erasure struct {
	At   time.Time   // of the request, to the millisecond
	By   chat.UserID // the service that asked for it, which gets the rooms that would have no owner
	Step int64       // the number of the next step, from 1; 0 after the last one
}

// InProgress reports whether steps are left. The person is suspended until there are none.
func (e Erasure) InProgress() bool { return e.Step > 0 }

// ErasureStep is a step of a person's erasure that the person's account requests.
type ErasureStep struct {
	User chat.UserID
	Step int64
}

// Check returns the error for a caller with this account, or nil.
func (a Account) Check() error {
	if a.Suspension.IsZero() {
		return nil
	}
	return ErrSuspended()
}

// ErrSuspended returns the error for a suspended caller.
func ErrSuspended() error {
	return &chat.Error{Kind: chat.Suspended, Detail: "this account is suspended; ask those who run this chat"}
}
