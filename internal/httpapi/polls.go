package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/poll"
)

// pollGiven is the poll of a message to post.
type pollGiven struct {
	Options   []string `json:"options" nullable:"false" minItems:"2" maxItems:"10" doc:"Different texts of 1 to 200 bytes, in order" example:"[\"Tuesday\",\"Wednesday\"]"`
	Multiple  bool     `json:"multiple,omitzero" doc:"A person may choose several options"`
	Anonymous bool     `json:"anonymous,omitzero" doc:"Nobody is shown who voted"`
	EndsAt    *string  `json:"endsAt,omitempty" format:"date-time" doc:"When the poll ends, at most 366 days after the message; never by default"`
}

// poll returns the poll of a draft, or nil if there is none.
func (g *pollGiven) poll() (*chat.Poll, error) {
	if g == nil {
		return nil, nil
	}
	p := &chat.Poll{Options: g.Options, Multiple: g.Multiple, Anonymous: g.Anonymous}
	if g.EndsAt != nil {
		at, err := parseTime("poll.endsAt", *g.EndsAt)
		if err != nil {
			return nil, err
		}
		p.EndsAt = chat.ServerTime(at)
	}
	return p, nil
}

type putVoteInput struct {
	MessagePath
	Body struct {
		Choices []int `json:"choices" nullable:"false" minItems:"1" maxItems:"10" doc:"The positions of the chosen options, from 0; one, unless the poll allows several" example:"[0]"`
	}
}

func putVoteOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "put-vote", Method: http.MethodPut, Path: "/rooms/{room}/messages/{id}/vote",
		Summary: "Vote in a poll",
		Description: "For everyone who may react to the message. A vote replaces the caller's earlier one. The " +
			"message's counts follow within about a second, as counts.changed. 404 when the message has no poll. 409 " +
			"when the message is deleted, when the poll has ended, and when 10,000 people have voted.",
		Tags:          []string{"messages"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
	}, putVote)
}

func putVote(ctx context.Context, s *server, caller chat.UserID, in *putVoteInput) (*struct{}, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	return nil, s.service.Polls.Vote(ctx, caller, room, id, in.Body.Choices)
}

func deleteVoteOperation() operation {
	return define(Write, itemPrice, huma.Operation{
		OperationID: "delete-vote", Method: http.MethodDelete, Path: "/rooms/{room}/messages/{id}/vote",
		Summary: "Take back a vote",
		Description: "Removes the caller's vote, and also succeeds when they have not voted. 409 when the message is " +
			"deleted or the poll has ended.",
		Tags:          []string{"messages"},
		DefaultStatus: http.StatusNoContent,
		Errors:        []int{http.StatusNotFound, http.StatusConflict},
	}, deleteVote)
}

func deleteVote(ctx context.Context, s *server, caller chat.UserID, in *MessagePath) (*struct{}, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	return nil, s.service.Polls.Withdraw(ctx, caller, room, id)
}

type listVotesInput struct {
	MessagePath
	PageQuery
	PeopleQuery
}

// voteBody is a vote as the API shows it.
type voteBody struct {
	User    string `json:"user" example:"bob"`
	Choices []int  `json:"choices" doc:"The positions of the chosen options" example:"[0]"`
}

type listVotesOutput struct {
	Body struct {
		Items  []voteBody          `json:"items"`
		Next   string              `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
		People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
	} `nameHint:"VotePage"`
}

func listVotesOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-votes", Method: http.MethodGet, Path: "/rooms/{room}/messages/{id}/votes",
		Summary: "List the votes in a poll",
		Description: "Ordered by user id. 403 for an anonymous poll, 404 when the message has no poll, also after " +
			"its deletion. The list may be behind by a second.",
		Tags:   []string{"messages"},
		Errors: []int{http.StatusNotFound},
	}, listVotes)
}

func listVotes(ctx context.Context, s *server, caller chat.UserID, in *listVotesInput) (*listVotesOutput, error) {
	room, id, err := in.parse()
	if err != nil {
		return nil, err
	}
	page, err := s.service.Polls.Voters(ctx, caller, poll.Query{Room: room, ID: id, Page: in.page()})
	if err != nil {
		return nil, err
	}
	out := &listVotesOutput{}
	out.Body.Next = page.Next
	out.Body.Items = each(page.Items, func(v chat.Vote) voteBody {
		return voteBody{string(v.User), v.Choices.Positions()}
	})
	out.Body.People, err = in.people(ctx, s, each(page.Items, func(v chat.Vote) chat.UserID { return v.User }))
	return out, err
}
