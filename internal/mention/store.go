package mention

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// Store reads and writes the rows of mentions and their ledgers. It checks no rights.
type Store struct{ table *dynamo.Table }

// NewStore returns a store of the mentions in a table.
func NewStore(t *dynamo.Table) Store { return Store{t} }

// Ledgers writes mentions. All methods return a *chat.Error of kind Unavailable if the store cannot
// answer at present.
type Ledgers interface {
	// MentionLedger returns the current ledger of a message, with revision 0 if there is none.
	MentionLedger(ctx context.Context, room chat.RoomID, id chat.MessageID) (Ledger, error)
	// PutMentionLedger stores a ledger unless the revision of the stored one is not before. In
	// both cases it returns the stored ledger; ok reports whether it stored next. Removed entries
	// are added to the stored ones.
	PutMentionLedger(ctx context.Context, before int, next Ledger) (stored Ledger, ok bool, err error)
	// ForgetRemoved removes entries from the Removed ones of a ledger.
	ForgetRemoved(ctx context.Context, l Ledger) error
	// PutMention writes a row; the same row may already exist.
	PutMention(ctx context.Context, r Row) error
	// RemoveMention removes a row, which may be missing.
	RemoveMention(ctx context.Context, r Row) error
}

// AccessSource reads who may read a room.
type AccessSource interface {
	// Room returns a room, or NotFound.
	Room(ctx context.Context, id chat.RoomID) (chat.Room, error)
	// Membership returns the current membership of a person, or the zero Membership.
	Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error)
}

// Blocks reads whom people have blocked.
type Blocks interface {
	// Blocks returns the people whom a user has blocked, in order.
	Blocks(ctx context.Context, user chat.UserID) ([]chat.UserID, error)
}

const opLedger = "read mention ledger"

// MentionLedger is one strong query: 1 read unit.
func (s Store) MentionLedger(ctx context.Context, room chat.RoomID, id chat.MessageID) (Ledger, error) {
	key := table.MentionLedgerKey(room, id)
	projection, names := table.Projection(table.LedgerAttributes()) // which the feed function may read
	items, _, err := s.table.Query(ctx, dynamo.Query{
		Operation: opLedger, Partition: table.PartitionOf(key),
		Keys:        dynamo.Between(table.MentionLedgerSK, table.MentionLedgerSK),
		Consistency: dynamo.Strong, Projection: projection, Names: names,
	})
	if err != nil || len(items) == 0 {
		return Ledger{Room: room, Message: id}, err
	}
	l, _, err := dynamo.ParseItem(opLedger, items[0], nil, parseLedger)
	return l, err
}

// PutMentionLedger is one conditional update: 1 write unit for each KB. After a lost race it reads
// the ledger for 1 more read unit.
func (s Store) PutMentionLedger(ctx context.Context, before int, next Ledger) (Ledger, bool, error) {
	ok, err := s.table.TryUpdate(
		ctx, "put mention ledger", table.MentionLedgerKey(next.Room, next.Message), ledgerUpdate(before, next),
	)
	if err != nil || ok {
		return next, ok, err
	}
	stored, err := s.MentionLedger(ctx, next.Room, next.Message)
	return stored, false, err
}

// ForgetRemoved is one conditional update: 1 write unit for each KB.
func (s Store) ForgetRemoved(ctx context.Context, l Ledger) error {
	return s.table.UpdateBlindly(
		ctx, "forget removed mentions", table.MentionLedgerKey(l.Room, l.Message), ledgerForget(l),
	)
}

// PutMention is one update: 2 write units for a person, one for the table and one for the index,
// and 1 for the room.
func (s Store) PutMention(ctx context.Context, r Row) error {
	return s.table.UpdateBlindly(ctx, "put mention", Key(r), Update(r))
}

// RemoveMention is one conditional update: as many write units as PutMention, and 1 for a missing
// row.
func (s Store) RemoveMention(ctx context.Context, r Row) error {
	return s.table.UpdateBlindly(ctx, "remove mention", Key(r), removal(r))
}

// MentionsOf returns at most limit mentions of a person in all rooms, after a position, newest
// message first. Mentions of about the last second may be missing. It reads one partition of the
// index: half a read unit for every 4 KB.
func (s Store) MentionsOf(
	ctx context.Context, user chat.UserID, after chat.ListPosition, limit int,
) ([]Row, chat.ListPosition, error) {
	q := dynamo.Query{
		Operation: "list mentions", Index: true, Partition: table.MentionsIndex(user),
		Consistency: dynamo.Eventual, NewestFirst: true, Limit: limit,
	}
	if after != (chat.ListPosition{}) {
		key, err := mentionAt(user, after)
		if err != nil {
			return nil, chat.ListPosition{}, err
		}
		q.Start = dynamo.IndexStart(q.Partition, after, key)
	}
	return dynamo.ListPage(ctx, s.table, q, ParseRow, Row.Position)
}

// mentionAt returns the primary key of the row at a position, which the service has checked.
func mentionAt(user chat.UserID, at chat.ListPosition) (table.Item, error) {
	place, err := ParsePosition(at)
	if err != nil {
		return nil, err
	}
	return Key(Row{Room: place.Room, User: user, Seq: place.Seq}), nil
}

// MentionsAfter returns the mentions of a person, or of Everyone, in a room after a number,
// newest first: at most limit, or fewer with more set. Mentions of about the last second may be
// missing. It is one query: half a read unit for every 4 KB.
func (s Store) MentionsAfter(ctx context.Context, of chat.MemberOf, after int64, limit int) ([]Row, bool, error) {
	const op = "read mentions"
	items, next, err := s.table.Query(ctx, dynamo.Query{
		Operation: op, Partition: table.MentionsPK(of),
		Keys:        dynamo.Between(table.MentionSK(of, after+1), table.MentionSK(of, chat.MaxSeq)),
		Consistency: dynamo.Eventual, NewestFirst: true, Limit: limit,
	})
	if err != nil {
		return nil, false, err
	}
	rows, err := dynamo.ParseItems(op, items, ParseRow)
	return rows, next != nil, err
}
