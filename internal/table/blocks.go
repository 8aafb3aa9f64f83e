package table

import (
	"fmt"

	"example.com/parley/internal/chat"
)

// BlocksKey returns the primary key of the list of people whom a user has blocked.
func BlocksKey(user chat.UserID) Item { return Key(PersonPK(user), skBlocks) }

// BlockUpdate adds a person to a list that has fewer than limit people or already contains the
// person.
func BlockUpdate(user chat.UserID, limit int) Update {
	return Update{
		Expression: "ADD #users :set",
		Condition:  "attribute_not_exists(#users) OR size(#users) < :limit OR contains(#users, :user)",
		Names:      map[string]string{"#users": attrUsers},
		Values: Item{
			":limit": Number(int64(limit)),
			":user":  Text(string(user)), ":set": Set([]chat.UserID{user}),
		},
	}.Stamped(BlocksKind)
}

// UnblockUpdate removes a person from a list that contains them.
func UnblockUpdate(user chat.UserID) Update {
	return Update{
		Expression: "DELETE #users :set",
		Condition:  "contains(#users, :user)",
		Names:      map[string]string{"#users": attrUsers},
		Values:     Item{":user": Text(string(user)), ":set": Set([]chat.UserID{user})},
	}
}

// ParseBlocks reads a list, in order. An empty list has no attribute, because DynamoDB has no empty
// sets.
func ParseBlocks(item Item) ([]chat.UserID, error) {
	r := Reader{Item: item}
	r.Expect(BlocksKind)
	users := r.optionalUsers(attrUsers)
	if r.Err != nil {
		return nil, fmt.Errorf("blocks: %w", r.Err)
	}
	return users, nil
}
