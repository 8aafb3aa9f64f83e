package table

import (
	"strings"
	"time"

	"parley/internal/chat"
	"parley/internal/ratelimit"
)

// budgetPrefix begins the names of the attributes of budgets: "fullAt_messages". A name with a dot
// could be taken for a path, of which dynamodb:Attributes has only the first part. Their values are
// microseconds, because a unit of the largest limits takes less than a millisecond.
const budgetPrefix = "fullAt_"

// formerReadBudget is the budget of reads of earlier versions. No version reads the budgets of the
// other: a missing one is full. While a deployment replaces the read function, the former one still
// writes it.
const formerReadBudget = "fullAt.reads"

// SpendUpdate moves the instant of a budget from the time at which it is spent, if the budget is
// full or its instant is beyond trust. It creates the account if there is none.
func SpendUpdate(s ratelimit.Spending) Update {
	return spendUpdate(s, "SET #type = :type, #v = :v, #full = :next", "attribute_not_exists(#full) OR #full <= :now OR #full > :trust", Item{
		":next": Number(s.Now.Add(s.By).UnixMicro()), ":now": Number(s.Now.UnixMicro()), ":trust": Number(s.Now.Add(s.Trust).UnixMicro()),
	})
}

// SpendMoreUpdate moves the instant of a budget that is not full, but not empty either.
func SpendMoreUpdate(s ratelimit.Spending) Update {
	return spendUpdate(s, "SET #type = :type, #v = :v, #full = #full + :by", "#full > :now AND #full < :empty", Item{
		":by": Number(s.By.Microseconds()), ":now": Number(s.Now.UnixMicro()), ":empty": Number(s.Now.Add(s.Below).UnixMicro()),
	})
}

func spendUpdate(s ratelimit.Spending, expression, condition string, values Item) Update {
	values[":type"], values[":v"] = Text(AccountKind), Number(schemaVersion)
	return Update{
		Expression: expression, Condition: condition, Values: values,
		Names: map[string]string{"#type": attrType, "#v": attrVersion, "#full": budgetPrefix + s.Limit.Key()},
	}
}

// ReadBudgetAttributes returns the attributes of people's items that the read function may write:
// the budget of reads, the one of the version before, and those that every account has.
func ReadBudgetAttributes() []string {
	return []string{PK, SK, attrType, attrVersion, budgetPrefix + ratelimit.Reads.Key(), formerReadBudget}
}

// ParseBudgets reads the budgets of an account. Without an item all are full.
func ParseBudgets(item Item) (ratelimit.Budgets, error) {
	r := Reader{Item: item}
	b := r.budgets()
	return b, r.Err
}

func (r *Reader) budgets() (b ratelimit.Budgets) {
	for _, id := range ratelimit.IDs() {
		if micros := r.OptionalNumber(budgetPrefix + id.Key()); micros != 0 {
			b[id] = time.UnixMicro(micros).UTC()
		}
	}
	return b
}

// liveBudgetLife is how long a budget of connections is kept: longer than it takes to be full
// again.
const liveBudgetLife = time.Hour

// LiveBudgetKey returns the primary key of the budget of a person's connections.
func LiveBudgetKey(user chat.UserID) Item {
	return Key(liveBudgetPrefix+string(user), string(BudgetKind))
}

// LiveSpending returns an update of the budget of a person's connections from one of an account. It
// sets when the budget expires.
func LiveSpending(u Update, now time.Time) Update {
	u.Expression = strings.Replace(u.Expression, "SET ", "SET #ttl = :ttl, ", 1)
	u.Names["#ttl"], u.Values[":ttl"] = TTL, Number(now.Add(liveBudgetLife).Unix())
	u.Values[":type"] = Text(BudgetKind)
	return u
}
