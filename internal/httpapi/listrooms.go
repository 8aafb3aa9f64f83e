package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/wire"
)

// PageQuery is the part of a query that selects a page of a list. It is exported for huma, like
// RoomPath.
type PageQuery struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"The most entries in the answer"`
	Cursor string `query:"cursor" format:"cursor" doc:"next of an answer to the same query"`
}

func (p PageQuery) page() chat.PageRequest { return chat.PageRequest{Limit: p.Limit, Cursor: p.Cursor} }

type listRoomsInput struct {
	PageQuery
	PeopleQuery
	Place string `query:"place" maxLength:"389" doc:"From the country down, levels separated by /, at most 6 of at most 64 bytes of UTF-8 each, 389 bytes in all; the rooms there and below. Default: all rooms" example:"USA/WA/Seattle"`
}

// listedRoomBody is a room as lists show it. Its settings are only in the response for the room
// itself.
type listedRoomBody struct {
	ID        string   `json:"id" doc:"The room's id" example:"seattle"`
	Name      string   `json:"name"`
	Topic     string   `json:"topic"`
	Kind      string   `json:"kind" enum:"room,direct" doc:"room: direct rooms are never listed"`
	Place     []string `json:"place,omitempty" doc:"From the country down"`
	Metadata  metadata `json:"metadata,omitzero"`
	Archived  bool     `json:"archived,omitzero" doc:"Whether the room is archived; absent if not"`
	CreatedBy string   `json:"createdBy" doc:"The user who created the room"`
	CreatedAt string   `json:"createdAt" format:"date-time"`
}

type listRoomsOutput struct {
	Body struct {
		Items  []listedRoomBody    `json:"items"`
		People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
		Next   string              `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	}
}

func listRoomsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-rooms", Method: http.MethodGet, Path: "/rooms",
		Summary: "Find public rooms by place",
		Description: "Sorted by place. A level matches only as a whole: US does not match USA. The list omits rooms " +
			"that have banned the caller, so a page may have fewer than limit.",
		Tags: []string{"rooms"},
	}, listRooms)
}

func listRooms(ctx context.Context, s *server, caller chat.UserID, in *listRoomsInput) (*listRoomsOutput, error) {
	var place []string
	if in.Place != "" {
		place = strings.Split(in.Place, "/")
	}
	page, err := s.service.RoomsAt(ctx, caller, place, in.page())
	if err != nil {
		return nil, err
	}
	out := &listRoomsOutput{}
	out.Body.Items = make([]listedRoomBody, 0, len(page.Items))
	for _, r := range page.Items {
		out.Body.Items = append(out.Body.Items, listedRoomBody{
			ID: string(r.ID), Name: r.Name, Topic: r.Topic, Kind: r.Kind(), Place: r.Place,
			Metadata: metadata(r.Metadata), Archived: r.Archived,
			CreatedBy: string(r.CreatedBy), CreatedAt: wire.TimeText(r.CreatedAt),
		})
	}
	out.Body.Next = page.Next
	out.Body.People, err = in.people(ctx, s, usersOfRooms(page.Items))
	return out, err
}
