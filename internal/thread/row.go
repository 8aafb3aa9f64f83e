package thread

import (
	"context"
	"fmt"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/table"
)

// minuteLayout is the precision of the order of a room's threads, so a busy thread is not rewritten
// with each reply.
const minuteLayout = "2006-01-02:15:04"

// ReferenceUpdate puts the reference of a reply unless there is one. For a deleted reply, it marks
// an existing reference.
func ReferenceUpdate(ref Reference) table.Update {
	u := table.Update{
		Condition: "attribute_not_exists(#pk)",
		Names:     map[string]string{"#pk": table.PK},
		Values:    table.Item{},
	}.Stamped(table.ReplyKind)
	if ref.ShowInRoom {
		u.Expression += ", #index = :index, #position = :position"
		u.Names["#index"], u.Names["#position"] = table.IndexPK, table.IndexSK
		u.Values[":index"] = table.Text(table.ThreadIndexPK(ref.Root.Room, ref.Root.ID))
		u.Values[":position"] = table.Text(table.MessageIndexSK(chat.Position{At: ref.ReceivedAt, ID: ref.Reply}))
	}
	if ref.Deleted {
		u.Expression += ", #deleted = :deleted"
		u.Condition = "attribute_not_exists(#deleted)"
		delete(u.Names, "#pk")
		u.Names["#deleted"], u.Values[":deleted"] = table.AttrDeleted, table.Number(1)
	}
	return u
}

// indexSK returns the index key of a thread: the minute of its newest reply, and its root.
func indexSK(root Root, at time.Time) string {
	return at.UTC().Format(minuteLayout) + "#" + root.ID.String()
}

// Key returns the primary key of the row of a follow.
func (f Follow) Key() table.Item { return table.FollowKey(f.User, f.Root.Room, f.Root.ID) }

// Key returns the primary key of a reference.
func (ref Reference) Key() table.Item {
	return table.ReferenceKey(ref.Root.Room, ref.Root.ID, chat.Position{At: ref.ReceivedAt, ID: ref.Reply})
}

// Update puts a thread, or moves it forward.
func Update(root Root, at time.Time) table.Update {
	return table.Update{
		Expression: "SET #pk = :pk, #sk = :sk",
		Condition:  "attribute_not_exists(#sk) OR #sk < :sk",
		Names:      map[string]string{"#pk": table.IndexPK, "#sk": table.IndexSK},
		Values: table.Item{
			":pk": table.Text(table.ThreadsIndex(root.Room)), ":sk": table.Text(indexSK(root, at)),
		},
	}.Stamped(table.ThreadKind)
}

// FollowUpdate makes a person follow a thread or not. A row without a marker gets one. The index
// lists a thread's followers.
func FollowUpdate(f Follow) table.Update {
	u := table.Update{
		Expression: "SET #follows = :follows, #seq = if_not_exists(#seq, :seq)",
		Names: map[string]string{
			"#follows": table.AttrFollows, "#seq": table.AttrSeq, "#pk": table.IndexPK, "#sk": table.IndexSK,
		},
		Values: table.Item{":follows": table.Number(0), ":seq": table.Number(f.Seq)},
	}.Stamped(table.FollowKind)
	if !f.Following {
		u.Expression += " REMOVE #pk, #sk"
		return u
	}
	u.Expression += ", #pk = :pk, #sk = :sk"
	u.Values[":follows"], u.Values[":sk"] = table.Number(1), table.Text(string(f.User))
	u.Values[":pk"] = table.Text(table.FollowSK(f.Root.Room, f.Root.ID))
	return u
}

// followerUpdate is FollowUpdate for a person who has never decided whether to follow the thread.
func followerUpdate(f Follow) table.Update {
	u := FollowUpdate(f)
	u.Condition = "attribute_not_exists(#follows)"
	return u
}

// markerUpdate moves a person's marker in a thread forward.
func markerUpdate(f Follow) table.Update {
	return table.Update{
		Expression: "SET #seq = :seq",
		Condition:  "attribute_not_exists(#seq) OR #seq < :seq",
		Names:      map[string]string{"#seq": table.AttrSeq},
		Values:     table.Item{":seq": table.Number(f.Seq)},
	}.Stamped(table.FollowKind)
}

// ParseFollow reads an item that FollowUpdate or markerUpdate wrote.
func ParseFollow(item table.Item) (Follow, error) {
	r := table.Reader{Item: item}
	r.Expect(table.FollowKind)
	user, room, root, err := table.ParseFollowKey(item)
	r.Keep(err)
	f := Follow{
		Root: Root{Room: room, ID: root}, User: user,
		Following: r.OptionalNumber(table.AttrFollows) == 1, Seq: r.OptionalNumber(table.AttrSeq),
	}
	if r.Err != nil {
		return Follow{}, fmt.Errorf("follow: %w", r.Err)
	}
	return f, nil
}

// decided reports whether the person of a row ever started or stopped following its thread.
func decided(item table.Item) bool { return item[table.AttrFollows] != nil }

// Projection writes the rows that follow from replies: their references, their thread in the
// room's list, and the follows of its people. It implements stream.Projection.
type Projection struct{ rows Store }

// NewProjection returns a projection.
func NewProjection(t *dynamo.Table) *Projection { return &Projection{NewStore(t)} }

// Project writes the rows of the replies that were created or deleted. Each write may be repeated,
// in any order: a reference is put once, and a deleted reply's reference is final; a thread only
// moves forward; and nobody who stopped following a thread follows it again.
//
// A reply after the first consumes about 1 write unit, for its reference. A reference that the
// thread's index shows costs 2. The other rows are read first, for half a read unit each. A new
// minute or a new follower costs 2 write units.
func (d *Projection) Project(ctx context.Context, w feed.RoomChanges) error {
	newest := map[Root]time.Time{}
	followers := map[Root]map[chat.UserID]int64{}
	for _, e := range w.Entries {
		m := e.Item.Message
		if m == nil || !m.IsReply() || e.Type != feed.ReplyCreated && e.Type != feed.MessageDeleted {
			continue
		}
		root := Root{w.Room, m.Thread}
		ref := Reference{
			Root: root, Reply: m.ID, ReceivedAt: m.ReceivedAt, ShowInRoom: m.ShowInRoom, Deleted: m.Deleted(),
		}
		if err := d.rows.PutReference(ctx, ref); err != nil {
			return err
		}
		if e.Type != feed.ReplyCreated {
			continue
		}
		if m.ReceivedAt.After(newest[root]) {
			newest[root] = m.ReceivedAt
		}
		if followers[root] == nil {
			followers[root] = map[chat.UserID]int64{}
		}
		// The root's author has not seen the reply, but the reply's author has.
		for user, seq := range map[chat.UserID]int64{m.Thread.User: e.Seq - 1, m.ID.User: e.Seq} {
			if _, ok := followers[root][user]; !ok {
				followers[root][user] = seq
			}
		}
	}
	return d.putThreads(ctx, newest, followers)
}

// putThreads writes the rows of threads, each once for a batch.
func (d *Projection) putThreads(
	ctx context.Context, newest map[Root]time.Time, followers map[Root]map[chat.UserID]int64,
) error {
	for root, at := range newest {
		if err := d.rows.PutThread(ctx, root, at); err != nil {
			return err
		}
		for user, seq := range followers[root] {
			if err := d.rows.PutFollower(ctx, Follow{Root: root, User: user, Following: true, Seq: seq}); err != nil {
				return err
			}
		}
	}
	return nil
}
