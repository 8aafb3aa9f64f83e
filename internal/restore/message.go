package restore

import (
	"context"
	"maps"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/shard"
	"example.com/parley/internal/table"
)

// key returns the key of a message in To. A recreated room may have other shards.
func (s *roomState) key(m chat.Message) table.Item {
	return table.MessageKey(m.Room, shard.ForUser(string(m.ID.User), s.epochs.At(m.ID.SentAt()).N), m.ID)
}

// recent reports whether a message was received or last changed at or after a time.
func recent(m chat.Message, since time.Time) bool {
	return !later(m.ReceivedAt, later(m.EditedAt, m.DeletedAt)).Before(since)
}

// copyMessage puts a message back with its versions, or replaces an earlier revision. A deletion in
// either table is final.
func (r *run) copyMessage(ctx context.Context, item table.Item) error {
	m, ok := readFrom(r, item, table.ParseMessage)
	if !ok || !recent(m, r.Since) {
		return nil
	}
	s, err := r.stateOf(ctx, m.Room, item)
	if s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.MessageKind, func(ctx context.Context) (Outcome, change, error) {
		ours, existing, err := getTo(ctx, r, s.key(m), table.ParseMessage)
		if err != nil {
			return "", nil, err
		}
		if existing == nil {
			return r.putMessage(ctx, s, m, item)
		}
		return r.mergeMessage(ctx, merge{key: s.key(m), theirs: m, ours: ours, item: item, existing: existing})
	})
}

// putMessage puts a missing message back. If the feed shows that it was deleted, only its tombstone
// is put back.
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
	key            table.Item
	theirs, ours   chat.Message
	item, existing table.Item // in From and in To
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
	// its place in pages does not change
	item[table.IndexPK], item[table.IndexSK] = m.existing[table.IndexPK], m.existing[table.IndexSK]
	table.KeepTally(item, m.existing)
	return Replaced, append(change{r.to.Put(item, table.MessageRevisionIs(m.ours.Revision))}, versions...), nil
}

// bury returns the writes that remove the text of a message and of all its versions from To.
func (r *run) bury(ctx context.Context, key table.Item, ours, tombstone chat.Message) (change, error) {
	writes := change{r.to.Update(key, table.MessageRevision(ours, tombstone))}
	if chat.VersionCount(ours) == 1 {
		return writes, nil
	}
	versions, err := r.to.versions(ctx, ours.Room, ours.ID)
	if err != nil {
		return nil, err
	}
	for _, v := range versions {
		writes = append(
			writes, r.to.Update(table.Key(textOf(v, table.PK), textOf(v, table.SK)), table.MessageVersionErasure()),
		)
	}
	return writes, nil
}

// missingVersions returns the writes that put back the versions of kept that only From has. They
// come without text if kept is deleted. If To's newest copy is of an earlier version, it is
// replaced.
func (r *run) missingVersions(ctx context.Context, theirs, kept chat.Message) (change, error) {
	if chat.VersionCount(theirs) == 1 || chat.VersionCount(kept) == 1 {
		return nil, nil
	}
	items, err := r.to.versions(ctx, theirs.Room, theirs.ID)
	if err != nil {
		return nil, err
	}
	ours := map[string]table.Item{}
	for _, item := range items {
		ours[textOf(item, table.SK)] = item
	}
	if items, err = r.from.versions(ctx, theirs.Room, theirs.ID); err != nil {
		return nil, err
	}
	var writes change
	for _, item := range items {
		v, err := table.ParseMessageVersion(item)
		if err != nil || v.Number > chat.VersionCount(kept) {
			continue // an unreadable version is not put back
		}
		if kept.Deleted() {
			item = table.Erased(item)
		}
		existing := ours[textOf(item, table.SK)]
		if existing == nil {
			writes = append(writes, r.to.PutNew(item))
			continue
		}
		if was, err := table.ParseMessageVersion(existing); err == nil && was.Number < v.Number {
			writes = append(writes, r.to.Put(item, table.NumberIs(was.Number)))
		}
	}
	return writes, nil
}

// textOf returns a string attribute, or "" if there is none.
func textOf(item table.Item, name string) string {
	s, _ := item[name].(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}
