package httpapi

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/mention"
	"example.com/parley/internal/wire"
)

// MentionsGiven is the part of a body with the mentions of a message. It is exported for huma,
// like RoomPath.
type MentionsGiven struct {
	Mentions    []string `json:"mentions,omitempty" maxItems:"20" format:"user-id" maxLength:"64" nullable:"false" doc:"The people whom the message mentions, by user id, each once. A name in the text does not mention anybody, and a person who cannot read the room when the message is stored is not notified. In an edit they replace the former ones, and an empty list removes all" example:"[\"bob\"]"`
	MentionRoom *bool    `json:"mentionRoom,omitempty" doc:"Whether the message mentions everyone in the room. 403 for true from a person who may not, with nothing stored: see the room's roomMentions"`
}

// mentions returns the mentions of a new message.
func (g MentionsGiven) mentions() (chat.Mentions, error) {
	users, err := mention.Parse(g.Mentions)
	return chat.Mentions{Users: users, Room: g.MentionRoom != nil && *g.MentionRoom}, err
}

// addTo adds the given fields to an edit.
func (g MentionsGiven) addTo(edit *chat.MessageEdit) error {
	edit.MentionRoom = g.MentionRoom
	if g.Mentions == nil {
		return nil
	}
	users, err := mention.Parse(g.Mentions)
	edit.Mentions = &users
	return err
}

// mentionBody is a mention of the caller.
type mentionBody struct {
	Room    string       `json:"room" doc:"The room's id" example:"seattle"`
	Seq     int64        `json:"seq" doc:"The number, in the room's feed, of the change that made the mention. It is unread if it is after the caller's read marker" example:"42"`
	Unread  bool         `json:"unread,omitempty" doc:"Whether it is after the caller's read marker, which a person also has in a public room that they have not joined; absent if not, and for imported messages"`
	Message wire.Message `json:"message"`
}

type listMentionsInput struct {
	PageQuery
}

type listMentionsOutput struct {
	Body struct {
		Items []mentionBody `json:"items"`
		Next  string        `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	} `nameHint:"MentionPage"`
}

func listMentionsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-mentions", Method: http.MethodGet, Path: "/people/me/mentions",
		Summary: "List the caller's mentions",
		Description: "The messages that mention the caller by name, in all rooms, replies in threads too: the newest " +
			"first, in their current state. Messages that mention everyone in a room are not listed; they count in " +
			"the room's mentions. The list has no message that is deleted, that no longer mentions the caller, or " +
			"whose room the caller may not read now, and none of blocked people, so a page may be shorter; it ends " +
			"early at 1 MB. A mention of the last seconds may be missing.",
		Tags: []string{"people"},
	}, listMentions)
}

func listMentions(
	ctx context.Context, s *server, caller chat.UserID, in *listMentionsInput,
) (*listMentionsOutput, error) {
	page, err := s.service.Mentions.MentionsOf(ctx, caller, in.page())
	if err != nil {
		return nil, err
	}
	messages := make([]chat.Message, len(page.Items))
	rooms := map[chat.RoomID]bool{}
	for i, m := range page.Items {
		messages[i], rooms[m.Room] = m.Current, true
	}
	markers, err := s.service.Inbox.MarkersOf(ctx, caller, slices.Collect(maps.Keys(rooms)))
	if err != nil {
		return nil, err
	}
	bodies, err := s.messagesFor(ctx, caller, messages...)
	if err != nil {
		return nil, err
	}
	out := &listMentionsOutput{}
	out.Body.Items, out.Body.Next = make([]mentionBody, 0, len(bodies)), page.Next
	for i, m := range page.Items {
		unread := m.Unread(markers[m.Room].Seq)
		out.Body.Items = append(
			out.Body.Items, mentionBody{Room: string(m.Room), Seq: m.Seq, Unread: unread, Message: bodies[i]},
		)
	}
	return out, nil
}
