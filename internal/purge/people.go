package purge

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/scan"
	"example.com/parley/internal/table"
)

// listedPeople removes the rows of members and of banned people, by the lists of both.
func (j *Job) listedPeople(ctx context.Context) error {
	for _, list := range []string{table.MemberSK(j.Room), table.BannedIndex(j.Room)} {
		err := j.pages(ctx, dynamo.Query{
			Partition: list, Index: true,
		}, func(ctx context.Context, items []table.Item) error {
			return j.removePeople(ctx, j.owners(items))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// owners returns the people to whose rows in the room some items belong.
func (j *Job) owners(items []table.Item) []chat.UserID {
	var users []chat.UserID
	for _, item := range items {
		if user, ok := table.PersonOf(item, j.Room); ok {
			users = append(users, user)
		}
	}
	return users
}

// removePeople removes the rows of people in the room: at least 4 write units and a read unit per
// person, and none for a person whom the run has already handled.
func (j *Job) removePeople(ctx context.Context, users []chat.UserID) error {
	var unmet []chat.UserID
	for _, user := range users {
		if user != "" && !j.people[user] {
			unmet, j.people[user] = append(unmet, user), true
		}
	}
	return each(ctx, unmet, func(ctx context.Context, user chat.UserID) error {
		for _, k := range table.PersonalKinds() {
			sk := k.SortKey(j.Room)
			var err error
			if k.Many {
				err = j.rows(ctx, user, sk)
			} else {
				err = j.removeKey(ctx, k.Kind, table.Key(table.PersonPK(user), sk))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// rows removes a person's rows with a prefix: for the room's threads, or for saved messages. It
// does not stop at the budget, because the next run would start with the same people again.
func (j *Job) rows(ctx context.Context, user chat.UserID, prefix string) error {
	keys := table.PrefixRange(prefix)
	q := dynamo.Query{
		Partition: table.PersonPK(user), Consistency: dynamo.Strong,
		Keys: dynamo.KeyRange{
			Low: &types.AttributeValueMemberS{Value: keys.Low}, High: &types.AttributeValueMemberS{Value: keys.High},
		},
	}
	for more := true; more; {
		var err error
		if more, err = j.page(
			ctx, &q, func(ctx context.Context, items []table.Item) error { return each(ctx, items, j.remove) },
		); err != nil {
			return err
		}
	}
	return nil
}

// removeKey removes an item of a kind that may not exist.
func (j *Job) removeKey(ctx context.Context, kind table.Kind, key table.Item) error {
	existed := false
	if j.DryRun {
		item, err := j.table.GetItem(ctx, op, key, dynamo.Eventual)
		if err != nil {
			return err
		}
		existed = item != nil
	} else {
		var err error
		if existed, err = j.table.DeleteItem(ctx, op, key); err != nil {
			return err
		}
	}
	if existed {
		j.count(kind)
	}
	return nil
}

// Search continues from p until the whole table is searched for rows of people in the room whom no
// list, message or feed names. Such a row is the marker of somebody who only read a public room,
// or the mute of somebody who left. Call it after Run. Save stores the progress after each page.
func (j *Job) Search(ctx context.Context, p *scan.Progress, save func() error) error {
	s := scan.Scan{
		Source: scan.Source{DB: j.DB, Table: j.Table}, Filter: table.PersonalRows(j.Room), Limiter: j.Reads,
		Moved: save,
	}
	if j.Budget > 0 {
		if s.Budget = j.Budget - j.Reads.Used(); s.Budget <= 0 {
			return scan.ErrBudget
		}
	}
	return s.Run(ctx, p, func(ctx context.Context, page []table.Item) error {
		for _, item := range page {
			if room, ok := table.MentionRoom(item); ok && room == j.Room {
				if err := j.removeKey(ctx, table.MentionKind, table.ItemKey(item)); err != nil {
					return err
				}
			}
		}
		return j.removePeople(ctx, j.owners(page))
	})
}
