package restore

import (
	"context"
	"maps"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"parley/internal/chat"
	"parley/internal/shard"
	"parley/internal/table"
)

// key is where a message is in the table that is written: a room that was created anew may have other
// shards.
func (s *roomState) key(m chat.Message) table.Item {
	return table.MessageKey(m.Room, shard.Of(string(m.ID.User), s.epochs.At(m.ID.SentAt()).N), m.ID)
}

// recent reports whether a message was received or changed at a time or after it.
func recent(m chat.Message, since time.Time) bool {
	return !later(m.ReceivedAt, later(m.EditedAt, m.DeletedAt)).Before(since)
}

// copyMessage puts a message back with its versions, or brings it to a later revision. A deletion is
// the last word on a message, whichever table has it.
func (r *run) copyMessage(ctx context.Context, item table.Item) error {
	m, err := table.ParseMessage(item)
	if err != nil {
		r.unreadable(item, err)
		return nil
	}
	if !recent(m, r.Since) {
		return nil
	}
	s, err := r.stateOf(ctx, m.Room, item)
	if s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.MessageKind, func(ctx context.Context) (Outcome, change, error) {
		there, err := r.to.get(ctx, s.key(m))
		if err != nil {
			return "", nil, err
		}
		if there == nil {
			return r.putMessage(ctx, s, m, item)
		}
		ours, err := read(there, table.ParseMessage)
		if err != nil {
			return "", nil, err
		}
		return r.mergeMessage(ctx, merge{key: s.key(m), theirs: m, ours: ours, item: item, there: there})
	})
}

// putMessage writes a message that is missing. Where the feed tells that it was deleted, only its
// tombstone is put back.
func (r *run) putMessage(ctx context.Context, s *roomState, m chat.Message, item table.Item) (Outcome, change, error) {
	item = maps.Clone(item)
	maps.Copy(item, s.key(m))
	item[table.IndexPK] = item[table.PK]
	at, deleted := s.since.deleted[m.ID]
	outcome, kept := Put, m
	if deleted && !m.Deleted() {
		outcome, kept = Deleted, m.Tombstone(m.ID.User, at)
		item = table.Buried(item, m, kept)
	}
	versions, err := r.missingVersions(ctx, m, kept)
	return outcome, append(change{r.to.PutNew(item)}, versions...), err
}

// merge is a message that both tables have.
type merge struct {
	key          table.Item
	theirs, ours chat.Message
	item, there  table.Item
}

func (r *run) mergeMessage(ctx context.Context, m merge) (Outcome, change, error) {
	switch {
	case m.ours.Deleted():
		versions, err := r.missingVersions(ctx, m.theirs, m.ours)
		if len(versions) > 0 {
			return Put, versions, err
		}
		return Same, nil, err
	case m.theirs.Deleted():
		writes, err := r.bury(ctx, m.key, m.ours, m.ours.Tombstone(m.theirs.DeletedBy, m.theirs.DeletedAt))
		return Deleted, writes, err
	case m.theirs.Revision < m.ours.Revision:
		return Newer, nil, nil
	case m.theirs.Revision == 1:
		return Same, nil, nil
	}
	versions, err := r.missingVersions(ctx, m.theirs, m.theirs)
	if err != nil {
		return "", nil, err
	}
	if m.theirs.Revision == m.ours.Revision {
		if len(versions) == 0 {
			return Same, nil, nil
		}
		return Put, versions, nil
	}
	item := maps.Clone(m.item)
	maps.Copy(item, m.key)
	item[table.IndexPK], item[table.IndexSK] = m.there[table.IndexPK], m.there[table.IndexSK] // its place in pages stays
	return Replaced, append(change{r.to.Put(item, table.MessageRevisionIs(m.ours.Revision))}, versions...), nil
}

// bury takes the text out of a message and of all its versions in the table that is written.
func (r *run) bury(ctx context.Context, key table.Item, ours, tombstone chat.Message) (change, error) {
	writes := change{r.to.Update(key, table.MessageRevision(ours, tombstone))}
	if ours.Versions() == 1 {
		return writes, nil
	}
	versions, err := r.to.partition(ctx, table.MessageVersionsPK(ours.Room, ours.ID))
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		writes = append(writes, r.to.Update(table.Key(textOf(v, table.PK), textOf(v, table.SK)), table.MessageVersionErasure()))
	}
	return writes, nil
}

// missingVersions puts those versions of theirs that a message lacks as it is kept, without their text
// when it is deleted, and the copy of the newest where it is of an older one.
func (r *run) missingVersions(ctx context.Context, theirs, kept chat.Message) (change, error) {
	if theirs.Versions() == 1 || kept.Versions() == 1 {
		return nil, nil
	}
	pk := table.MessageVersionsPK(theirs.Room, theirs.ID)
	items, err := r.to.partition(ctx, pk)
	if err != nil {
		return nil, err
	}
	ours := map[string]table.Item{}
	for _, item := range items {
		ours[textOf(item, table.SK)] = item
	}
	if items, err = r.from.partition(ctx, pk); err != nil {
		return nil, err
	}
	var writes change
	for _, item := range items {
		v, err := table.ParseMessageVersion(item)
		if err != nil || v.Number > kept.Versions() {
			continue // what cannot be read is put nowhere
		}
		if kept.Deleted() {
			item = table.Erased(item)
		}
		there := ours[textOf(item, table.SK)]
		if there == nil {
			writes = append(writes, r.to.PutNew(item))
			continue
		}
		if was, err := table.ParseMessageVersion(there); err == nil && was.Number < v.Number {
			writes = append(writes, r.to.Put(item, table.NumberIs(was.Number)))
		}
	}
	return writes, nil
}

func textOf(item table.Item, name string) string {
	s, _ := item[name].(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}
