package table

import (
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

// storedAttachment is an attachment in the attribute of its message. The names are short, because
// DynamoDB bills them.
type storedAttachment struct {
	ID          uuid.UUID `json:"i"`
	Name        string    `json:"n,omitzero"`
	Type        string    `json:"t,omitzero"`
	Bytes       int64     `json:"b,omitzero"`
	Width       int       `json:"w,omitzero"`
	Height      int       `json:"h,omitzero"`
	Placeholder []byte    `json:"p,omitempty"`
	Alt         string    `json:"a,omitzero"`
	Preview     bool      `json:"v,omitzero"`
}

// attachmentsText returns the attribute of a message's attachments.
func attachmentsText(all []chat.Attachment) types.AttributeValue {
	stored := make([]storedAttachment, len(all))
	for i, a := range all {
		stored[i] = storedAttachment(a)
	}
	text, _ := json.Marshal(stored) // of texts, numbers and truth values
	return Text(string(text))
}

// attachments reads the attachments of a message. After a deletion they have only their ids.
func (r *Reader) attachments() []chat.Attachment {
	text := r.OptionalText(attrAttachments)
	if text == "" {
		return nil
	}
	var stored []storedAttachment
	r.Keep(json.Unmarshal([]byte(text), &stored))
	all := make([]chat.Attachment, len(stored))
	for i, a := range stored {
		all[i] = chat.Attachment(a)
	}
	return all
}
