// Package erase erases what belongs to a deleted person: their memberships, profile and picture,
// and what only they see. Their messages, reactions and votes belong to rooms, and stay.
//
// The person's account requests each step. A step is bounded, and changes the account at its end,
// so that the table's stream brings the request for the next one. The erasure ends with a step that
// finds nothing left. Every step may be repeated. ADR 68 has the reasons.
package erase

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/account"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/picture"
	"example.com/parley/internal/table"
)

const (
	// StepItems is the number of items from which a step ends, so that the changes of rooms do not
	// wait long behind it. It is also the size of a page.
	StepItems = 100
	// stepTime is the time from which a step begins no further page.
	stepTime = time.Second
	// itemsAtOnce bounds the items that are erased concurrently.
	itemsAtOnce = 8
)

// Members ends memberships.
type Members interface {
	// Erase ends a membership. It reports false if the person has no membership state. If the
	// person is the room's only owner, the room becomes the service's.
	Erase(ctx context.Context, of chat.MemberOf, service chat.UserID) (ended bool, err error)
}

// Eraser erases people. It is safe for concurrent use.
type Eraser struct {
	o        Options
	accounts account.Store
	kinds    map[table.Kind]table.KindRow
}

// Options are the settings of an Eraser. Bucket is nil if the deployment stores no files. All
// others are required.
type Options struct {
	Table   *dynamo.Table
	Bucket  *bucket.Client
	Members Members
	Clock   func() time.Time
}

// New returns an Eraser.
func New(o Options) *Eraser {
	return &Eraser{o: o, accounts: account.NewStore(o.Table), kinds: table.KindRows()}
}

// Step implements stream.Eraser. It consumes a read unit for every 4 KB of the items that are left,
// and for each item as much as its deletion.
func (e *Eraser) Step(ctx context.Context, step account.ErasureStep) error {
	a, err := e.accounts.CurrentAccount(ctx, step.User)
	if err != nil || a.Erasure.Step != step.Step {
		return err
	}
	left, err := e.items(ctx, step.User, a.Erasure.By)
	if err != nil {
		return err
	}
	if left {
		return e.accounts.NextErasure(ctx, step.User, step.Step)
	}
	return e.accounts.EndErasure(ctx, step.User, step.Step)
}

// items erases a person's items, as many as belong to one step. left is false if there were none.
func (e *Eraser) items(ctx context.Context, user, service chat.UserID) (left bool, err error) {
	began, found := e.o.Clock(), 0
	q := dynamo.Query{
		Operation: "list a person's items", Partition: table.PersonPK(user), Consistency: dynamo.Strong,
		Limit:      StepItems,
		Projection: "#pk, #sk, #type", Names: map[string]string{"#sk": table.SK, "#type": table.AttrType},
	}
	for found < StepItems && e.o.Clock().Sub(began) < stepTime {
		page, next, err := e.o.Table.Query(ctx, q)
		if err != nil {
			return true, err
		}
		n, err := e.page(ctx, page, user, service)
		if err != nil {
			return true, err
		}
		found += n
		if q.Start = next; next == nil {
			return found > 0, nil
		}
	}
	return true, nil
}

// page erases the items of a page, and returns their number without the account.
func (e *Eraser) page(ctx context.Context, page []table.Item, user, service chat.UserID) (found int, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(itemsAtOnce)
	ending := map[chat.RoomID]bool{} // the rooms of which an item was met
	for _, item := range page {
		kind := e.kinds[table.KindOf(item)]
		if kind.Kind == table.AccountKind {
			continue
		}
		found++
		of := chat.MemberOf{User: user}
		if kind.Kind == table.MemberKind || kind.Kind == table.RoleKind {
			of.Room, _ = kind.Room(item)
		}
		if of.Room != "" && ending[of.Room] {
			continue // its other item ends with the first
		}
		ending[of.Room] = true
		group.Go(func() error { return e.item(ctx, item, of, service) })
	}
	return found, group.Wait()
}

// item erases an item. If it belongs to a membership of a room, it ends that. Pictures are removed
// before their rows, so that a repeated step finds what to remove.
func (e *Eraser) item(ctx context.Context, item table.Item, of chat.MemberOf, service chat.UserID) error {
	if of.Room != "" {
		if ended, err := e.o.Members.Erase(ctx, of, service); ended || err != nil {
			return err
		}
	}
	if e.o.Bucket != nil && table.KindOf(item) == table.PictureKind {
		id, err := table.ParsePictureID(item)
		if err != nil {
			return err
		}
		return picture.Remove(ctx, e.o.Table, e.o.Bucket, of.User, id)
	}
	_, err := e.o.Table.DeleteItem(ctx, "erase", table.Item{table.PK: item[table.PK], table.SK: item[table.SK]})
	return err
}
