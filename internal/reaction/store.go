package reaction

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// Store reads and writes reactions. It checks no rights. All methods return a *chat.Error of kind
// Unavailable if the table cannot answer at present. Writes are durable when they return.
type Store struct{ table *dynamo.Table }

// NewStore returns a store of the reactions in a table.
func NewStore(t *dynamo.Table) Store { return Store{t} }

// Put stores a reaction, unless the person has already reacted with the emoji. It reports whether
// it stored one.
//
// It is one conditional put: 2 write units, one for the table and one for the index. A repeated put
// consumes 1.
func (s Store) Put(ctx context.Context, r Reaction) (stored bool, err error) {
	item := Item(r)
	return s.table.PutItem(ctx, "put reaction", item, table.Absent(item))
}

// Delete removes a reaction, and reports whether there was one. It is one deletion: 2 write units,
// and 1 if there was no reaction.
func (s Store) Delete(ctx context.Context, r Reaction) (existed bool, err error) {
	return s.table.DeleteItem(ctx, "delete reaction", keyOf(r))
}

// To returns the reactions to a message. It is one consistent query: 1 read unit for every 4 KB,
// which is about 22 reactions.
func (s Store) To(ctx context.Context, room chat.RoomID, id chat.MessageID) ([]Reaction, error) {
	const op = "read reactions"
	keys := table.ReactionsRange("")
	query := dynamo.Query{
		Operation: op, Partition: table.MessageVersionsPK(room, id), Keys: dynamo.Between(keys.Low, keys.High),
		Consistency: dynamo.Strong,
	}
	return dynamo.QueryAll(ctx, s.table, query, Parse)
}

// ReactorQuery selects the people who reacted to a message with an emoji.
type ReactorQuery struct {
	Room    chat.RoomID
	Message chat.MessageID
	Emoji   string      // the key
	After   chat.UserID // the last person of the previous page; "" is the beginning
	Limit   int
}

// Reactors returns who reacted to a message with an emoji, ordered by user id, after a user: at
// most limit people. more reports whether there are others. A reaction of the last second may be
// missing.
//
// It is one eventual query: half a read unit for every 4 KB, which is about 16 people.
func (s Store) Reactors(ctx context.Context, q ReactorQuery) (users []chat.UserID, more bool, err error) {
	keys := table.ReactionsRange(q.Emoji)
	query := dynamo.Query{
		Operation: "list reactors", Partition: table.MessageVersionsPK(q.Room, q.Message),
		Keys:        dynamo.Between(keys.Low, keys.High),
		Consistency: dynamo.Eventual, Limit: q.Limit + 1, Projection: "#sk",
	}
	if q.After != "" {
		query.Start = table.ReactionKey(q.Room, q.Message, q.Emoji, q.After)
	}
	items, next, err := s.table.Query(ctx, query)
	if err != nil {
		return nil, false, err
	}
	for _, item := range items[:min(len(items), q.Limit)] {
		_, user, err := table.ParseReactionSK(item)
		if err != nil {
			return nil, false, err
		}
		users = append(users, user)
	}
	return users, len(items) > q.Limit || next != nil && len(users) > 0, nil
}

// OwnQuery selects reactions of a person.
type OwnQuery struct {
	User chat.UserID
	Room chat.RoomID
	// First and Last bound when the messages were received, inclusively.
	First, Last time.Time
}

// Own returns a person's reactions to the messages of a room that were received from first to last.
// A reaction of the last second may be missing. It makes eventual queries of the index: half a read
// unit for every 4 KB.
func (s Store) Own(ctx context.Context, q OwnQuery) ([]Reaction, error) {
	const op = "list own reactions"
	keys := ownRange(q.Room, q.First, q.Last)
	query := dynamo.Query{
		Operation: op, Index: true, Partition: table.ReactionsIndex(q.User), Keys: dynamo.Between(keys.Low, keys.High),
		Consistency: dynamo.Eventual,
	}
	return dynamo.QueryAll(ctx, s.table, query, Parse)
}

// PutAll stores reactions, each at most once in the list. Existing ones do not change, and the feed
// function counts the new ones. If it fails, some of them may be stored.
//
// It is a batch of puts for every 25 reactions: 2 write units each, one for the table and one for
// the index.
func (s Store) PutAll(ctx context.Context, reactions []Reaction) error {
	return s.table.PutItems(ctx, "put reactions", items(reactions))
}

// PutTogether is PutAll by transactions, which the local engine writes much faster than batches. It
// is a transaction for every 100 reactions: 3 write units each, two for the table and one for the
// index.
func (s Store) PutTogether(ctx context.Context, reactions []Reaction) error {
	return s.table.PutTogether(ctx, "put reactions together", items(reactions))
}

func items(reactions []Reaction) []table.Item {
	all := make([]table.Item, len(reactions))
	for i, r := range reactions {
		all[i] = Item(r)
	}
	return all
}
