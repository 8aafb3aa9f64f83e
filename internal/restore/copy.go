package restore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"parley/internal/chat"
	"parley/internal/reaction"
	"parley/internal/report"
	"parley/internal/saved"
	"parley/internal/scan"
	"parley/internal/table"
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

// Copy continues from p until To has every item of From that it lacked or had in an older form.
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
		Source: scan.Source{DB: j.DB, Table: j.From}, Pace: j.Reads, Budget: j.Budget,
		Moved: func() error { return j.Save(*p) },
	}
	return s.Run(ctx, &p.Scan, func(ctx context.Context, page []table.Item) error {
		return each(ctx, page, do)
	})
}

// copyItem copies one item, by its kind.
func (r *run) copyItem(ctx context.Context, item table.Item) error {
	kind := table.KindOf(item)
	if room, ok := roomOf(kind, item); r.Room != "" && (!ok || room != r.Room) {
		return nil
	}
	switch kind {
	case table.MessageKind:
		return r.copyMessage(ctx, item)
	case table.RoomKind:
		return r.copyRoom(ctx, chat.RoomID(strings.TrimPrefix(textOf(item, table.PK), table.RoomPK(""))))
	case table.RoleKind:
		return r.copyMembershipState(ctx, item)
	case table.ReadKind:
		return r.copyReadMarker(ctx, item)
	case table.DocumentKind:
		return r.copyDocument(ctx, item)
	case table.PartKind:
		return r.copyPart(ctx, item)
	case table.PersonKind:
		return r.copyPerson(ctx, item)
	case table.AccountKind:
		return r.copyAccount(ctx, item)
	case table.BlocksKind, table.RoomRequestKind:
		return r.copyMissing(ctx, item)
	case table.ReportKind:
		return copyInRoom(ctx, r, item, table.ParseReport, func(p report.Report) chat.RoomID { return p.Room })
	case table.ReplyKind, table.ThreadKind, table.FollowKind:
		return copyInRoom(ctx, r, item, threadRoom, itself)
	case table.PinsKind: // lists leave out messages that are deleted or were never restored
		return copyInRoom(ctx, r, item, table.PinsRoom, itself)
	case table.ReactionKind: // the feed function then counts the message again
		return copyInRoom(ctx, r, item, table.ParseReaction, func(p reaction.Reaction) chat.RoomID { return p.Room })
	case table.SavedKind:
		return copyInRoom(ctx, r, item, table.ParseSaved, func(e saved.Entry) chat.RoomID { return e.Room })
	case table.DirectKind:
		return r.copyDirectRoom(ctx, item)
	case table.VersionKind, table.PermissionsKind, table.ShardsKind, table.MemberKind, table.DocumentPermissionsKind,
		table.TitleKind, table.PreviousTitleKind, table.StateKind, table.WordKind, table.PersonMetadataKind:
		return nil // copied with the message, room, membership, document or person that they belong to
	case table.FeedHeadKind:
		return r.copyFeedHead(ctx, item)
	case table.FeedKind, table.SlowKind,
		table.InviteKind, table.InvitesKind, // a revoked link must not open again
		table.MentionKind, table.MentionedKind: // the feed function writes those of a message that comes back
		r.tally.add(kind, Skipped)
		return nil
	}
	r.unreadable(item, fmt.Errorf("its kind %q is unknown", kind))
	return nil
}

// copyFeedHead copies of the end of a feed only that it is closed.
func (r *run) copyFeedHead(ctx context.Context, item table.Item) error {
	closed, err := r.deleteByFeed(ctx, item)
	if !closed && err == nil {
		r.tally.add(table.FeedHeadKind, Skipped)
	}
	return err
}

// copyInRoom puts back a missing item of a room that remains. parse reads the item, and roomOf
// names the room.
func copyInRoom[T any](ctx context.Context, r *run, item table.Item, parse func(table.Item) (T, error), roomOf func(T) chat.RoomID) error {
	_, s, err := readInRoom(ctx, r, item, parse, roomOf)
	if s == nil || err != nil {
		return err
	}
	return r.copyMissing(ctx, item)
}

// itself is for items of which only the room is parsed.
func itself(room chat.RoomID) chat.RoomID { return room }

// threadRoom returns the room of a row of a thread that can be read.
func threadRoom(item table.Item) (chat.RoomID, error) {
	switch table.KindOf(item) {
	case table.FollowKind:
		f, err := table.ParseFollow(item)
		return f.Root.Room, err
	case table.ThreadKind:
		root, err := table.ParseThread(item)
		return root.Room, err
	}
	ref, err := table.ParseReference(item)
	return ref.Root.Room, err
}

// copyMissing puts back an item whose key To does not have, and leaves an existing one alone.
func (r *run) copyMissing(ctx context.Context, item table.Item) error {
	return r.settle(ctx, table.KindOf(item), func(ctx context.Context) (Outcome, change, error) {
		existing, err := r.to.get(ctx, table.Item{table.PK: item[table.PK], table.SK: item[table.SK]})
		if err != nil || existing != nil {
			return Same, nil, err
		}
		return Put, change{r.to.PutNew(item)}, nil
	})
}

// roomOf returns the room of an item. It reports false for an item of no room, such as a person.
func roomOf(kind table.Kind, item table.Item) (chat.RoomID, bool) {
	pk, sk := textOf(item, table.PK), textOf(item, table.SK)
	var text string
	switch kind {
	case table.MessageKind:
		room, err := table.MessageRoom(item)
		return room, err == nil
	case table.RoomKind, table.PermissionsKind, table.ShardsKind:
		text = strings.TrimPrefix(pk, table.RoomPK(""))
	case table.RoleKind, table.ReadKind, table.MemberKind, table.SlowKind:
		_, text, _ = strings.Cut(sk, "#")
	case table.DocumentKind, table.PartKind, table.DocumentPermissionsKind:
		room, _, err := table.ParseDocumentPK(pk)
		return room, err == nil
	case table.ReplyKind, table.ThreadKind:
		root, err := table.ThreadRoot(item)
		return root.Room, err == nil
	case table.FollowKind:
		text, _, _ = strings.Cut(strings.TrimPrefix(sk, table.FollowPrefix("")), "#")
	case table.SavedKind:
		e, err := table.ParseSaved(item)
		return e.Room, err == nil
	case table.InviteKind:
		room, err := table.InviteRoom(item)
		return room, err == nil
	case table.ReactionKind:
		r, err := table.ParseReactionKey(item)
		return r.Room, err == nil
	case table.MentionKind, table.MentionedKind:
		return table.MentionRoom(item)
	case table.ReportKind, table.InvitesKind, table.PinsKind:
		text = strings.TrimPrefix(pk, table.RoomExtraPK(""))
	case table.FeedKind, table.FeedHeadKind:
		_, text, _ = strings.Cut(pk, "#")
	case table.DirectKind:
		room, err := table.DirectRoom(item)
		return room, err == nil
	case table.RoomRequestKind:
		room, err := table.RequestedRoom(item)
		return room, err == nil
	default:
		return "", false
	}
	room, err := chat.ParseRoomID(text)
	return room, err == nil
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
	kind := table.KindOf(item)
	if r.Room != "" && textOf(item, table.LogPK) != table.RoomPK(r.Room) {
		return nil
	}
	if table.LogExpired(item, r.Clock()) {
		r.tally.add(kind, Skipped)
		return nil
	}
	return r.settle(ctx, kind, func(ctx context.Context) (Outcome, change, error) {
		existing, err := r.to.get(ctx, table.Item{table.LogPK: item[table.LogPK], table.LogSK: item[table.LogSK]})
		if err != nil || existing != nil {
			return Same, nil, err
		}
		return Put, change{r.to.PutNew(item)}, nil
	})
}
