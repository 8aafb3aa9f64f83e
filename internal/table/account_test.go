package table

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/account"
	"example.com/parley/internal/ratelimit"
)

// TestParseAccount_IgnoresWhatItDoesNotKnow reads accounts with attributes of later versions, and
// those that nobody suspended.
func TestParseAccount_IgnoresWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	item := AccountKey("bob")
	item[attrType], item[attrVersion], item["later"] = Text(AccountKind), Number(schemaVersion), Text("x")
	if a, err := ParseAccount(item); err != nil || a != (account.Account{}) {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := ParseAccount(nil); err != nil || a != (account.Account{}) {
		t.Errorf("no item: %+v, %v", a, err)
	}
	item[attrSuspendedAt], item[attrSuspendedBy] = Number(noon.UnixMilli()), Text("help-desk")
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
		attrType: Text("person"), attrVersion: Number(schemaVersion + 2), attrSuspendedAt: Text("today"), attrSuspendedBy: Number(1),
	} {
		item := AccountKey("bob")
		Stamp(item, AccountKind)
		item[attrSuspendedAt], item[attrSuspendedBy] = Number(noon.UnixMilli()), Text("help-desk")
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
	item[attrType], item[attrVersion], item[budgetPrefix+"later"] = Text(AccountKind), Number(schemaVersion), Number(5)
	item[budgetPrefix+"messages"] = Number(noon.UnixMicro())
	want := account.Account{Budgets: ratelimit.Budgets{ratelimit.Messages: noon}}
	if a, err := ParseAccount(item); err != nil || a != want {
		t.Errorf("%+v, %v, want %+v", a, err, want)
	}
	item[budgetPrefix+"messages"] = Text("noon")
	if a, err := ParseAccount(item); err == nil {
		t.Errorf("%+v", a)
	}
}
