package scan

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/table"
)

// Key is a primary key in the form of a progress file: by attribute, "S" or "N" and the value.
type Key map[string][2]string

// keyOf returns an item's key. The item must have no other attributes.
func keyOf(item table.Item) Key {
	k := Key{}
	for name, v := range item {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			k[name] = [2]string{"S", v.Value}
		case *types.AttributeValueMemberN:
			k[name] = [2]string{"N", v.Value}
		}
	}
	return k
}

// item returns the key in the SDK's form. It is nil at the start of a scan.
func (k Key) item() (table.Item, error) {
	if len(k) == 0 {
		return nil, nil
	}
	item := table.Item{}
	for name, v := range k {
		switch v[0] {
		case "S":
			item[name] = &types.AttributeValueMemberS{Value: v[1]}
		case "N":
			item[name] = &types.AttributeValueMemberN{Value: v[1]}
		default:
			return nil, fmt.Errorf("the progress has a key of type %q", v[0])
		}
	}
	return item, nil
}
