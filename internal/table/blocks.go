package table

import (
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
)

// BlocksKey returns the primary key of the list of people whom a user has blocked.
func BlocksKey(user chat.UserID) Item { return Key(PersonPK(user), skBlocks) }

// BlockUpdate adds a person to a list with fewer than limit people, or that has them already.
func BlockUpdate(user chat.UserID, limit int) Update {
	return Update{
		Expression: "SET #type = :type, #v = :v ADD #users :set",
		Condition:  "attribute_not_exists(#users) OR size(#users) < :limit OR contains(#users, :user)",
		Names:      map[string]string{"#type": attrType, "#v": attrVersion, "#users": attrUsers},
		Values: Item{
			":type": str(typeBlocks), ":v": number(schemaVersion), ":limit": number(int64(limit)),
			":user": str(string(user)), ":set": &types.AttributeValueMemberSS{Value: []string{string(user)}},
		},
	}
}

// UnblockUpdate removes a person from a list that has them.
func UnblockUpdate(user chat.UserID) Update {
	return Update{
		Expression: "DELETE #users :set",
		Condition:  "contains(#users, :user)",
		Names:      map[string]string{"#users": attrUsers},
		Values:     Item{":user": str(string(user)), ":set": &types.AttributeValueMemberSS{Value: []string{string(user)}}},
	}
}

// ParseBlocks reads a list, in order. An empty list has no attribute, because DynamoDB has no empty
// sets.
func ParseBlocks(item Item) ([]chat.UserID, error) {
	r := reader{item: item}
	r.expect(typeBlocks)
	var users []chat.UserID
	if item[attrUsers] != nil {
		set, ok := item[attrUsers].(*types.AttributeValueMemberSS)
		if !ok {
			r.keep(fmt.Errorf("%s is not a set of strings", attrUsers))
			set = &types.AttributeValueMemberSS{}
		}
		for _, text := range set.Value {
			user, err := chat.StoredUserID(text)
			r.keep(err)
			users = append(users, user)
		}
	}
	if r.err != nil {
		return nil, fmt.Errorf("blocks: %w", r.err)
	}
	slices.Sort(users)
	return users, nil
}
