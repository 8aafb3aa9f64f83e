package table

import (
	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
)

// Erasure is a step of a person's erasure that the person's account requests.
type Erasure struct {
	User chat.UserID
	Step int64
}

// EraseStep is the attribute of an account that a step of an erasure writes.
const EraseStep = attrEraseStep

// KindAttributes returns the attributes of an item that an erasure reads: its key and its kind.
func KindAttributes() []string { return []string{PK, SK, attrType} }

// EraseUpdate sets the erasure of a suspended account for which none is in progress.
func EraseUpdate(e account.Erasure) Update {
	return Update{
		Expression: "SET #at = :at, #by = :by, #step = :step",
		Condition:  "attribute_exists(#suspended) AND attribute_not_exists(#step)",
		Names:      map[string]string{"#suspended": attrSuspendedAt, "#at": attrErasedAt, "#by": attrErasedBy, "#step": attrEraseStep},
		Values:     Item{":at": Number(e.At.UnixMilli()), ":by": Text(string(e.By)), ":step": Number(e.Step)},
	}
}

// EraseAgain sets the erasure of an account that is as given, and suspends the account if it is
// not suspended.
func EraseAgain(e account.Erasure, before account.Account) Update {
	e.Step = 1
	if !before.Suspension.IsZero() {
		return EraseUpdate(e)
	}
	u := SuspendSince(account.Suspension{At: e.At, By: e.By, Reason: account.ErasedReason}, before.Ended)
	erase := EraseUpdate(e)
	u.Expression += ", #erasedAt = :at, #erasedBy = :by, #step = :step"
	u.Names["#erasedAt"], u.Names["#erasedBy"], u.Names["#step"] = attrErasedAt, attrErasedBy, attrEraseStep
	u.Values[":step"] = erase.Values[":step"]
	return u
}

// OwnerOf returns the person in whose partition an item is.
func OwnerOf(item Item) (chat.UserID, bool) {
	user, err := chat.StoredUserID(personOf(item))
	return user, err == nil
}

// NextErasureUpdate requests the step after a step of an erasure, if that is the account's.
func NextErasureUpdate(step int64) Update {
	u := erasureAt(step)
	u.Expression, u.Values[":next"] = "SET #step = :next", Number(step+1)
	return u
}

// EndErasureUpdate ends the erasure whose step is the given one. Its time stays, so that no restore
// brings back what it has erased.
func EndErasureUpdate(step int64) Update {
	u := erasureAt(step)
	u.Expression = "REMOVE #step"
	return u
}

func erasureAt(step int64) Update {
	return Update{Condition: "#step = :step", Names: map[string]string{"#step": attrEraseStep}, Values: Item{":step": Number(step)}}
}
