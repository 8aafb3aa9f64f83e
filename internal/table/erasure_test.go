package table

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
)

// TestParseChange_RequestsAStepOnce reads changes of accounts as the stream reports them.
func TestParseChange_RequestsAStepOnce(t *testing.T) {
	t.Parallel()
	at := func(user chat.UserID, suspended bool, step int64) Item {
		item := AccountKey(user)
		Stamp(item, AccountKind)
		if suspended {
			item[attrSuspendedAt], item[attrSuspendedBy] = Number(noon.UnixMilli()), Text("desk")
		}
		item[attrErasedAt], item[attrErasedBy] = Number(noon.UnixMilli()), Text("desk")
		if step > 0 {
			item[attrEraseStep] = Number(step)
		}
		return item
	}
	other := at("bob", true, 2)
	other["later"] = Text("x")
	for name, tt := range map[string]struct {
		before, after Item
		want          Erasure
	}{
		"the first step":          {at("bob", true, 0), at("bob", true, 1), Erasure{"bob", 1}},
		"an account made anew":    {nil, at("bob", true, 1), Erasure{"bob", 1}},
		"the next step":           {at("bob", true, 1), at("bob", true, 2), Erasure{"bob", 2}},
		"another attribute":       {at("bob", true, 2), other, Erasure{}},
		"the end":                 {at("bob", true, 2), at("bob", true, 0), Erasure{}},
		"somebody not suspended":  {nil, at("bob", false, 1), Erasure{}},
		"an account that is gone": {at("bob", true, 1), nil, Erasure{}},
		"no user's account":       {nil, at("b#b", true, 1), Erasure{}},
	} {
		if c, err := ParseChange(tt.before, tt.after); c.Erasure != tt.want || err != nil {
			t.Errorf("%s: %+v, %v, want %+v", name, c.Erasure, err, tt.want)
		}
	}
}

// TestParseAccount_OfTheErased reads an account during and after an erasure.
func TestParseAccount_OfTheErased(t *testing.T) {
	t.Parallel()
	item := AccountKey("bob")
	Stamp(item, AccountKind)
	item[attrErasedAt], item[attrErasedBy], item[attrEraseStep] = Number(noon.UnixMilli()), Text("desk"), Number(3)
	want := account.Erasure{At: noon, By: "desk", Step: 3}
	if a, err := ParseAccount(item); err != nil || a.Erasure != want || !a.Erasure.InProgress() {
		t.Errorf("%+v, %v, want %+v", a, err, want)
	}
	delete(item, attrEraseStep)
	if a, err := ParseAccount(item); err != nil || a.Erasure.InProgress() || a.Erasure.At != noon {
		t.Errorf("after the end: %+v, %v", a, err)
	}
	item[attrErasedAt] = &types.AttributeValueMemberS{Value: time.Now().String()}
	if a, err := ParseAccount(item); err == nil {
		t.Errorf("an unreadable time: %+v", a)
	}
}
