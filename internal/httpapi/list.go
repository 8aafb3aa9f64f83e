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
	Cursor string `query:"cursor" doc:"next or prev of an answer to the same question"`
	Order  string `query:"order" enum:"asc,desc" doc:"asc is oldest first. Default: the cursor's, or desc"`
	User   string `query:"user" doc:"Only this sender's messages; times then mean sentAt, otherwise receivedAt" example:"amsg"`
	At     string `query:"at" doc:"A prefix of the time in UTC, from the year to the second: 2018, 2018-08, 2018-08-29:12 … Excludes from and to" example:"2018-08-29:12"`
	From   string `query:"from" format:"instant" doc:"From this time on (RFC 3339)"`
	To     string `query:"to" format:"instant" doc:"Before this time (RFC 3339)"`
	Around string `query:"around" doc:"A message id: the messages on both sides of it, newest first. Excludes all but limit"`
}

type listMessagesOutput struct {
	Body struct {
		_        struct{}      `additionalProperties:"true"`
		Messages []messageBody `json:"messages" nullable:"false"`
		Next     string        `json:"next,omitempty" doc:"The cursor of the next page; absent at the end"`
		Prev     string        `json:"prev,omitempty" doc:"For around: the cursor towards newer messages, which it gives oldest first; absent when there are none"`
		Since    string        `json:"since" doc:"The position in the room's feed from which a client that holds this page misses no change: pass it to list-changes" example:"AxZPuEFeRPfFBlJcMjAxOC0wOC0yOVQxMjowMDowMC4wMDA"`
	}
}

func listMessagesOperation() operation {
	return define(Read, huma.Operation{
		OperationID: "list-messages", Method: http.MethodGet, Path: "/rooms/{room}/messages",
		Summary: "Read messages",
		Description: "Newest first, unless asked otherwise. A page holds at most limit messages and ends early at 1 MB. " +
			"at excludes from and to; around excludes all but limit; cursor goes with the parameters of the question that it " +
			"belongs to, and with another room or question it is refused (400).",
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
