package model

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"example.com/parley/internal/attachment"
	"example.com/parley/internal/bucket"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/table"
)

const (
	uploadLife = 48 * time.Hour
	lastHour   = time.Hour
)

// upload is a file that a person announced.
type upload struct {
	room    *room
	user    chat.UserID
	draft   attachment.Draft
	text    string         // its bytes
	message chat.MessageID // that it was given to
	expires time.Time      // zero once the feed function has seen its message
	row     bool           // it is in the table
	sent    bool           // its bytes are in the bucket
}

// shown returns the upload as its message has it.
func (u *upload) shown() chat.Attachment {
	a := u.draft.File
	a.ID, a.Preview = u.draft.ID, u.draft.Preview != nil
	return a
}

// keys returns the keys of the upload's bytes.
func (u *upload) keys() []string {
	all := []string{attachment.FileKey(u.room.id, u.user, u.draft.ID)}
	if u.draft.Preview != nil {
		all = append(all, attachment.PreviewKey(u.room.id, u.user, u.draft.ID))
	}
	return all
}

// owned reports whether a message has the upload and is not deleted.
func (u *upload) owned() bool {
	m := u.room.find(u.message)
	return m != nil && !m.isDeleted() && slices.Contains(m.files, u)
}

// uploadOf returns an upload that is in the table, or nil.
func (m *model) uploadOf(in chat.RoomID, user chat.UserID, id uuid.UUID) *upload {
	i := slices.IndexFunc(m.uploads, func(u *upload) bool { return u.room.id == in && u.user == user && u.draft.ID == id && u.row })
	if i < 0 {
		return nil
	}
	return m.uploads[i]
}

// attach gives uploads to a message.
func (m *model) attach(r *room, id chat.MessageID, ids []uuid.UUID) (files []*upload, denied refusal) {
	for _, one := range ids {
		u := m.uploadOf(r.id, id.User, one)
		if u == nil || u.message != (chat.MessageID{}) && u.message != id || !u.expires.IsZero() && (m.clock().After(u.expires.Add(-lastHour)) || !u.sent) {
			return nil, refused(chat.Invalid)
		}
		files = append(files, u)
	}
	for _, u := range files {
		u.message = id
	}
	return files, refusal{}
}

// hasFiles reports whether a message was posted with these uploads.
func (m *message) hasFiles(ids []uuid.UUID) bool {
	return slices.EqualFunc(m.files, ids, func(u *upload, id uuid.UUID) bool { return u.draft.ID == id })
}

// keep keeps the uploads of a message that the feed function receives, or removes them with it.
func (m *message) keep() {
	for _, u := range m.files {
		switch {
		case !u.row:
		case !m.isDeleted():
			u.expires = time.Time{}
		default:
			u.row = false
		}
	}
}

// uploadRemoved does what follows from the removal of an upload.
func (m *model) uploadRemoved(u *upload) {
	if u.owned() {
		u.row, u.expires = true, time.Time{}
		return
	}
	if !u.row {
		u.sent = false
	}
}

// upload announces a file, or announces one again, and usually sends its bytes.
func (w *world) upload() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Post)
	u := &upload{user: caller, text: w.randomText(), row: true, expires: w.model.now().Add(uploadLife).Truncate(time.Second)}
	if u.text == "" {
		u.text = "x"
	}
	u.draft = attachment.Draft{ID: chat.NewUUID(w.model.now(), [10]byte{byte(w.texts >> 16), byte(w.texts >> 8), byte(w.texts)}), Sum: sha256.Sum256([]byte(u.text))}
	u.draft.File = chat.Attachment{Name: fmt.Sprintf("file %d.txt", w.texts), Type: "text/plain", Bytes: int64(len(u.text))}
	if w.percent(30) {
		u.draft.File.Width, u.draft.File.Height, u.draft.File.Alt, u.draft.File.Placeholder = 4, 3, "a picture", []byte{1, 2}
		u.draft.Preview = &bucket.File{Type: "image/webp", Bytes: u.draft.File.Bytes, SHA256: u.draft.Sum}
	}
	r, denied := w.model.enter(caller, in, policy.Post)
	earlier := slices.DeleteFunc(slices.Clone(w.model.uploads), func(u *upload) bool { return !u.row || u.room.id != in || u.user != caller })
	retry := len(earlier) > 0 && w.percent(40)
	if retry {
		u = oneOf(w, earlier...)
	}
	w.note("%s announces %s to %s, again: %t", caller, u.draft.ID, in, retry)
	created, replay, err := w.service(in).Files.Create(w.ctx, caller, in, u.draft)
	if err := w.agree(answer{Refusal: denied, Flag: retry}, answer{Refusal: refusalOf(err), Flag: replay}); err != nil || denied != (refusal{}) {
		return err
	}
	if !retry {
		u.room = r
		w.model.uploads = append(w.model.uploads, u)
	}
	if w.percent(20) {
		return nil // the bytes are sent after another announcement, or never
	}
	return w.sendBytes(u, created)
}

// sendBytes sends the bytes of an upload, after some others.
func (w *world) sendBytes(u *upload, created attachment.Created) error {
	want := http.StatusOK
	if u.sent {
		want = http.StatusPreconditionFailed
	}
	if w.percent(10) && !u.sent {
		if status := w.bucket.Send(w.t, created.Put, []byte(strings.Repeat("z", len(u.text)))); status != http.StatusBadRequest {
			return fmt.Errorf("other bytes are answered with %d", status)
		}
	}
	for _, link := range []*bucket.Link{&created.Put, created.Preview} {
		if link == nil {
			continue
		}
		if status := w.bucket.Send(w.t, *link, []byte(u.text)); status != want {
			return fmt.Errorf("the bytes of %s are answered with %d, want %d", u.draft.ID, status, want)
		}
	}
	u.sent = true
	return nil
}

// randomFiles returns uploads for a message, which it usually may have.
func (w *world) randomFiles(in chat.RoomID, caller chat.UserID) (ids []uuid.UUID) {
	if w.percent(60) {
		return nil
	}
	careless := w.percent(10)
	for _, u := range w.model.uploads {
		if len(ids) < 3 && w.percent(70) && u.room.id == in && (careless || u.row && u.user == caller && u.message == (chat.MessageID{}) && u.sent) {
			ids = append(ids, u.draft.ID)
		}
	}
	return ids
}

// links asks for the links to the files of messages, and reads the files.
func (w *world) links() error {
	in := w.randomRoom()
	caller := w.randomUser(in, policy.Read)
	var ids []chat.MessageID
	for range 1 + w.rand.IntN(5) {
		if m := w.randomMessage(in); m != nil && !slices.Contains(ids, m.id) {
			ids = append(ids, m.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	w.note("%s asks for the links of %v in %s", caller, ids, in)
	r, denied := w.model.enter(caller, in, policy.Read)
	var want, got []string
	texts := map[string]string{}
	if denied == (refusal{}) {
		for _, id := range ids {
			for _, u := range r.find(id).linked() {
				line := fmt.Sprintf("%s %s %t", id, u.draft.ID, u.draft.Preview != nil)
				want, texts[line] = append(want, line), u.text
			}
		}
	}
	links, err := w.service(in).Files.Links(w.ctx, caller, in, attachment.LinkQuery{Messages: ids})
	for _, l := range links {
		line := fmt.Sprintf("%s %s %t", l.Message, l.ID, l.Preview != "")
		got = append(got, line)
		for _, address := range []string{l.URL, l.Preview} {
			if address == "" {
				continue
			}
			if answer := w.bucket.Get(address); answer.Code != http.StatusOK || answer.Body.String() != texts[line] {
				return fmt.Errorf("the file %s is answered with %d", line, answer.Code)
			}
		}
	}
	return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
}

// linked returns the files to which there are links.
func (m *message) linked() []*upload {
	if m.isDeleted() {
		return nil
	}
	return m.files
}

// files lists the files of a room page by page.
func (w *world) files() error {
	in := w.randomRoom()
	caller, limit := w.randomUser(in, policy.Read), 1+w.rand.IntN(20)
	w.note("%s lists the files of %s", caller, in)
	_, denied := w.model.enter(caller, in, policy.Read)
	var want, got []string
	if denied == (refusal{}) {
		for _, u := range w.model.uploads {
			if u.room.id == in && u.row && u.owned() {
				want = append(want, fmt.Sprintf("%s~%s of %s: %+v", u.draft.ID, u.user, u.message, u.shown()))
			}
		}
	}
	slices.Sort(want)
	slices.Reverse(want)
	for cursor := ""; ; {
		page, err := w.service(in).Files.Files(w.ctx, caller, in, chat.PageRequest{Limit: limit, Cursor: cursor})
		for _, f := range page.Items {
			got = append(got, fmt.Sprintf("%s~%s of %s: %+v", f.ID, f.Message.User, f.Message, f.Attachment))
		}
		if cursor = page.Next; err != nil || cursor == "" {
			return w.agree(answer{Refusal: denied, Given: want}, answer{Refusal: refusalOf(err), Given: got})
		}
	}
}

// expireUploads removes expired uploads, and spares a percentage of them.
func (w *world) expireUploads(spared int) error {
	for _, u := range w.model.uploads {
		if !u.row || u.expires.IsZero() || !u.expires.Before(w.clock.now()) || w.percent(spared) {
			continue
		}
		key := table.UploadKey(u.room.id, u.user, u.draft.ID)
		if _, err := w.client.DeleteItem(w.ctx, &dynamodb.DeleteItemInput{TableName: aws.String(tableName), Key: key}); err != nil {
			return err
		}
		u.row = false
		w.model.events = append(w.model.events, event{room: u.room, row: true, upload: u})
	}
	w.readStream()
	return nil
}

// compareFiles expires what no message has. Then the bucket and the table have the same files, and
// every message has its own.
func (w *world) compareFiles() error {
	w.clock.advance(uploadLife + 2*time.Second)
	if err := w.expireUploads(0); err != nil {
		return err
	}
	if err := w.deliverAll(); err != nil {
		return err
	}
	var want, rows []string
	for _, u := range w.model.uploads {
		if u.owned() && (!u.row || !u.sent) {
			return fmt.Errorf("the message %s lacks its file %s in the model", u.message, u.draft.ID)
		}
		if u.row != u.sent {
			return fmt.Errorf("the row and the bytes of %s differ: %t and %t", u.draft.ID, u.row, u.sent)
		}
		if u.row {
			want = append(want, u.keys()...)
		}
	}
	out, err := w.client.Scan(w.ctx, &dynamodb.ScanInput{
		TableName: aws.String(tableName), FilterExpression: aws.String("#type = :upload"),
		ExpressionAttributeNames: map[string]string{"#type": table.AttrType}, ExpressionAttributeValues: table.Item{":upload": table.Text(table.UploadKind)},
	})
	if err != nil || out.LastEvaluatedKey != nil {
		return fmt.Errorf("scan: %w", err)
	}
	for _, item := range out.Items {
		u, err := attachment.Parse(item)
		if err != nil {
			return err
		}
		found := w.model.uploadOf(u.Room, u.User, u.ID)
		if found == nil {
			return fmt.Errorf("there is an upload %s", u.ID)
		}
		rows = append(rows, found.keys()...)
	}
	slices.Sort(want)
	slices.Sort(rows)
	if got := w.bucket.Keys(w.t); !slices.Equal(got, want) || !slices.Equal(rows, want) {
		return fmt.Errorf("the bucket has %q, the table %q, the model %q", got, rows, want)
	}
	return nil
}

// loseAssignments is a fault of calls: uploads do not know their message.
func loseAssignments(input any) any {
	if update, ok := input.(*dynamodb.UpdateItemInput); ok && aws.ToString(update.UpdateExpression) == "SET #message = :message" {
		return &dynamodb.UpdateItemOutput{}
	}
	return nil
}

// keepUploads is a fault of calls: uploads are not removed.
func keepUploads(input any) any {
	if d, ok := input.(*dynamodb.DeleteItemInput); ok && strings.HasPrefix(table.SortKeyOf(d.Key), table.UploadPrefix) {
		return &dynamodb.DeleteItemOutput{}
	}
	return nil
}
