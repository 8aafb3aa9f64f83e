package httpapi

import (
	"context"
	"net/http"
	"time"
	"unicode/utf16"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
	"example.com/parley/internal/wire"
)

// SearchQuery is the part of a query that selects a page of a search. It is exported for huma, like
// RoomPath.
type SearchQuery struct {
	Q      string `query:"q" required:"true" maxLength:"500" doc:"Words, \"phrases\" and filters, at most 500 bytes of UTF-8 and 20 words and phrases. See the description" example:"\"lake union\" from:bob has:file"`
	Limit  int    `query:"limit" minimum:"1" maximum:"50" default:"20" doc:"The most results in the answer"`
	Cursor string `query:"cursor" format:"cursor" doc:"next of an answer to the same query"`
	Zone   string `query:"zone" maxLength:"64" doc:"The IANA time zone in which days begin, at most 64 bytes. Default: UTC" example:"Europe/Paris"`
	Around bool   `query:"around" doc:"Each result also has the messages before and after it"`
}

// request parses the parameters for a caller.
func (in SearchQuery) request(caller chat.UserID) (r search.Request, err error) {
	zone := time.UTC
	if in.Zone != "" {
		if zone, err = time.LoadLocation(in.Zone); err != nil || zone == time.Local {
			return r, chat.Invalidf("zone", "must be the IANA name of a time zone, such as Europe/Paris")
		}
	}
	r = search.Request{Page: chat.PageRequest{Limit: in.Limit, Cursor: in.Cursor}, Around: in.Around}
	r.Query, err = search.Parse(in.Q, caller, zone)
	return r, err
}

// searchResultBody is a message that a query matches.
type searchResultBody struct {
	Message   wire.Message  `json:"message"`
	RoomName  string        `json:"roomName" doc:"The name of the message's room; empty for a direct room" example:"Seattle"`
	Marks     []markBody    `json:"marks,omitempty" nullable:"false" doc:"The parts of the message's text that the query matches, in order, at most 100; absent for none"`
	FileMarks [][]markBody  `json:"fileMarks,omitempty" nullable:"false" doc:"One list for each attachment, with the parts of its name that the query matches, at most 100; absent if no name matches"`
	Before    *wire.Message `json:"before,omitempty" doc:"With around: the message before it in its room or thread; absent if there is none"`
	After     *wire.Message `json:"after,omitempty" doc:"With around: the message after it in its room or thread; absent if there is none"`
}

// markBody is a part of a text.
type markBody struct {
	From int `json:"from" minimum:"0" doc:"Where the part begins, in UTF-16 code units, as JavaScript counts" example:"0"`
	To   int `json:"to" minimum:"1" doc:"Where it ends" example:"5"`
}

type searchOutput struct {
	Body struct {
		Items      []searchResultBody `json:"items" doc:"The newest first"`
		Next       string             `json:"next,omitempty" doc:"The cursor of the next page; absent at the end"`
		SearchedTo string             `json:"searchedTo,omitempty" format:"date-time" doc:"With next: all messages since then have been searched"`
	} `nameHint:"SearchPage"`
}

// queryLanguage describes q.
const queryLanguage = "Each word must begin a word of the text or of a file's name; a \"phrase\" must be whole words " +
	"in order; -word and -\"phrase\" must be absent. Case, accents and width do not matter. In scripts without " +
	"spaces, such as Chinese, words may begin anywhere. Filters: in:room, from:user, mentions:user (or me), before:, " +
	"after: and on: a day such as 2026-01-31, has:link, has:file, has:reaction and is:thread. Newest first, each " +
	"message in its current state; deleted ones are never found. One request does a bounded amount of work, so a " +
	"page may hold fewer than limit, even none, and still have next. The work beyond the first 15 MB of scanned text " +
	"is charged to the limit of reads while it is done: if that is used up before there is a result, the answer is " +
	"429."

func searchMessagesOperation() operation {
	return define(Search, searchPrice, huma.Operation{
		OperationID: "search-messages", Method: http.MethodGet, Path: "/search",
		Summary: "Search the messages of your rooms",
		Description: "Messages and replies of the rooms that the caller has joined or, with in:, of any room that " +
			"they may read. " + queryLanguage,
		Tags:   []string{"messages"},
		Errors: []int{http.StatusNotFound},
	}, searchMessages)
}

func searchMessages(
	ctx context.Context, s *server, caller chat.UserID, in *struct{ SearchQuery },
) (*searchOutput, error) {
	r, err := in.request(caller)
	if err != nil {
		return nil, err
	}
	return s.search(ctx, caller, r)
}

type searchRoomInput struct {
	RoomPath
	SearchQuery
}

func searchRoomOperation() operation {
	return define(Search, searchPrice, huma.Operation{
		OperationID: "search-room", Method: http.MethodGet, Path: "/rooms/{room}/search",
		Summary:     "Search the messages of a room",
		Description: "Messages and replies. in: may only name the room of the path. " + queryLanguage,
		Tags:        []string{"messages"},
		Errors:      []int{http.StatusNotFound},
	}, searchRoom)
}

func searchRoom(ctx context.Context, s *server, caller chat.UserID, in *searchRoomInput) (*searchOutput, error) {
	room, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	r, err := in.request(caller)
	if err != nil {
		return nil, err
	}
	if r.Query.Room != "" && r.Query.Room != room {
		return nil, chat.Invalidf("q", "must not have in: with another room than %s", room)
	}
	r.Query.Room = room
	return s.search(ctx, caller, r)
}

// search returns a page of results in their form for the caller.
func (s *server) search(ctx context.Context, caller chat.UserID, r search.Request) (*searchOutput, error) {
	r.Pay = func(ctx context.Context, steps int) error { return s.pay(ctx, steps/searchStepsPerUnit) }
	results, err := s.service.Search.Search(ctx, caller, r)
	if err != nil {
		return nil, err
	}
	out := &searchOutput{}
	if out.Body.Items, err = s.searchResults(ctx, caller, results.Items); err != nil {
		return nil, err
	}
	out.Body.Next = results.Next
	if !results.SearchedTo.IsZero() {
		out.Body.SearchedTo = wire.TimeText(results.SearchedTo)
	}
	return out, nil
}

func (s *server) searchResults(
	ctx context.Context, caller chat.UserID, results []search.Result,
) ([]searchResultBody, error) {
	var messages []chat.Message // of all results, so that quotes and blocks are read once
	for _, r := range results {
		messages = append(messages, r.Message)
		for _, m := range []*chat.Message{r.Before, r.After} {
			if m != nil {
				messages = append(messages, *m)
			}
		}
	}
	shown, err := s.messagesFor(ctx, caller, messages...)
	if err != nil {
		return nil, err
	}
	next := func() *wire.Message {
		m := &shown[0]
		shown = shown[1:]
		return m
	}
	bodies := make([]searchResultBody, 0, len(results))
	for _, r := range results {
		b := searchResultBody{Message: *next(), RoomName: r.Room.Name, Marks: marksOf(r.Message.Text, r.Marks)}
		if r.Before != nil {
			b.Before = next()
		}
		if r.After != nil {
			b.After = next()
		}
		for i, marks := range r.FileMarks {
			b.FileMarks = append(b.FileMarks, marksOf(r.Message.Attachments[i].Name, marks))
		}
		bodies = append(bodies, b)
	}
	return bodies, nil
}

// marksOf returns the form of parts of a text, which are in order and do not overlap.
func marksOf(text string, parts []search.Range) []markBody {
	marks := make([]markBody, 0, len(parts))
	at, units := 0, 0
	unitsTo := func(place int) int {
		for _, r := range text[at:place] {
			units += utf16.RuneLen(r)
		}
		at = place
		return units
	}
	for _, p := range parts {
		marks = append(marks, markBody{From: unitsTo(p.From), To: unitsTo(p.To)})
	}
	return marks
}
