package httpapi

import (
	"context"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
)

// messageBody is a message as the API shows it.
type messageBody struct {
	_ struct{} `additionalProperties:"true"`

	ID         string `json:"id" doc:"The sender's UUID, ~, and the sender" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	Room       string `json:"room" example:"seattle"`
	User       string `json:"user" doc:"The sender" example:"amsg"`
	Text       string `json:"text"`
	SentAt     string `json:"sentAt" format:"date-time" doc:"The time in its id"`
	ReceivedAt string `json:"receivedAt" format:"date-time" doc:"When the server received it; orders the room"`
	Revision   int    `json:"revision" doc:"1, and one more with each edit and with the deletion. In quotes it is the ETag" example:"1"`
	EditedAt   string `json:"editedAt,omitempty" format:"date-time" doc:"When the text was last replaced"`
	DeletedAt  string `json:"deletedAt,omitempty" format:"date-time" doc:"When it was deleted; its text is then empty"`
	DeletedBy  string `json:"deletedBy,omitempty" doc:"Who deleted it" example:"bob"`
}

func messageOf(m chat.Message) messageBody {
	b := messageBody{
		ID: m.ID.String(), Room: string(m.Room), User: string(m.ID.User), Text: m.Text,
		SentAt: timeText(m.SentAt()), ReceivedAt: timeText(m.ReceivedAt), Revision: m.Revision,
	}
	if !m.EditedAt.IsZero() {
		b.EditedAt = timeText(m.EditedAt)
	}
	if m.Deleted() {
		b.DeletedAt, b.DeletedBy = timeText(m.DeletedAt), string(m.DeletedBy)
	}
	return b
}

type postMessageInput struct {
	RoomPath
	Body struct {
		ID   *string `json:"id,omitempty" doc:"A UUIDv7 made once for the message and repeated on every retry, which then posts it once. Its time may be 24 hours old and 2 seconds ahead. The message's full id, <uuid>~<user>, does too, where the user is the caller" example:"01890a5d-ac96-774b-bcce-b302099a8057"`
		Text string  `json:"text" minLength:"1" maxLength:"32768" doc:"1 to 32768 bytes of UTF-8"`
	}
}

type postMessageOutput struct {
	Status   int
	Replay   string `header:"Idempotent-Replay" doc:"true for a retry of a message that was stored"`
	Location string `header:"Location" doc:"The message's own path"`
	ETag     string `header:"ETag" doc:"The revision in quotes, for If-Match"`
	Body     messageBody
}

func postMessageOperation() operation {
	return define(Write, huma.Operation{
		OperationID: "post-message", Method: http.MethodPost, Path: "/rooms/{room}/messages",
		Summary: "Post a message",
		Description: "201 with the stored message. A retry with the same id and text answers 200 and the header " +
			"Idempotent-Replay: true, with the message in its current state, even after an edit or a deletion. 409 (conflict) when the id was used for another text, 409 (clock-skew, with the server's " +
			"time) when the id's time is out of bounds.",
		Tags:          []string{"messages"},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "A retry: the message in its current state"}},
	}, postMessage)
}

func postMessage(ctx context.Context, s *server, caller chat.UserID, in *postMessageInput) (*postMessageOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	draft := chat.Draft{Text: in.Body.Text}
	if in.Body.ID != nil {
		if draft.UUID, err = chat.ParseOwnMessageID(caller, *in.Body.ID); err != nil {
			return nil, err
		}
	}
	m, replay, err := s.service.Send(ctx, caller, room, draft)
	if err != nil {
		return nil, err
	}
	out := &postMessageOutput{Status: http.StatusCreated, ETag: etag(m.Revision), Body: messageOf(m)}
	out.Location = "/rooms/" + string(room) + "/messages/" + url.PathEscape(m.ID.String())
	if replay {
		out.Status, out.Replay = http.StatusOK, "true"
	}
	return out, nil
}

// MessagePath is the part of a path that names a message. It is exported for huma, as
// RoomPath is.
type MessagePath struct {
	RoomPath
	ID string `path:"id" doc:"<uuid>~<user>" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
}

func (p MessagePath) parse() (room chat.RoomID, id chat.MessageID, err error) {
	if room, err = chat.ParseRoomID(p.Room); err != nil {
		return "", chat.MessageID{}, err
	}
	id, err = chat.ParseMessageID(p.ID)
	return room, id, err
}

type messageOutput struct {
	ETag string `header:"ETag" doc:"The revision in quotes, for If-Match"`
	Body messageBody
}

func getMessageOperation() operation {
	return define(Read, huma.Operation{
		OperationID: "get-message", Method: http.MethodGet, Path: "/rooms/{room}/messages/{id}",
		Summary: "Get a message",
		Tags:    []string{"messages"},
	}, getMessage)
}

func getMessage(ctx context.Context, s *server, caller chat.UserID, in *MessagePath) (*messageOutput, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	m, err := s.service.Message(ctx, caller, room, id)
	if err != nil {
		return nil, err
	}
	return &messageOutput{ETag: etag(m.Revision), Body: messageOf(m)}, nil
}
