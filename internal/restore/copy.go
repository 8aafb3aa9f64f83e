package restore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/archive"
	"example.com/parley/internal/attachment"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/pin"
	"example.com/parley/internal/poll"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/report"
	"example.com/parley/internal/saved"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/table"
	"example.com/parley/internal/thread"
)

// Progress is the saved state of a restore.
type Progress struct {
	Scan   scan.Progress `json:"scan"`
	Counts Counts        `json:"counts"`
}

// Job is a restore under way.
type Job struct {
	Options
	// Budget bounds the scan of one run, in read units. 0 means no bound.
	Budget float64
	// Save stores the progress. It is called after each page.
	Save func(Progress) error
}

// Copy continues from p until To has every item of From that it lacked or had at an older
// revision.
func (j Job) Copy(ctx context.Context, p *Progress) error {
	isLog, err := sameKeys(ctx, j.DB, j.From, j.To)
	if err != nil {
		return err
	}
	return j.scan(ctx, p, func(r *run) func(context.Context, table.Item) error {
		if isLog {
			return r.copyLog
		}
		return r.copyItem
	})
}

// scan calls a function with every item of From.
func (j Job) scan(ctx context.Context, p *Progress, begin func(*run) func(context.Context, table.Item) error) error {
	if p.Counts == nil {
		p.Counts = Counts{}
	}
	r := newRun(j.Options, p.Counts)
	do := begin(r)
	s := scan.Scan{
		Source: scan.Source{DB: j.DB, Table: j.From}, Limiter: j.Reads, Budget: j.Budget,
		Moved: func() error { return j.Save(*p) },
	}
	return s.Run(ctx, &p.Scan, func(ctx context.Context, page []table.Item) error {
		return each(ctx, page, do)
	})
}

// copyItem copies one item, as its kind's row specifies.
func (r *run) copyItem(ctx context.Context, item table.Item) error {
	kind, known := r.kinds[table.KindOf(item)]
	if !r.selects(item) {
		return nil
	}
	if erased, err := r.erasedSince(ctx, item); erased || err != nil {
		r.tally.add(kind.Kind, Ended)
		return err
	}
	switch {
	case !known:
		r.unreadable(item, fmt.Errorf("its kind %q is unknown", table.KindOf(item)))
		return nil
	case kind.Restore == table.RestoreWith:
		return nil
	case kind.Restore == table.RestoreNever:
		r.tally.add(kind.Kind, Skipped)
		return nil
	case kind.Restore == table.RestoreMissing:
		return r.copyMissing(ctx, item)
	case kind.Restore == table.RestoreInRoom:
		return r.copyInRoom(ctx, kind, item)
	}
	return r.compare[kind.Kind](ctx, item)
}

// comparisons are the functions that copy items of the kinds with RestoreByKind.
func (r *run) comparisons() map[table.Kind]func(context.Context, table.Item) error {
	return map[table.Kind]func(context.Context, table.Item) error{
		table.MessageKind:  r.copyMessage,
		table.RoomKind:     r.copyRoomOf,
		table.RoleKind:     r.copyMembershipState,
		table.ReadKind:     r.copyReadMarker,
		table.DocumentKind: r.copyDocument,
		table.PartKind:     r.copyPart,
		table.PersonKind:   r.copyPerson,
		table.AccountKind:  r.copyAccount,
		table.DirectKind:   r.copyDirectRoom,
		table.FeedHeadKind: r.copyFeedHead,
		table.UploadKind:   r.copyUpload,
	}
}

// checks are the functions that return an error for an unreadable item of a kind with
// RestoreInRoom.
func checks() map[table.Kind]func(table.Item) error {
	return map[table.Kind]func(table.Item) error{
		table.ReactionKind: check(reaction.Parse),
		table.VoteKind:     check(poll.Parse),
		table.ReplyKind:    check(table.ParseReply),
		table.ThreadKind:   check(table.ParseThread),
		table.FollowKind:   check(thread.ParseFollow),
		table.SavedKind:    check(saved.Parse),
		table.PinsKind:     check(pin.Parse),
		table.ReportKind:   check(report.Parse),
		table.ImportedKind: check(archive.ParseImported),
		table.ReactedKind:  check(archive.ParseReacted),
	}
}

// copyUpload puts back the missing upload of a message. The bytes of a deleted message are removed,
// and an upload without a message loses its bytes soon.
func (r *run) copyUpload(ctx context.Context, item table.Item) error {
	u, s, err := readInRoom(ctx, r, item, attachment.Parse, func(u attachment.Upload) chat.RoomID { return u.Room })
	if s == nil || err != nil {
		return err
	}
	m := chat.Message{Room: u.Room, ID: u.Message}
	_, deleted := s.since.deleted[m.ID]
	if !deleted && m.ID != (chat.MessageID{}) {
		if m, _, err = getTo(ctx, r, s.key(m), table.ParseMessage); err != nil {
			return err
		}
	}
	if deleted || m.Deleted() || u.Message == (chat.MessageID{}) {
		r.tally.add(table.UploadKind, Skipped)
		return nil
	}
	return r.copyMissing(ctx, item)
}

// check returns a function that parses an item only for its error.
func check[T any](parse func(table.Item) (T, error)) func(table.Item) error {
	return func(item table.Item) error {
		_, err := parse(item)
		return err
	}
}

// copyRoomOf copies the room to which a metadata item belongs.
func (r *run) copyRoomOf(ctx context.Context, item table.Item) error {
	return r.copyRoom(ctx, chat.RoomID(strings.TrimPrefix(textOf(item, table.PK), table.RoomPK(""))))
}

// selects reports whether an item belongs to the room that is restored, if it is only one.
func (r *run) selects(item table.Item) bool {
	if r.Room == "" {
		return true
	}
	kind := r.kinds[table.KindOf(item)]
	if kind.Room == nil {
		return false
	}
	room, ok := kind.Room(item)
	return ok && room == r.Room
}

// copyFeedHead copies only the closure from the head of a feed.
func (r *run) copyFeedHead(ctx context.Context, item table.Item) error {
	closed, err := r.deleteByFeed(ctx, item)
	if !closed && err == nil {
		r.tally.add(table.FeedHeadKind, Skipped)
	}
	return err
}

// copyInRoom puts back a missing item of a room that remains.
func (r *run) copyInRoom(ctx context.Context, kind table.KindRow, item table.Item) error {
	if err := r.checks[kind.Kind](item); err != nil {
		r.unreadable(item, err)
		return nil
	}
	room, ok := kind.Room(item)
	if !ok {
		r.unreadable(item, errors.New("it names no room"))
		return nil
	}
	if s, err := r.stateOf(ctx, room, item); s == nil || err != nil {
		return err
	}
	return r.copyMissing(ctx, item)
}

// copyMissing puts back an item whose key To does not have, and leaves an existing one unchanged.
func (r *run) copyMissing(ctx context.Context, item table.Item) error {
	return r.putMissing(ctx, item, table.Item{table.PK: item[table.PK], table.SK: item[table.SK]})
}

func (r *run) putMissing(ctx context.Context, item, key table.Item) error {
	return r.settle(ctx, table.KindOf(item), func(ctx context.Context) (Outcome, change, error) {
		existing, err := r.to.get(ctx, key)
		if err != nil || existing != nil {
			return Same, nil, err
		}
		return Put, change{r.to.PutNew(item)}, nil
	})
}

// sameKeys reports whether both tables are activity logs. It fails when only one of them is.
func sameKeys(ctx context.Context, db *dynamodb.Client, from, to string) (isLog bool, err error) {
	if from == to {
		return false, errors.New("a table cannot be restored from itself")
	}
	var logs [2]bool
	for i, name := range []string{from, to} {
		out, err := db.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
		if err != nil {
			return false, fmt.Errorf("describe table %s: %w", name, err)
		}
		for _, key := range out.Table.KeySchema {
			logs[i] = logs[i] || *key.AttributeName == table.LogPK
		}
	}
	if logs[0] != logs[1] {
		return false, fmt.Errorf("only one of %s and %s is an activity log", from, to)
	}
	return logs[0], nil
}

// copyLog puts back an entry of an activity log that is missing and has not expired. Entries never
// change.
func (r *run) copyLog(ctx context.Context, item table.Item) error {
	if r.Room != "" && textOf(item, table.LogPK) != table.RoomPK(r.Room) {
		return nil
	}
	if table.LogExpired(item, r.Clock()) {
		r.tally.add(table.KindOf(item), Skipped)
		return nil
	}
	return r.putMissing(ctx, item, table.Item{table.LogPK: item[table.LogPK], table.LogSK: item[table.LogSK]})
}

// copyDocument puts a document back with its permissions. An existing document keeps its own,
// because nothing shows which of the two is newer.
func (r *run) copyDocument(ctx context.Context, item table.Item) error {
	doc, s, err := readInRoom(
		ctx, r, item, document.ParseMetadata, func(d document.Document) chat.RoomID { return d.Room },
	)
	if s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.DocumentKind, func(ctx context.Context) (Outcome, change, error) {
		permissions := document.PermissionsKey(doc.Room, doc.ID)
		var writes change
		for _, key := range []table.Item{document.MetadataKey(doc.Room, doc.ID), permissions} {
			existing, err := r.to.get(ctx, key)
			if err != nil {
				return "", nil, err
			}
			if existing != nil {
				continue
			}
			theirs, err := r.from.get(ctx, key)
			if err != nil {
				return "", nil, err
			}
			if theirs != nil {
				writes = append(writes, r.to.PutNew(theirs))
			}
		}
		if len(writes) == 0 {
			return Same, nil, nil
		}
		return Put, writes, nil
	})
}

// copyPart puts a version of a part of a document back. Versions never change. A later copy
// replaces the newest copy.
func (r *run) copyPart(ctx context.Context, item table.Item) error {
	p, s, err := readInRoom(ctx, r, item, document.ParsePart, func(p document.Part) chat.RoomID { return p.Room })
	if s == nil || err != nil {
		return err
	}
	return r.settle(ctx, table.PartKind, func(ctx context.Context) (Outcome, change, error) {
		ours, existing, err := getTo(
			ctx, r, table.Key(textOf(item, table.PK), textOf(item, table.SK)), document.ParsePart,
		)
		switch {
		case err != nil:
			return "", nil, err
		case existing == nil:
			return Put, change{r.to.PutNew(item)}, nil
		case ours.Version > p.Version:
			return Newer, nil, nil
		case ours.Version == p.Version:
			return Same, nil, nil
		}
		return Replaced, change{r.to.Put(item, table.NumberIs(ours.Version))}, nil
	})
}
