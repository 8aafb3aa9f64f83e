package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley/internal/chat"
)

type listMessagesInput struct {
	RoomPath
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"The most messages in the answer"`
	Cursor string `query:"cursor" doc:"next or prev of an answer to the same query"`
	Order  string `query:"order" enum:"asc,desc" doc:"asc is oldest first. Default: the cursor's, or desc"`
	User   string `query:"user" doc:"Only the messages of this user. Times then mean sentAt, otherwise receivedAt" example:"amsg"`
	At     string `query:"at" doc:"A prefix of the time in UTC, from the year to the second: 2018, 2018-08, 2018-08-29:12 … Excludes from and to" example:"2018-08-29:12"`
	From   string `query:"from" format:"instant" doc:"Messages at or after this time (RFC 3339)"`
	To     string `query:"to" format:"instant" doc:"Messages before this time (RFC 3339)"`
	Around string `query:"around" doc:"A message id: the messages before and after it, newest first. Excludes all but limit"`
}

type listMessagesOutput struct {
	Body struct {
		_        struct{}      `additionalProperties:"true"`
		Messages []messageBody `json:"messages" nullable:"false"`
		Next     string        `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
		Prev     string        `json:"prev,omitempty" doc:"With around: the cursor of newer messages, oldest first; absent when there are none"`
		Since    string        `json:"since" doc:"The position in the room's feed from which a client that holds this page misses no change: pass it to list-changes" example:"AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA"`
	}
}

func listMessagesOperation() operation {
	return define(Read, huma.Operation{
		OperationID: "list-messages", Method: http.MethodGet, Path: "/rooms/{room}/messages",
		Summary: "List messages",
		Description: "Newest first by default. A page holds at most limit messages and ends early at 1 MB. " +
			"at excludes from and to; around excludes all but limit; cursor must come with the parameters of the query that " +
			"returned it, and is refused with another room or query (400).",
		Tags: []string{"messages"},
	}, listMessages)
}

func listMessages(ctx context.Context, s *server, caller chat.UserID, in *listMessagesInput) (*listMessagesOutput, error) {
	q, err := in.question()
	if err != nil {
		return nil, err
	}
	page, err := s.service.List(ctx, caller, q)
	if err != nil {
		return nil, err
	}
	out := &listMessagesOutput{}
	out.Body.Messages = make([]messageBody, 0, len(page.Items))
	for _, m := range page.Items {
		out.Body.Messages = append(out.Body.Messages, messageOf(m))
	}
	out.Body.Next, out.Body.Prev = page.Next, page.Prev
	out.Body.Since = page.Since.Text(q.Room)
	return out, nil
}

// question reads the parameters. Whether they go together is the domain's
// to say.
func (in *listMessagesInput) question() (q chat.Question, err error) {
	q = chat.Question{At: in.At, Cursor: in.Cursor, Limit: in.Limit}
	if q.Room, err = chat.ParseRoomID(in.Room); err != nil {
		return q, err
	}
	if in.User != "" {
		if q.User, err = chat.ParseUserID(in.User); err != nil {
			return q, hintPlus(err, in.User)
		}
	}
	if in.Order != "" {
		order := chat.Newest
		if in.Order == "asc" {
			order = chat.Oldest
		}
		q.Order = &order
	}
	if q.From, err = parseTime("from", in.From); err != nil {
		return q, err
	}
	if q.To, err = parseTime("to", in.To); err != nil {
		return q, err
	}
	if in.Around != "" {
		id, err := chat.ParseMessageID(in.Around)
		if err != nil {
			return q, chat.InField("around", err)
		}
		q.Around = &id
	}
	return q, nil
}
