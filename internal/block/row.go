package block

import (
	"fmt"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// Addition adds a person to a list that has fewer than limit people or already contains the
// person.
func Addition(user chat.UserID, limit int) table.Update {
	return table.Update{
		Expression: "ADD #users :set",
		Condition:  "attribute_not_exists(#users) OR size(#users) < :limit OR contains(#users, :user)",
		Names:      map[string]string{"#users": table.AttrUsers},
		Values: table.Item{
			":limit": table.Number(int64(limit)),
			":user":  table.Text(string(user)), ":set": table.Set([]chat.UserID{user}),
		},
	}.Stamped(table.BlocksKind)
}

// removal removes a person from a list that contains them.
func removal(user chat.UserID) table.Update {
	return table.Update{
		Expression: "DELETE #users :set",
		Condition:  "contains(#users, :user)",
		Names:      map[string]string{"#users": table.AttrUsers},
		Values:     table.Item{":user": table.Text(string(user)), ":set": table.Set([]chat.UserID{user})},
	}
}

// Parse reads a list, in order. An empty list has no attribute, because DynamoDB has no empty
// sets.
func Parse(item table.Item) ([]chat.UserID, error) {
	r := table.Reader{Item: item}
	r.Expect(table.BlocksKind)
	users := r.OptionalUsers(table.AttrUsers)
	if r.Err != nil {
		return nil, fmt.Errorf("blocks: %w", r.Err)
	}
	return users, nil
}
