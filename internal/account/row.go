package account

import (
	"fmt"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// SuspendUpdate sets the suspension of an account that has none. It creates the account if there is
// none, and leaves all other attributes unchanged.
func SuspendUpdate(s Suspension) table.Update {
	u := table.Update{
		Expression: "SET #at = :at, #by = :by",
		Condition:  "attribute_not_exists(#at)",
		Names:      map[string]string{"#at": table.AttrSuspendedAt, "#by": table.AttrSuspended},
		Values: table.Item{
			":at": table.Number(s.At.UnixMilli()), ":by": table.Text(string(s.By)),
		},
	}.Stamped(table.AccountKind)
	if s.Reason != "" {
		u.Expression += ", #reason = :reason"
		u.Names["#reason"], u.Values[":reason"] = table.AttrSuspendReason, table.Text(s.Reason)
	}
	return u
}

// SuspendSince is SuspendUpdate for an account whose last suspension ended as given. The zero
// Ending means that it had none.
func SuspendSince(s Suspension, ended Ending) table.Update {
	u := SuspendUpdate(s)
	u.Names["#ended"] = table.AttrSuspensionEnd
	if ended.IsZero() {
		u.Condition += " AND attribute_not_exists(#ended)"
		return u
	}
	u.Condition += " AND #ended = :ended"
	u.Values[":ended"] = table.Number(ended.At.UnixMilli())
	return u
}

// endSuspension removes the suspension of an account that has one and is not being erased,
// and sets its end. The end stays, so that a repeated call finds it.
func endSuspension(end Ending) table.Update {
	return table.Update{
		Expression: "SET #ended = :ended, #endedBy = :endedBy REMOVE #at, #by, #reason",
		Condition:  "attribute_exists(#at) AND attribute_not_exists(#step)",
		Names: map[string]string{
			"#step": table.AttrEraseStep,
			"#at":   table.AttrSuspendedAt, "#by": table.AttrSuspended, "#reason": table.AttrSuspendReason,
			"#ended": table.AttrSuspensionEnd, "#endedBy": table.AttrSuspensionEndBy,
		},
		Values: table.Item{":ended": table.Number(end.At.UnixMilli()), ":endedBy": table.Text(string(end.By))},
	}
}

// Parse reads an account. A missing item is the zero Account.
func Parse(item table.Item) (Account, error) {
	if item == nil {
		return Account{}, nil
	}
	r := table.Reader{Item: item}
	r.Expect(table.AccountKind)
	a := Account{Suspension: Suspension{At: r.OptionalTime(table.AttrSuspendedAt)}}
	if !a.Suspension.IsZero() {
		a.Suspension.By, a.Suspension.Reason = chat.UserID(r.OptionalText(table.AttrSuspended)),
			r.OptionalText(table.AttrSuspendReason)
	}
	a.Ended = Ending{At: r.OptionalTime(table.AttrSuspensionEnd)}
	if !a.Ended.IsZero() {
		a.Ended.By = chat.UserID(r.OptionalText(table.AttrSuspensionEndBy))
	}
	a.Erasure = Erasure{At: r.OptionalTime(table.AttrErasedAt), Step: r.OptionalNumber(table.AttrEraseStep)}
	if !a.Erasure.At.IsZero() {
		a.Erasure.By = chat.UserID(r.OptionalText(table.AttrErasedBy))
	}
	a.Budgets = r.Budgets()
	if r.Err != nil {
		return Account{}, fmt.Errorf("account: %w", r.Err)
	}
	return a, nil
}

// eraseUpdate sets the erasure of a suspended account for which none is in progress.
func eraseUpdate(e Erasure) table.Update {
	return table.Update{
		Expression: "SET #at = :at, #by = :by, #step = :step",
		Condition:  "attribute_exists(#suspended) AND attribute_not_exists(#step)",
		Names: map[string]string{
			"#suspended": table.AttrSuspendedAt, "#at": table.AttrErasedAt, "#by": table.AttrErasedBy,
			"#step": table.AttrEraseStep,
		},
		Values: table.Item{
			":at": table.Number(e.At.UnixMilli()), ":by": table.Text(string(e.By)), ":step": table.Number(e.Step),
		},
	}
}

// EraseAgain sets the erasure of an account that is as given, and suspends the account if it is
// not suspended.
func EraseAgain(e Erasure, before Account) table.Update {
	e.Step = 1
	if !before.Suspension.IsZero() {
		return eraseUpdate(e)
	}
	u := SuspendSince(Suspension{At: e.At, By: e.By, Reason: ErasedReason}, before.Ended)
	erase := eraseUpdate(e)
	u.Expression += ", #erasedAt = :at, #erasedBy = :by, #step = :step"
	u.Names["#erasedAt"], u.Names["#erasedBy"], u.Names["#step"] = table.AttrErasedAt, table.AttrErasedBy,
		table.AttrEraseStep
	u.Values[":step"] = erase.Values[":step"]
	return u
}

// nextErasure requests the step after a step of an erasure, if that is the account's.
func nextErasure(step int64) table.Update {
	u := erasureAt(step)
	u.Expression, u.Values[":next"] = "SET #step = :next", table.Number(step+1)
	return u
}

// endErasure ends the erasure whose step is the given one. Its time stays, so that no restore
// brings back what it has erased.
func endErasure(step int64) table.Update {
	u := erasureAt(step)
	u.Expression = "REMOVE #step"
	return u
}

func erasureAt(step int64) table.Update {
	return table.Update{
		Condition: "#step = :step", Names: map[string]string{"#step": table.AttrEraseStep},
		Values: table.Item{":step": table.Number(step)},
	}
}
