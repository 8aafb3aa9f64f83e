package measure

import (
	"context"
	"fmt"
	"time"

	"example.com/parley/internal/block"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/reaction"
	"example.com/parley/internal/stream"
	"example.com/parley/internal/tally"
	"example.com/parley/internal/thread"
)

// busyBatch is the number of changes of one room in a batch of the feed function when many people
// write.
const busyBatch = 100

// followedRoom is the room in which people reply, react and mention.
const followedRoom = chat.RoomID("talk")

// followUps is the feed function's work for one room, on a warm store, as in a process between two
// batches.
type followUps struct {
	store      *dynamo.Store
	appender   *stream.Appender
	projection *thread.Projection
	counter    *tally.Counter
	roots      []chat.MessageID // of the threads
	head       int64            // the last number of the feed
}

func (o *operations) newFollowUps() *followUps {
	s := o.store()
	return &followUps{
		store: s, appender: stream.NewAppender(stream.Options{Store: s, Clock: time.Now}),
		projection: thread.NewProjection(s.Table()), counter: tally.NewCounter(s),
	}
}

// batch appends messages and performs the projections, and then appends the changed counts of one
// message, unless it is the zero message.
func (f *followUps) batch(
	ctx context.Context, messages []chat.Message, rows []feed.RowChange, counted chat.MessageID,
) error {
	work := feed.RoomChanges{Room: followedRoom, Rows: rows}
	var changes []feed.StreamChange
	for _, m := range messages {
		c := feed.StreamChange{Change: feed.ChangeOf(m), Created: time.Now(), Item: feed.ChangedItem{Message: &m}}
		changes = append(changes, c)
		f.head++
		work.Entries = append(work.Entries, feed.AppendedEntry{Seq: f.head, StreamChange: c})
	}
	if err := f.append(ctx, changes); err != nil {
		return err
	}
	if err := f.projection.Project(ctx, work); err != nil {
		return err
	}
	if err := f.counter.Project(ctx, work); err != nil || counted == (chat.MessageID{}) {
		return err
	}
	m, err := f.store.Message(ctx, followedRoom, counted)
	if err != nil {
		return err
	}
	f.head++
	return f.append(ctx, []feed.StreamChange{{Change: feed.CountsChangeOf(m), Created: time.Now()}})
}

func (f *followUps) append(ctx context.Context, changes []feed.StreamChange) error {
	if len(changes) == 0 {
		return nil
	}
	n, err := f.appender.Append(ctx, followedRoom, feedGeneration, changes)
	if err == nil && n != len(changes) {
		err = fmt.Errorf("%d of %d changes were appended", n, len(changes))
	}
	return err
}

// followUps counts the feed function's work for replies and reactions. It leaves a room with
// threads. The figures leave out the read of the counted message, which is the bench's own.
func (o *operations) followUps(ctx context.Context) (*followUps, []Figure, error) {
	f := o.newFollowUps()
	roots, err := o.sendMany(ctx, followedRoom, chat.MessageDraft{Text: typicalWords()}, o.appRuns)
	if err != nil {
		return nil, nil, err
	}
	if err := f.batch(ctx, roots, nil, chat.MessageID{}); err != nil {
		return nil, nil, err
	}
	for _, m := range roots {
		f.roots = append(f.roots, m.ID)
	}
	figures, err := o.replyFigures(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range []int{1, 3, chat.MaxMentions} {
		mentions, err := o.mentionFigure(ctx, f, n)
		if err != nil {
			return nil, nil, err
		}
		figures = append(figures, mentions)
	}
	for _, rows := range []struct {
		n    int
		goal string
	}{{1, ""}, {100, "5 R + 2 W"}, {1000, "46 R + 2 W"}} {
		one, err := o.recount(ctx, f, rows.n)
		if err != nil {
			return nil, nil, err
		}
		figures = append(figures, figureOf(one, rows.goal))
	}
	return f, figures, nil
}

// replyFigures counts the work that follows replies: the first of a thread, further ones by the
// same person, and many in one batch.
func (o *operations) replyFigures(ctx context.Context, f *followUps) ([]Figure, error) {
	var figures []Figure
	for _, load := range []struct {
		name, goal string
		replies    int
		caller     string
	}{
		{"a person's first reply, with its follow-up writes", "about 11 W", 1, "someone-1"},
		{"a further reply, with its follow-up writes", "", 1, "someone-1"},
		{"one of 100 concurrent replies, with its follow-up writes", "3.2 W", busyBatch, "someone-1"},
	} {
		var sum Operation
		for _, root := range f.roots {
			o.take()
			var replies []chat.Message
			for range load.replies {
				m, err := o.send(ctx, load.caller, followedRoom, chat.MessageDraft{Text: typicalWords(), Thread: root})
				if err != nil {
					return nil, err
				}
				replies = append(replies, m)
			}
			if err := f.batch(ctx, replies, nil, root); err != nil {
				return nil, err
			}
			reads, writes := o.take()
			sum.add(Operation{Reads: reads - 1, Writes: writes})
		}
		figures = append(figures, figureOf(sum.mean(load.name, len(f.roots)*load.replies), load.goal))
	}
	return figures, nil
}

// mentionFigure counts the work that follows a mention of n people, per person.
func (o *operations) mentionFigure(ctx context.Context, f *followUps, n int) (Figure, error) {
	var users []chat.UserID
	for i := range n {
		users = append(users, chat.UserID(fmt.Sprintf("someone-%02d", i+1)))
	}
	projection := mention.NewProjection(mention.ProjectionOptions{
		Ledgers: mention.NewStore(f.store.Table()), Access: f.store,
		Blocks: block.NewService(f.store.Table(), time.Now), Clock: time.Now,
	})
	var sum Operation
	for range o.appRuns {
		m, err := o.send(
			ctx, typicalUser, followedRoom,
			chat.MessageDraft{Text: typicalWords(), Mentions: chat.Mentions{Users: users}},
		)
		if err != nil {
			return Figure{}, err
		}
		if err := f.batch(ctx, []chat.Message{m}, nil, chat.MessageID{}); err != nil {
			return Figure{}, err
		}
		c := feed.StreamChange{Change: feed.ChangeOf(m), Item: feed.ChangedItem{Message: &m}}
		work := feed.RoomChanges{Room: followedRoom, Entries: []feed.AppendedEntry{{Seq: f.head, StreamChange: c}}}
		o.take()
		if err := projection.Project(ctx, work); err != nil {
			return Figure{}, err
		}
		reads, writes := o.take()
		sum.add(Operation{Reads: reads, Writes: writes})
	}
	people := fmt.Sprintf("%d people, for each", n)
	if n == 1 {
		people = "1 person"
	}
	one := sum.mean("the rows of a message that mentions "+people, o.appRuns*len(users))
	return figureOf(one, "1 R + 2 W"), nil
}

// recount counts a tally of n rows of which the last is new, as the feed function does.
func (o *operations) recount(ctx context.Context, f *followUps, n int) (Operation, error) {
	m, err := o.send(ctx, typicalUser, followedRoom, chat.MessageDraft{Text: typicalWords()})
	if err != nil {
		return Operation{}, err
	}
	row := feed.RowChange{Message: m.ID, Emoji: "👍"}
	for i := range n {
		row.User = chat.UserID(fmt.Sprintf("0a1b2c3d-4e5f-4a6b-8c7d-%012d", i)) // as long as a Cognito subject
		r := reaction.Reaction{Room: m.Room, Message: m.ID, Emoji: row.Emoji, User: row.User, ReceivedAt: m.ReceivedAt}
		if _, err := reaction.NewStore(f.store.Table()).Put(ctx, r); err != nil {
			return Operation{}, err
		}
	}
	o.take()
	err = f.batch(ctx, nil, []feed.RowChange{row}, m.ID)
	reads, writes := o.take()
	one := Operation{Reads: reads - 1, Writes: writes - 2}
	return one.mean(fmt.Sprintf("recount %d reactions and write the tally", n), 1), err
}
