package table

import (
	"fmt"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
)

// AttrSuspended is the attribute of the accounts of suspended people. The stream's consumer also
// receives these accounts. It is a string.
const AttrSuspended = attrSuspendedBy

// AccountKey returns the primary key of a user's account.
func AccountKey(user chat.UserID) Item { return Key(PersonPK(user), skAccount) }

// SuspendUpdate sets the suspension of an account that has none. It creates the account if there is
// none, and leaves all other attributes unchanged.
func SuspendUpdate(s account.Suspension) Update {
	u := Update{
		Expression: "SET #at = :at, #by = :by",
		Condition:  "attribute_not_exists(#at)",
		Names:      map[string]string{"#at": attrSuspendedAt, "#by": attrSuspendedBy},
		Values: Item{
			":at": Number(s.At.UnixMilli()), ":by": Text(string(s.By)),
		},
	}.Stamped(AccountKind)
	if s.Reason != "" {
		u.Expression += ", #reason = :reason"
		u.Names["#reason"], u.Values[":reason"] = attrSuspendReason, Text(s.Reason)
	}
	return u
}

// SuspendSince is SuspendUpdate for an account whose last suspension ended as given. The zero
// Ending means that it had none.
func SuspendSince(s account.Suspension, ended account.Ending) Update {
	u := SuspendUpdate(s)
	u.Names["#ended"] = attrSuspensionEnd
	if ended.IsZero() {
		u.Condition += " AND attribute_not_exists(#ended)"
		return u
	}
	u.Condition += " AND #ended = :ended"
	u.Values[":ended"] = Number(ended.At.UnixMilli())
	return u
}

// EndSuspensionUpdate removes the suspension of an account that has one and is not being erased,
// and sets its end. The end stays, so that a repeated call finds it.
func EndSuspensionUpdate(end account.Ending) Update {
	return Update{
		Expression: "SET #ended = :ended, #endedBy = :endedBy REMOVE #at, #by, #reason",
		Condition:  "attribute_exists(#at) AND attribute_not_exists(#step)",
		Names: map[string]string{
			"#step": attrEraseStep,
			"#at":   attrSuspendedAt, "#by": attrSuspendedBy, "#reason": attrSuspendReason,
			"#ended": attrSuspensionEnd, "#endedBy": attrSuspensionEndBy,
		},
		Values: Item{":ended": Number(end.At.UnixMilli()), ":endedBy": Text(string(end.By))},
	}
}

// ParseAccount reads an account. A missing item is the zero Account.
func ParseAccount(item Item) (account.Account, error) {
	if item == nil {
		return account.Account{}, nil
	}
	r := Reader{Item: item}
	r.Expect(AccountKind)
	a := account.Account{Suspension: account.Suspension{At: r.OptionalTime(attrSuspendedAt)}}
	if !a.Suspension.IsZero() {
		a.Suspension.By, a.Suspension.Reason = chat.UserID(r.OptionalText(attrSuspendedBy)), r.OptionalText(attrSuspendReason)
	}
	a.Ended = account.Ending{At: r.OptionalTime(attrSuspensionEnd)}
	if !a.Ended.IsZero() {
		a.Ended.By = chat.UserID(r.OptionalText(attrSuspensionEndBy))
	}
	a.Erasure = account.Erasure{At: r.OptionalTime(attrErasedAt), Step: r.OptionalNumber(attrEraseStep)}
	if !a.Erasure.At.IsZero() {
		a.Erasure.By = chat.UserID(r.OptionalText(attrErasedBy))
	}
	a.Budgets = r.budgets()
	if r.Err != nil {
		return account.Account{}, fmt.Errorf("account: %w", r.Err)
	}
	return a, nil
}
