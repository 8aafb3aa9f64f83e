package account

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/table"
)

// noon is the time of the tests.
var noon = time.Date(2018, 8, 29, 12, 0, 0, 0, time.UTC)

// TestParse_IgnoresWhatItDoesNotKnow reads accounts with attributes of later versions, and
// those that nobody suspended.
func TestParse_IgnoresWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	item := table.AccountKey("bob")
	table.Stamp(item, table.AccountKind)
	item["later"] = table.Text("x")
	if a, err := Parse(item); err != nil || a != (Account{}) {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := Parse(nil); err != nil || a != (Account{}) {
		t.Errorf("no item: %+v, %v", a, err)
	}
	item[table.AttrSuspendedAt], item[table.AttrSuspended] = table.Number(noon.UnixMilli()), table.Text("help-desk")
	want := Account{Suspension: Suspension{At: noon, By: "help-desk"}}
	if a, err := Parse(item); err != nil || a != want {
		t.Errorf("%+v, %v, want %+v", a, err, want)
	}
}

// TestParse_UnreadableIsNotOrdinary checks that an account that cannot be read is an error,
// because it may be suspended.
func TestParse_UnreadableIsNotOrdinary(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]types.AttributeValue{
		table.AttrType: table.Text("person"), "v": table.Number(99), table.AttrSuspendedAt: table.Text("today"), table.AttrSuspended: table.Number(1),
	} {
		item := table.AccountKey("bob")
		table.Stamp(item, table.AccountKind)
		item[table.AttrSuspendedAt], item[table.AttrSuspended] = table.Number(noon.UnixMilli()), table.Text("help-desk")
		item[name] = value
		if a, err := Parse(item); err == nil {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestParse_OfTheErased reads an account during and after an erasure.
func TestParse_OfTheErased(t *testing.T) {
	t.Parallel()
	item := table.AccountKey("bob")
	table.Stamp(item, table.AccountKind)
	item[table.AttrErasedAt], item[table.AttrErasedBy], item[table.AttrEraseStep] = table.Number(noon.UnixMilli()), table.Text("desk"), table.Number(3)
	want := Erasure{At: noon, By: "desk", Step: 3}
	if a, err := Parse(item); err != nil || a.Erasure != want || !a.Erasure.InProgress() {
		t.Errorf("%+v, %v, want %+v", a, err, want)
	}
	delete(item, table.AttrEraseStep)
	if a, err := Parse(item); err != nil || a.Erasure.InProgress() || a.Erasure.At != noon {
		t.Errorf("after the end: %+v, %v", a, err)
	}
	item[table.AttrErasedAt] = &types.AttributeValueMemberS{Value: time.Now().String()}
	if a, err := Parse(item); err == nil {
		t.Errorf("an unreadable time: %+v", a)
	}
}
