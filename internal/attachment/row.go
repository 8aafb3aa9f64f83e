package attachment

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/table"
)

// The attributes of an upload.
const (
	attrName         = "name"
	attrMediaType    = "media"
	attrBytes        = "bytes"
	attrSum          = "sum"
	attrWidth        = "width"
	attrHeight       = "height"
	attrPlaceholder  = "placeholder"
	attrAlt          = "alt"
	attrPreviewType  = "previewMedia"
	attrPreviewBytes = "previewBytes"
	attrPreviewSum   = "previewSum"
	attrMessage      = table.AttrUploadMessage
	attrLinks        = table.AttrUploadLinks
)

// item returns the item of an upload.
func (u Upload) item() table.Item {
	item := table.UploadKey(u.Room, u.User, u.ID)
	table.Stamp(item, table.UploadKind)
	item[attrName], item[attrMediaType] = table.Text(u.File.Name), table.Text(u.File.Type)
	item[attrBytes], item[attrSum] = table.Number(u.File.Bytes), table.Binary(u.Sum[:])
	if u.Message != (chat.MessageID{}) {
		item[attrMessage] = table.Text(u.Message.String())
	}
	if !u.Expires.IsZero() {
		item[table.TTL] = table.Number(u.Expires.Unix())
	}
	if !u.Links.IsZero() {
		item[attrLinks] = table.Number(u.Links.Unix())
	}
	if u.File.Width > 0 {
		item[attrWidth], item[attrHeight] = table.Number(int64(u.File.Width)), table.Number(int64(u.File.Height))
	}
	if len(u.File.Placeholder) > 0 {
		item[attrPlaceholder] = table.Binary(u.File.Placeholder)
	}
	if u.File.Alt != "" {
		item[attrAlt] = table.Text(u.File.Alt)
	}
	if p := u.Preview; p != nil {
		item[attrPreviewType], item[attrPreviewBytes] = table.Text(p.Type), table.Number(p.Bytes)
		item[attrPreviewSum] = table.Binary(p.SHA256[:])
	}
	return item
}

// Parse reads an item of an upload.
func Parse(item table.Item) (u Upload, err error) {
	r := table.Reader{Item: item}
	r.Expect(table.UploadKind)
	u.Room, _ = table.KindRows()[table.UploadKind].Room(item)
	u.ID, u.User, err = table.ParseUploadKey(item)
	r.Keep(err)
	u.File = chat.Attachment{
		Name: r.Text(attrName), Type: r.Text(attrMediaType), Bytes: r.Number(attrBytes),
		Width: int(r.OptionalNumber(attrWidth)), Height: int(r.OptionalNumber(attrHeight)),
		Alt:         r.OptionalText(attrAlt),
		Placeholder: r.OptionalBytes(attrPlaceholder),
	}
	copy(u.Sum[:], r.OptionalBytes(attrSum))
	if preview := r.OptionalText(attrPreviewType); preview != "" {
		u.Preview = &bucket.File{Type: preview, Bytes: r.Number(attrPreviewBytes)}
		copy(u.Preview.SHA256[:], r.OptionalBytes(attrPreviewSum))
	}
	if text := r.OptionalText(attrMessage); text != "" {
		u.Message, err = chat.ParseMessageID(text)
		r.Keep(err)
	}
	if expires := r.OptionalNumber(table.TTL); expires > 0 {
		u.Expires = time.Unix(expires, 0).UTC()
	}
	if links := r.OptionalNumber(attrLinks); links > 0 {
		u.Links = time.Unix(links, 0).UTC()
	}
	if r.Err != nil {
		return Upload{}, fmt.Errorf("upload: %w", r.Err)
	}
	return u, nil
}

// Results of create.
const (
	created = -1
	exists  = 0 // the upload's own condition did not hold
)

// create stores a new upload and counts it, within the limits of a day. It is one transaction: 4
// write units. It returns created, exists, or another number if a limit is exceeded.
func create(ctx context.Context, t *dynamo.Table, u Upload, l Limits, now time.Time) (int, error) {
	count := countUpload(u.File.Bytes, l.DayBytes-u.File.Bytes, l.DayFiles, now.Add(pendingLife))
	return t.TransactIf(ctx, "create upload", t.PutNew(u.item()), t.Update(table.UploadsKey(u.User, now), count))
}

// read returns uploads in the order of their ids; nil for one that does not exist.
func read(
	ctx context.Context, t *dynamo.Table, room chat.RoomID, user chat.UserID, ids []uuid.UUID,
) ([]*Upload, error) {
	keys := make([]table.Item, len(ids))
	for i, id := range ids {
		keys[i] = table.UploadKey(room, user, id)
	}
	items, err := t.BatchGet(ctx, "read uploads", keys, dynamo.Strong)
	if err != nil {
		return nil, err
	}
	all := make([]*Upload, len(ids))
	for i, item := range items {
		if item == nil {
			continue
		}
		u, err := Parse(item)
		if err != nil {
			return nil, err
		}
		all[i] = &u
	}
	return all, nil
}

// assign gives an upload to a message, unless another message has it. ok is false if another one
// has, or if the upload is gone. It consumes 1 write unit.
func assign(ctx context.Context, t *dynamo.Table, u Upload, to chat.MessageID) (ok bool, err error) {
	_, failed, err := t.UpdateItem(ctx, "assign upload", table.UploadKey(u.Room, u.User, u.ID), table.Update{
		Expression: "SET #message = :message",
		Condition:  "attribute_exists(PK) AND (attribute_not_exists(#message) OR #message = :message)",
		Names:      map[string]string{"#message": attrMessage},
		Values:     table.Item{":message": table.Text(to.String())},
	})
	return err == nil && !failed, err
}

// extend states that the links to send an upload expire at u.Links. ok is false if the upload is
// gone. It consumes 1 write unit.
func extend(ctx context.Context, t *dynamo.Table, u Upload) (ok bool, err error) {
	_, failed, err := t.UpdateItem(ctx, "extend upload", table.UploadKey(u.Room, u.User, u.ID), table.Update{
		Expression: "SET #links = :links",
		Condition:  "attribute_exists(PK)",
		Names:      map[string]string{"#links": attrLinks},
		Values:     table.Item{":links": table.Number(u.Links.Unix())},
	})
	return err == nil && !failed, err
}

// putBack stores an upload that was removed, unless there is one. It consumes 1 write unit.
func putBack(ctx context.Context, t *dynamo.Table, u Upload) error {
	// An update and no put, because the feed function may only change items of a room.
	update := table.Update{Condition: "attribute_not_exists(PK)", Names: map[string]string{}, Values: table.Item{}}
	item, key := u.item(), table.UploadKey(u.Room, u.User, u.ID)
	for _, name := range slices.Sorted(maps.Keys(item)) {
		if key[name] == nil {
			update.Names["#"+name], update.Values[":"+name] = name, item[name]
			update.Expression += ", #" + name + " = :" + name
		}
	}
	update.Expression = "SET " + strings.TrimPrefix(update.Expression, ", ")
	_, _, err := t.UpdateItem(ctx, "put upload back", key, update)
	return err
}

// keep lets an upload last as long as its message. It changes nothing if the upload is gone or
// belongs to another message. It consumes 1 write unit.
func keep(ctx context.Context, t *dynamo.Table, room chat.RoomID, id chat.MessageID, upload uuid.UUID) error {
	_, _, err := t.UpdateItem(ctx, "keep upload", table.UploadKey(room, id.User, upload), table.Update{
		Expression: "REMOVE #ttl",
		Condition:  "attribute_exists(#ttl) AND #message = :message",
		Names:      map[string]string{"#message": attrMessage, "#ttl": table.TTL},
		Values:     table.Item{":message": table.Text(id.String())},
	})
	return err
}

// countUpload counts a file of a person in a day, if fewer than files are counted and no more
// than before bytes. The count expires.
func countUpload(size, before int64, files int, expires time.Time) table.Update {
	return table.Update{
		Expression: "SET #ttl = :ttl ADD #files :one, #bytes :size",
		Condition:  "attribute_not_exists(#files) OR #files < :most AND #bytes <= :before",
		Names:      map[string]string{"#ttl": table.TTL, "#files": "files", "#bytes": "bytes"},
		Values: table.Item{
			":ttl": table.Number(expires.Unix()),
			":one": table.Number(1), ":size": table.Number(size), ":most": table.Number(int64(files)),
			":before": table.Number(before),
		},
	}.Stamped(table.UploadsKind)
}
