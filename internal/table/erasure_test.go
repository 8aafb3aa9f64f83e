package table

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/account"
)

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
