package poll

import (
	"fmt"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// Item returns the item of a vote.
func Item(v chat.Vote) table.Item {
	item := table.VoteKey(v.Room, v.Message, v.User)
	table.Stamp(item, table.VoteKind)
	item[table.AttrChoices] = table.Number(int64(v.Choices))
	return item
}

// Parse reads an item that Item wrote.
func Parse(item table.Item) (chat.Vote, error) {
	r := table.Reader{Item: item}
	r.Expect(table.VoteKind)
	v, err := ParseKey(item)
	r.Keep(err)
	v.Choices, err = table.ParseChoices(item)
	r.Keep(err)
	if r.Err != nil {
		return chat.Vote{}, fmt.Errorf("vote: %w", r.Err)
	}
	return v, nil
}

// ParseKey reads a vote from its primary key, without its choices.
func ParseKey(item table.Item) (v chat.Vote, err error) {
	user, ok := strings.CutPrefix(table.KeyPart(item, table.SK), table.VotePrefix)
	if ok {
		if v.Room, v.Message, err = table.ParseMessageVersionsPK(table.KeyPart(item, table.PK)); err == nil {
			v.User, err = chat.StoredUserID(user)
		}
	}
	if !ok || err != nil {
		return chat.Vote{}, fmt.Errorf("vote: %w: sort key %q", chat.ErrUnreadable, table.KeyPart(item, table.SK))
	}
	return v, nil
}
