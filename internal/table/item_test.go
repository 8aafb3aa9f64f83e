package table_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// TestParseMessage_ReadsFiles pins the attribute of a message's files, and what a tombstone keeps of
// them: the ids, by which the bytes are removed.
func TestParseMessage_ReadsFiles(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("01890a5d-ac96-774b-bcce-b302099a8057")
	m := chat.Message{
		Room: "seattle", ID: chat.MessageID{UUID: id, User: "amsg"}, ReceivedAt: noon, Revision: 1, Attachments: []chat.Attachment{
			{ID: id, Name: "plan.png", Type: "image/png", Bytes: 48213, Width: 1280, Height: 720, Placeholder: []byte{1}, Alt: "The plan", Preview: true},
			{ID: uuid.UUID{1}, Name: "a.txt", Type: "text/plain", Bytes: 1},
		},
	}
	item := table.MessageItem(m, 0)
	const want = `[{"i":"01890a5d-ac96-774b-bcce-b302099a8057","n":"plan.png","t":"image/png","b":48213,"w":1280,"h":720,"p":"AQ==","a":"The plan","v":true},` +
		`{"i":"01000000-0000-0000-0000-000000000000","n":"a.txt","t":"text/plain","b":1}]`
	if got := table.KeyPart(item, "files"); got != want {
		t.Errorf("the attribute is\n%s\nwant\n%s", got, want)
	}
	got, err := table.ParseMessage(item)
	if d := cmp.Diff(m.Attachments, got.Attachments); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	deleted := m.Tombstone("bob", noon)
	const ids = `[{"i":"01890a5d-ac96-774b-bcce-b302099a8057"},{"i":"01000000-0000-0000-0000-000000000000"}]`
	if got := table.KeyPart(table.Buried(item, m, deleted), "files"); got != ids {
		t.Errorf("a restored tombstone has %s", got)
	}
	if got := table.KeyPart(table.MessageRevision(m, deleted).Values, ":files"); got != ids {
		t.Errorf("a tombstone has %s", got)
	}
	if found, err := table.ParseTally(item); err != nil || len(found.Attachments) != 2 {
		t.Errorf("the projection of files reads %+v, %v", found, err)
	}
}
