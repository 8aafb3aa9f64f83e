package mention

import (
	"fmt"
	"slices"

	"example.com/parley/internal/chat"
)

// Parse parses the people whom a request mentions, in any order, and returns them in order. They
// need not exist: a person may be mentioned before they first sign in. The error is Invalid and
// names the field of the invalid person.
func Parse(given []string) ([]chat.UserID, error) {
	if len(given) > chat.MaxMentions {
		return nil, chat.Invalidf("mentions", "must have at most %d people", chat.MaxMentions)
	}
	var users []chat.UserID
	for i, text := range given {
		field := fmt.Sprintf("mentions[%d]", i)
		user, err := chat.ParseUserID(text)
		if err != nil {
			return nil, chat.InField(field, err)
		}
		if slices.Contains(users, user) {
			return nil, chat.Invalidf(field, "must not repeat a person")
		}
		users = append(users, user)
	}
	slices.Sort(users)
	return users, nil
}
