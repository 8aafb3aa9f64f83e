package table

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/account"
	"parley/internal/ratelimit"
)

// TestParseAccount_IgnoresWhatItDoesNotKnow reads accounts with attributes of later versions, and
// those that nobody suspended.
func TestParseAccount_IgnoresWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	item := AccountKey("bob")
	item[attrType], item[attrVersion], item["later"] = str(AccountKind), number(schemaVersion), str("x")
	if a, err := ParseAccount(item); err != nil || a != (account.Account{}) {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := ParseAccount(nil); err != nil || a != (account.Account{}) {
		t.Errorf("no item: %+v, %v", a, err)
	}
	item[attrSuspendedAt], item[attrSuspendedBy] = number(noon.UnixMilli()), str("help-desk")
	want := account.Account{Suspension: account.Suspension{At: noon, By: "help-desk"}}
	if a, err := ParseAccount(item); err != nil || a != want {
		t.Errorf("%+v, %v, want %+v", a, err, want)
	}
}

// TestParseAccount_UnreadableIsNotOrdinary checks that an account that cannot be read is an error,
// because it may be suspended.
func TestParseAccount_UnreadableIsNotOrdinary(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]types.AttributeValue{
		attrType: str("person"), attrVersion: number(schemaVersion + 2), attrSuspendedAt: str("today"), attrSuspendedBy: number(1),
	} {
		item := AccountKey("bob")
		item[attrType], item[attrVersion] = str(AccountKind), number(schemaVersion)
		item[attrSuspendedAt], item[attrSuspendedBy] = number(noon.UnixMilli()), str("help-desk")
		item[name] = value
		if a, err := ParseAccount(item); err == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestParseBudgets_IgnoresOtherLimits reads an account with a limit of another version.
func TestParseBudgets_IgnoresOtherLimits(t *testing.T) {
	t.Parallel()
	item := AccountKey("bob")
	item[attrType], item[attrVersion], item[budgetPrefix+"later"] = str(AccountKind), number(schemaVersion), number(5)
	item[budgetPrefix+"messages"] = number(noon.UnixMicro())
	want := account.Account{Budgets: ratelimit.Budgets{ratelimit.Messages: noon}}
	if a, err := ParseAccount(item); err != nil || a != want {
		t.Errorf("%+v, %v, want %+v", a, err, want)
	}
	item[budgetPrefix+"messages"] = str("noon")
	if a, err := ParseAccount(item); err == nil {
		t.Errorf("%+v", a)
	}
}

// TestParseChange_NamesTheSuspended reads accounts as the stream reports them.
func TestParseChange_NamesTheSuspended(t *testing.T) {
	t.Parallel()
	item := AccountKey("bob")
	item[attrType], item[attrVersion] = str(AccountKind), number(schemaVersion)
	if c, err := ParseChange(nil, item); c.Suspended != "" || err != nil {
		t.Errorf("an active person: %q, %v", c.Suspended, err)
	}
	item[attrSuspendedAt], item[attrSuspendedBy] = number(noon.UnixMilli()), str("help-desk")
	if c, err := ParseChange(nil, item); c.Suspended != "bob" || err != nil {
		t.Errorf("a suspended person: %q, %v", c.Suspended, err)
	}
	item[attrType] = str(BlocksKind)
	for name, other := range map[string]Item{"another item": item, "no item": nil} {
		if c, _ := ParseChange(nil, other); c.Suspended != "" {
			t.Errorf("%s: %q", name, c.Suspended)
		}
	}
}
