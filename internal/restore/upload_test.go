package restore_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/restore"
	"example.com/parley/internal/table"
)

// TestCopy_OfUploads puts back the upload of a message. The bytes of a deleted message are gone, and
// an upload without a message may have lost its bytes.
func TestCopy_OfUploads(t *testing.T) {
	t.Parallel()
	s := begin(t)
	kept, gone := s.post("ann", "seattle"), s.post("ann", "seattle")
	s.remove("ann", gone)
	s.pump()
	put := func(n byte, message chat.MessageID) string {
		item := table.UploadKey("seattle", "ann", chat.NewUUID(s.now, [10]byte{n}))
		table.Stamp(item, table.UploadKind)
		item["name"], item["media"], item["bytes"] = table.Text("plan.png"), table.Text("image/png"), table.Number(1)
		if message != (chat.MessageID{}) {
			item[table.AttrUploadMessage] = table.Text(message.String())
		}
		if _, err := s.db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("restored"), Item: item}); err != nil {
			t.Fatal(err)
		}
		return table.KeyText(item)
	}
	want := put(1, kept.ID)
	put(2, gone.ID)
	put(3, chat.MessageID{})
	counts := s.copied(s.options("restored", "old", s.point))
	if counts[table.UploadKind][restore.Put] != 1 || counts[table.UploadKind][restore.Skipped] != 2 {
		t.Errorf("the counts are %v", counts)
	}
	var found []string
	for _, item := range s.items("old") {
		if table.KindOf(item) == table.UploadKind {
			found = append(found, table.KeyText(item))
		}
	}
	if len(found) != 1 || found[0] != want {
		t.Errorf("there are the uploads %q, want %q", found, want)
	}
}
