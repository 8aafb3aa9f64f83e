package wire

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"parley/internal/chat"
)

// Message is a message as the API shows it.
type Message struct {
	ID         string   `json:"id" doc:"The sender's UUID, ~, and the sender" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	Room       string   `json:"room" example:"seattle"`
	User       string   `json:"user" doc:"The sender" example:"amsg"`
	Text       string   `json:"text"`
	Metadata   Metadata `json:"metadata,omitzero"`
	SentAt     string   `json:"sentAt" format:"date-time" doc:"The time in the id"`
	ReceivedAt string   `json:"receivedAt" format:"date-time" doc:"When the server received it; orders the room"`
	Revision   int      `json:"revision" doc:"1, and one more with each edit and with the deletion. In quotes it is the ETag" example:"1"`
	EditedAt   string   `json:"editedAt,omitempty" format:"date-time" doc:"When the text or the metadata was last replaced"`
	DeletedAt  string   `json:"deletedAt,omitempty" format:"date-time" doc:"When it was deleted; its text is then empty, and it has no metadata"`
	DeletedBy  string   `json:"deletedBy,omitempty" doc:"The user who deleted it" example:"bob"`
	Via        string   `json:"via,omitempty" doc:"The service that wrote the text on the sender's behalf" example:"helpdesk"`
	Blocked    bool     `json:"blocked,omitzero" doc:"The caller has blocked the sender"`
}

// MessageOf returns the form of a message.
func MessageOf(m chat.Message) Message {
	b := Message{
		ID: m.ID.String(), Room: string(m.Room), User: string(m.ID.User), Text: m.Text, Metadata: Metadata(m.Metadata),
		SentAt: TimeText(m.SentAt()), ReceivedAt: TimeText(m.ReceivedAt), Revision: m.Revision, Via: string(m.Via),
	}
	if !m.EditedAt.IsZero() {
		b.EditedAt = TimeText(m.EditedAt)
	}
	if m.Deleted() {
		b.DeletedAt, b.DeletedBy = TimeText(m.DeletedAt), string(m.DeletedBy)
	}
	return b
}

// Metadata is the JSON object that a client attached to something. The zero value means that there
// is none; a field of this type has the tag omitzero.
type Metadata string

// MarshalJSONTo writes the object.
func (m Metadata) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteValue(jsontext.Value(m))
}

// UnmarshalJSONFrom reads any JSON value as it is. The service checks it.
func (m *Metadata) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	*m = Metadata(v)
	return err
}

// Given returns what a client gave for an optional object: nil for none.
func (m Metadata) Given() *string {
	if m == "" {
		return nil
	}
	return new(string(m))
}

// timeLayout is RFC 3339 in UTC with milliseconds, always of one width.
const timeLayout = "2006-01-02T15:04:05.000Z"

// TimeText returns the form of a time.
func TimeText(t time.Time) string { return t.UTC().Format(timeLayout) }
