package httpapi

import (
	"context"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/wire"
)

type postMessageInput struct {
	RoomPath
	KeyHeader
	Body struct {
		ID          *string    `json:"id,omitempty" format:"own-message-id" doc:"A UUIDv7, generated once for the message. A retry with the same id posts the message once. Its time may be 24 hours old and 2 seconds ahead. The full id, <uuid>~<user>, is accepted too if the user is the caller" example:"01890a5d-ac96-774b-bcce-b302099a8057"`
		Text        string     `json:"text" maxLength:"32768" doc:"1 to 32768 bytes of UTF-8; with attachments it may be empty"`
		Metadata    metadata   `json:"metadata,omitzero"`
		Thread      *string    `json:"thread,omitempty" format:"message-id" doc:"The message to reply to, which must not be a reply itself. The room does not list replies; list-replies does" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
		ShowInRoom  bool       `json:"showInRoom,omitzero" doc:"The room lists the reply too"`
		Quote       *string    `json:"quote,omitempty" format:"message-id" doc:"The id of a message of the same room, which the message quotes" example:"01890a5d-ac96-774b-bcce-b302099a8057~bob"`
		Poll        *pollGiven `json:"poll,omitempty" doc:"Makes the message a poll, whose question is the text. It never changes"`
		Attachments []string   `json:"attachments,omitempty" format:"uuidv7" nullable:"false" maxItems:"20" doc:"The ids of uploads of the caller in this room, in order. See post-upload" example:"[\"01890a5d-ac96-774b-bcce-b302099a8058\"]"`
		MentionsGiven
	}
}

type postMessageOutput struct {
	Status   int
	Replay   string `header:"Idempotent-Replay" doc:"true for a retry of a message that was stored"`
	Location string `header:"Location" doc:"The message's own path"`
	ETag     string `header:"ETag" doc:"The revision in quotes, for If-Match"`
	Body     wire.Message
}

func postMessageOperation() operation {
	return define(Write, messagePrice, huma.Operation{
		OperationID: "post-message", Method: http.MethodPost, Path: "/rooms/{room}/messages",
		Summary: "Post a message",
		Description: "201 with the stored message. A retry with the same id and content answers 200 and the header " +
			"Idempotent-Replay: true, with the message in its current state, even after an edit or a deletion. 409 " +
			"(conflict) when the id was used for other content, 409 (clock-skew, with the server's time) when the " +
			"time in the id is out of bounds. A reply to an unknown message, or to a reply, is refused (422), and " +
			"the detail names the root of the latter's thread. 409 when the root is deleted. An attachment that is " +
			"not an upload of the caller, that another message has or whose bytes were not sent is refused (422).",
		Tags:          []string{"messages"},
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "A retry: the message in its current state"}},
	}, postMessage)
}

func postMessage(ctx context.Context, s *server, caller chat.UserID, in *postMessageInput) (*postMessageOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	draft := chat.MessageDraft{Text: in.Body.Text, Metadata: string(in.Body.Metadata), ShowInRoom: in.Body.ShowInRoom}
	if draft.Mentions, err = in.Body.mentions(); err != nil {
		return nil, err
	}
	if in.Body.ID != nil {
		if draft.UUID, err = chat.ParseOwnMessageID(caller, *in.Body.ID); err != nil {
			return nil, err
		}
	}
	if draft.UUID, err = in.key(draft.UUID); err != nil {
		return nil, err
	}
	if in.Body.Thread != nil {
		if draft.Thread, err = chat.ParseMessageID(*in.Body.Thread); err != nil {
			return nil, chat.InField("thread", err)
		}
	}
	if in.Body.Quote != nil {
		if draft.Quote, err = chat.ParseMessageID(*in.Body.Quote); err != nil {
			return nil, chat.InField("quote", err)
		}
	}
	if draft.Poll, err = in.Body.Poll.poll(); err != nil {
		return nil, err
	}
	if draft.Attachments, err = uploadIDs(in.Body.Attachments); err != nil {
		return nil, err
	}
	m, replay, err := s.service.PostMessage(ctx, caller, room, draft)
	if err != nil {
		return nil, err
	}
	bodies, err := s.messagesFor(ctx, caller, m)
	if err != nil {
		return nil, err
	}
	out := &postMessageOutput{Status: http.StatusCreated, ETag: etag(m.Revision), Body: bodies[0]}
	out.Location = "/rooms/" + string(room) + "/messages/" + url.PathEscape(m.ID.String())
	if replay {
		out.Status, out.Replay = http.StatusOK, "true"
	}
	return out, nil
}

// MessagePath is the part of a path that names a message. It is exported for huma, like RoomPath.
type MessagePath struct {
	RoomPath
	ID string `path:"id" format:"message-id" doc:"<uuid>~<user>" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
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
	Body wire.Message
}

func getMessageOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-message", Method: http.MethodGet, Path: "/rooms/{room}/messages/{id}",
		Summary:     "Get a message",
		Description: "The message in its current state; a deleted one has an empty text.",
		Tags:        []string{"messages"},
		Errors:      []int{http.StatusNotFound},
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
	bodies, err := s.readMessages(ctx, caller, true, m)
	if err != nil {
		return nil, err
	}
	return &messageOutput{ETag: etag(m.Revision), Body: bodies[0]}, nil
}

type listMessagesInput struct {
	RoomPath
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"The most messages in the answer"`
	Cursor string `query:"cursor" format:"cursor" doc:"next or prev of an answer to the same query"`
	Order  string `query:"order" enum:"asc,desc" doc:"asc is oldest first. Default: the cursor's, or desc"`
	User   string `query:"user" format:"user-id" doc:"Only the messages of this user. Times then mean sentAt, otherwise receivedAt" example:"amsg"`
	At     string `query:"at" format:"time-prefix" doc:"A prefix of the time in UTC, from the year to the second: 2018, 2018-08, 2018-08-29:12 … Excludes from and to" example:"2018-08-29:12"`
	From   string `query:"from" format:"instant" doc:"Messages at or after this time (RFC 3339)"`
	To     string `query:"to" format:"instant" doc:"Messages before this time (RFC 3339)"`
	Around string `query:"around" format:"message-id" doc:"A message id: the messages before and after it, newest first. Excludes all but limit"`
	Before string `query:"before" format:"message-id" doc:"A message id: the messages older than it, newest first. Excludes all but user and limit"`
	After  string `query:"after" format:"message-id" doc:"A message id: the messages newer than it, oldest first. Excludes all but user and limit"`
	PeopleQuery
}

type listMessagesOutput struct {
	Body struct {
		Items  []wire.Message      `json:"items"`
		Next   string              `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
		Prev   string              `json:"prev,omitempty" doc:"With around: the cursor of newer messages, oldest first; absent when there are none"`
		People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
		Since  string              `json:"since" doc:"The position in the room's feed from which a client that holds this page misses no change: pass it to list-changes" example:"AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA"`
	}
}

func listMessagesOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-messages", Method: http.MethodGet, Path: "/rooms/{room}/messages",
		Summary: "List messages",
		Description: "Newest first by default. A page holds at most limit messages and ends early at 1 MB. With a " +
			"cursor it may also hold up to a quarter fewer: the list ends where next is absent, and not with a short " +
			"page. at excludes from and to; around excludes all but limit. before and after begin at the message " +
			"next to the given one, for a client that has no cursor there. They exclude all parameters except user " +
			"and limit, and next continues in their order. include works with every parameter. cursor must come with " +
			"the parameters of the query that returned it, and is refused with another room or query (400).",
		Tags:   []string{"messages"},
		Errors: []int{http.StatusNotFound},
	}, listMessages)
}

func listMessages(
	ctx context.Context, s *server, caller chat.UserID, in *listMessagesInput,
) (*listMessagesOutput, error) {
	q, err := in.query()
	if err != nil {
		return nil, err
	}
	page, err := s.service.Messages(ctx, caller, q)
	if err != nil {
		return nil, err
	}
	out := &listMessagesOutput{}
	if out.Body.Items, err = s.readMessages(ctx, caller, q.User == "", page.Items...); err != nil {
		return nil, err
	}
	out.Body.Next, out.Body.Prev = page.Next, page.Prev
	out.Body.Since = page.Since.Text(q.Room)
	out.Body.People, err = in.people(ctx, s, usersOfMessages(page.Items))
	return out, err
}

// query parses the parameters. The domain decides whether they may be combined.
func (in *listMessagesInput) query() (q chat.MessageQuery, err error) {
	q = chat.MessageQuery{At: in.At, Cursor: in.Cursor, Limit: in.Limit}
	if q.Room, err = chat.ParseRoomID(in.Room); err != nil {
		return q, err
	}
	if in.User != "" {
		if q.User, err = chat.ParseSenderID(in.User); err != nil {
			return q, hintPlus(err, in.User)
		}
	}
	q.Order = orderOf(in.Order)
	if q.From, err = parseTime("from", in.From); err != nil {
		return q, err
	}
	if q.To, err = parseTime("to", in.To); err != nil {
		return q, err
	}
	if q.Around, err = optionalMessageID("around", in.Around); err != nil {
		return q, err
	}
	if q.Before, err = optionalMessageID("before", in.Before); err != nil {
		return q, err
	}
	q.After, err = optionalMessageID("after", in.After)
	return q, err
}

// orderOf parses the parameter order. It returns nil if the parameter is absent.
func orderOf(text string) *chat.Order {
	order := chat.Newest
	switch text {
	case "":
		return nil
	case "asc":
		order = chat.Oldest
	}
	return &order
}

// optionalMessageID parses a parameter that may be absent.
func optionalMessageID(field, text string) (*chat.MessageID, error) {
	if text == "" {
		return nil, nil
	}
	id, err := chat.ParseMessageID(text)
	if err != nil {
		return nil, chat.InField(field, err)
	}
	return &id, nil
}

// viewOf returns what the caller sees with messages: which senders they have blocked, and the
// texts of quotes. It reads nothing for the caller's own messages without quotes.
func (s *server) viewOf(ctx context.Context, caller chat.UserID, messages []chat.Message) (wire.View, error) {
	var v wire.View
	texts, err := s.service.Quotes.Texts(ctx, messages)
	if err != nil {
		return v, err
	}
	v.Quoted = texts.Text
	for _, m := range messages {
		if m.ID.User != caller || m.Quote.User != "" && m.Quote.User != caller {
			v.Blocked, err = s.service.Blocks.Blocked(ctx, caller)
			return v, err
		}
	}
	return v, nil
}

// messagesFor shows messages to the caller, who must be allowed to read them.
func (s *server) messagesFor(
	ctx context.Context, caller chat.UserID, messages ...chat.Message,
) ([]wire.Message, error) {
	v, err := s.viewOf(ctx, caller, messages)
	if err != nil {
		return nil, err
	}
	return each(messages, v.Message), nil
}

// messagesOfEntries returns the messages that entries show.
func messagesOfEntries(entries []feed.Entry) []chat.Message {
	var messages []chat.Message
	for _, e := range entries {
		if e.Message != nil {
			messages = append(messages, *e.Message)
		}
	}
	return messages
}
