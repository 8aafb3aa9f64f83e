package table

import (
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/ratelimit"
)

// budgetPrefix begins the names of the attributes of budgets: "fullAt_messages". A name with a dot
// could be parsed as a path, and dynamodb:Attributes contains only a path's first part. The values
// are microseconds, because a unit of the largest limits takes less than a millisecond.
const budgetPrefix = "fullAt_"

// SpendUpdate moves the instant of a budget on from the time of spending, if the budget is full or
// its instant is implausible. It creates a missing account.
func SpendUpdate(s ratelimit.Spending) Update {
	return spendUpdate(s, "SET #type = :type, #v = :v, #full = :next", "attribute_not_exists(#full) OR #full <= :now "+
		"OR #full > :trust", Item{
		":next": Number(s.Now.Add(s.By).UnixMicro()), ":now": Number(s.Now.UnixMicro()),
		":trust": Number(s.Now.Add(s.Trust).UnixMicro()),
	})
}

// SpendMoreUpdate moves the instant of a budget that is neither full nor empty.
func SpendMoreUpdate(s ratelimit.Spending) Update {
	return spendUpdate(s, "SET #type = :type, #v = :v, #full = #full + :by", "#full > :now AND #full < :empty", Item{
		":by": Number(s.By.Microseconds()), ":now": Number(s.Now.UnixMicro()),
		":empty": Number(s.Now.Add(s.Below).UnixMicro()),
	})
}

func spendUpdate(s ratelimit.Spending, expression, condition string, values Item) Update {
	values[":type"], values[":v"] = Text(AccountKind), Number(schemaVersion)
	return Update{
		Expression: expression, Condition: condition, Values: values,
		Names: map[string]string{"#type": attrType, "#v": attrVersion, "#full": budgetPrefix + s.Limit.Key()},
	}
}

// ReadBudgetAttributes returns the attributes of people's items that the read and search functions
// may write: the read budget and the attributes of every account.
func ReadBudgetAttributes() []string {
	return []string{PK, SK, attrType, attrVersion, budgetPrefix + ratelimit.Reads.Key()}
}

// ParseBudgets reads the budgets of an account. Without an item, all budgets are full.
func ParseBudgets(item Item) (ratelimit.Budgets, error) {
	r := Reader{Item: item}
	b := r.Budgets()
	return b, r.Err
}

// Budgets reads the budgets of an account.
func (r *Reader) Budgets() (b ratelimit.Budgets) {
	for _, id := range ratelimit.IDs() {
		if micros := r.OptionalNumber(budgetPrefix + id.Key()); micros != 0 {
			b[id] = time.UnixMicro(micros).UTC()
		}
	}
	return b
}

// liveBudgetLife is how long a connection budget is kept: longer than it needs to refill.
const liveBudgetLife = time.Hour

// liveBudgetPrefix begins the partition keys of connection budgets, in the table of connections.
const liveBudgetPrefix = "budget#"

// LiveBudgetKey returns the primary key of a person's connection budget.
func LiveBudgetKey(user chat.UserID) Item {
	return Key(liveBudgetPrefix+string(user), string(BudgetKind))
}

// LiveSpending returns an update of a person's connection budget, given an update of an account.
// It also sets the expiry.
func LiveSpending(u Update, now time.Time) Update {
	u.Expression = strings.Replace(u.Expression, "SET ", "SET #ttl = :ttl, ", 1)
	u.Names["#ttl"], u.Values[":ttl"] = TTL, Number(now.Add(liveBudgetLife).Unix())
	u.Values[":type"] = Text(BudgetKind)
	return u
}
