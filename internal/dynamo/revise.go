package dynamo

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// ReviseMessage is one transaction, which doubles the write units of the table. An edit writes the
// message (3 units up to 1 KB, with the index), the version and the copy of the newest (2 each): 7
// units. The first edit also puts the original: 9 units. A deletion writes the message and every
// version.
//
// If the transaction was canceled, it returns the existing message. It also reads that message if
// another transaction interfered, which may have made this same revision. If nothing has changed
// meanwhile, ReviseMessage returns an error that allows a retry.
func (s *Store) ReviseMessage(ctx context.Context, before, after chat.Message) (chat.Message, bool, error) {
	epochs, err := s.epochsOf(ctx, before.Room)
	if err != nil {
		return chat.Message{}, false, err
	}
	op := "edit message"
	versions := s.editedVersions(before, after)
	if after.Deleted() {
		op = "delete message"
		versions = s.erasedVersions(before)
	}
	message := s.table.Update(
		table.MessageKey(before.Room, shardOf(epochs, before.ID), before.ID), table.MessageRevision(before, after),
	)
	cancelled, err := s.table.TransactOrCancelled(ctx, op, append([]Write{message}, versions...)...)
	if err != nil {
		return chat.Message{}, false, err
	}
	if cancelled == nil {
		return after, true, nil
	}
	existing, readErr := s.Message(ctx, before.Room, before.ID)
	if readErr != nil {
		return chat.Message{}, false, readErr
	}
	if existing.Revision == before.Revision || !cancelled.LostRace(existing.Revision > after.Revision) {
		return chat.Message{}, false, cancelled.Err(op)
	}
	return existing, false, nil
}

// editedVersions returns the writes that put the new version of an edit and the copy of the
// newest. The first edit also puts the original.
func (s *Store) editedVersions(before, after chat.Message) []Write {
	added, newest := table.MessageVersionItems(chat.NewestVersion(after))
	puts := []Write{s.table.PutNew(added), s.table.PutAny(newest)}
	if before.Revision == 1 {
		original, _ := table.MessageVersionItems(chat.NewestVersion(before))
		puts = append(puts, s.table.PutNew(original))
	}
	return puts
}

// erasedVersions returns the writes that remove the text from every version and from the copy of
// the newest. A message that was never edited has no versions.
func (s *Store) erasedVersions(m chat.Message) []Write {
	if chat.VersionCount(m) == 1 {
		return nil
	}
	var updates []Write
	for number := range chat.VersionCount(m) + 1 {
		key := table.MessageVersionKey(chat.Version{Room: m.Room, ID: m.ID, Number: number})
		updates = append(updates, s.table.Update(key, table.MessageVersionErasure()))
	}
	return updates
}

// MessageVersions reads versions by their keys: 1 read unit for every 4 KB of each.
func (s *Store) MessageVersions(ctx context.Context, newest chat.Version, limit int) ([]chat.Version, error) {
	return PageOfVersions(ctx, s.table, Versions[chat.Version]{
		Operation: "read message versions", Parse: table.ParseMessageVersion,
		Key: func(number int) table.Item {
			which := newest
			which.Number = number
			return table.MessageVersionKey(which)
		},
	}, newest.Number, limit)
}
