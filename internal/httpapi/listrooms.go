package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/inbox"
	"example.com/parley/internal/wire"
)

// ownRoomBody is a room in its member's list.
type ownRoomBody struct {
	ID             string           `json:"id" doc:"The room's id" example:"seattle"`
	Name           string           `json:"name"`
	Topic          string           `json:"topic"`
	Visibility     string           `json:"visibility" enum:"public,private"`
	Kind           string           `json:"kind" enum:"room,direct" doc:"direct: a direct room, of the people in direct"`
	Metadata       metadata         `json:"metadata,omitzero"`
	Archived       bool             `json:"archived,omitzero" doc:"Whether the room is archived; absent if not"`
	Favorite       bool             `json:"favorite,omitzero" doc:"Whether it is one of the caller's favorites; absent if not, and in another person's list"`
	Muted          bool             `json:"muted,omitzero" doc:"Whether only mentions count as unread: the level is mentions or none; absent if not, and in another person's list"`
	Level          string           `json:"level,omitempty" enum:"all,direct,mentions,none" doc:"The caller's level of notifications for the room; absent if their own level applies, and in another person's list"`
	LevelUntil     string           `json:"levelUntil,omitempty" format:"date-time" doc:"The end of level; absent without one"`
	Direct         []string         `json:"direct,omitempty" doc:"The people whose direct room it is; absent in other rooms"`
	Role           string           `json:"role" enum:"owner,moderator,member,muted" doc:"The person's role in the room"`
	JoinedAt       string           `json:"joinedAt" format:"date-time" doc:"When the caller joined, or was muted without having joined"`
	AddedBy        string           `json:"addedBy,omitempty" doc:"Who added the caller to the room, until they have a read marker; absent in direct rooms, and in rooms that they joined" example:"jdoe"`
	Read           int64            `json:"read" doc:"The caller's read marker: the sequence number up to which they have read; 0 without a marker" example:"41"`
	Unread         int64            `json:"unread" maximum:"1000" doc:"The number of messages posted after the marker and after joining, without deleted ones and the caller's own; 1000 means 1000 or more" example:"3"`
	Mentions       int64            `json:"mentions" maximum:"100" doc:"The number of messages after the marker that mention the caller or, since they joined, everyone; without messages by the caller and by blocked people; 100 means 100 or more" example:"1"`
	LastMessage    *lastMessageBody `json:"lastMessage,omitempty" doc:"The newest message; absent in a room without messages"`
	LastActivityAt string           `json:"lastActivityAt" format:"date-time" doc:"When the newest message was received, or when the caller joined a room without messages"`
}

// lastMessageBody is the newest message of a room as a list of rooms shows it.
type lastMessageBody struct {
	ID         string `json:"id" doc:"The message's id" example:"01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg"`
	User       string `json:"user" doc:"Who sent it" example:"amsg"`
	Text       string `json:"text" doc:"The first 200 characters of its current text; empty if it was deleted" example:"Hello"`
	ReceivedAt string `json:"receivedAt" format:"date-time" doc:"When the server received it"`
	DeletedAt  string `json:"deletedAt,omitempty" format:"date-time" doc:"When it was deleted; absent if it was not"`

	Attachments []lastFileBody `json:"attachments,omitempty" nullable:"false" maxItems:"20" doc:"Its files, if it has no text"`
}

// lastFileBody is a file of the newest message of a room.
type lastFileBody struct {
	Name string `json:"name" doc:"The file's name" example:"plan.png"`
	Type string `json:"type" doc:"The media type that the sender stated" example:"image/png"`
}

func ownRoomOf(r inbox.Room) ownRoomBody {
	b := ownRoomBody{
		ID: string(r.Room.ID), Name: r.Room.Name, Topic: r.Room.Topic, Visibility: visibilityOf(r.Room),
		Kind: r.Room.Kind(), Direct: texts(r.Room.Direct),
		Metadata: metadata(r.Room.Metadata), Archived: r.Room.Archived, Favorite: r.Preferences.Favorite,
		Muted: r.Preferences.Level.Muted(),
		Level: r.Preferences.Level.Level.String(), LevelUntil: wire.OptionalTimeText(r.Preferences.Level.Until),
		Role: r.Membership.Role.String(), JoinedAt: wire.TimeText(r.Membership.JoinedAt),
		Read: r.Reading.Seq, Unread: r.Reading.Unread, Mentions: r.Reading.Mentions,
		LastActivityAt: wire.TimeText(r.ActiveAt),
	}
	if r.Reading.Seq == 0 && len(r.Room.Direct) == 0 {
		b.AddedBy = string(r.Membership.By)
	}
	if m := r.Newest; m != nil {
		b.LastMessage = &lastMessageBody{
			ID: m.ID.String(), User: string(m.ID.User), Text: inbox.Preview(m.Text),
			ReceivedAt: wire.TimeText(m.ReceivedAt),
		}
		if m.Deleted() {
			b.LastMessage.DeletedAt = wire.TimeText(m.DeletedAt)
		} else if m.Text == "" {
			for _, a := range m.Attachments {
				b.LastMessage.Attachments = append(b.LastMessage.Attachments, lastFileBody{a.Name, a.Type})
			}
		}
	}
	return b
}

type listRoomsOfInput struct {
	User string `path:"user" format:"user-id" maxLength:"64" doc:"me, or a user id: the caller's, or anyone's for a service" example:"me"`
	PageQuery
	Include []string `query:"include" enum:"people,heads" maxItems:"2" uniqueItems:"true" doc:"people: the answer also has the name, avatar and status of everyone in it; heads: also how far all rooms of the list are" example:"people"`
	IDs     []string `query:"ids" format:"room-id" minItems:"1" maxItems:"50" uniqueItems:"true" doc:"Room ids, separated by commas or each as a parameter, at most 50: only the rooms of the list that have these ids. Excludes cursor and include=heads" example:"seattle"`
}

type listRoomsOfOutput struct {
	Body struct {
		Items       []ownRoomBody       `json:"items"`
		UnreadTotal int64               `json:"unreadTotal" doc:"The sum of unread over the rooms of this answer; a muted room adds only its mentions" example:"3"`
		Heads       *ownHeadsBody       `json:"heads,omitempty" doc:"With include=heads: how far all rooms of the list are, in its order, as list-heads answers"`
		People      map[string]cardBody `json:"people,omitzero" doc:"With include=people: the senders of the last messages and the people of direct rooms, by user id; names, avatars and statuses may be a minute old"`
		Next        string              `json:"next,omitempty" doc:"The cursor of the next page; absent on the last"`
	} `nameHint:"OwnRoomPage"`
}

func listRoomsOfOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-rooms-of-person", Method: http.MethodGet, Path: "/people/{user}/rooms",
		Summary: "List a person's rooms",
		Description: "The rooms that the caller has joined, private ones too, and none that banned them: those with " +
			"the newest activity first. A room with activity between two pages moves to the beginning of the list. " +
			"Each page reads the heads of all rooms: to find those that have changed, ask for include=heads or " +
			"list-heads, and then for their ids. A service that acts for nobody lists anyone's rooms, as that person " +
			"sees them but without preferences. Other people's lists are refused to everyone else, because they " +
			"would reveal hidden rooms.",
		Tags: []string{"people"},
	}, listRoomsOf)
}

func listRoomsOf(ctx context.Context, s *server, caller chat.UserID, in *listRoomsOfInput) (*listRoomsOfOutput, error) {
	user, err := userOrMe(in.User, caller)
	if err != nil {
		return nil, err
	}
	out := &listRoomsOfOutput{}
	rooms, err := in.rooms(ctx, s, caller, user, out)
	if err != nil {
		return nil, err
	}
	out.Body.Items = make([]ownRoomBody, 0, len(rooms))
	var users []chat.UserID
	for _, r := range rooms {
		out.Body.Items = append(out.Body.Items, ownRoomOf(r))
		out.Body.UnreadTotal += r.Counted()
		if r.Newest != nil {
			users = append(users, r.Newest.ID.User)
		}
		users = append(users, r.Room.Direct...)
	}
	if slices.Contains(in.Include, includePeople) {
		out.Body.People, err = s.people(ctx, users)
	}
	return out, err
}

// rooms reads the rooms that a query asks for, and sets the cursor and the heads of the answer.
func (in *listRoomsOfInput) rooms(
	ctx context.Context, s *server, caller, user chat.UserID, out *listRoomsOfOutput,
) ([]inbox.Room, error) {
	withHeads := slices.Contains(in.Include, includeHeads)
	if len(in.IDs) == 0 {
		page, heads, err := s.service.Inbox.RoomsAndHeads(ctx, caller, user, in.page())
		if withHeads {
			all := headsBody(heads)
			out.Body.Heads = &all
		}
		out.Body.Next = page.Next
		return page.Items, err
	}
	if in.Cursor != "" || withHeads {
		return nil, chat.Invalidf("ids", "must be without cursor and include=heads")
	}
	ids := make([]chat.RoomID, len(in.IDs))
	for i, id := range in.IDs {
		var err error
		if ids[i], err = chat.ParseRoomID(id); err != nil {
			return nil, chat.InField("ids", err)
		}
	}
	return s.service.Inbox.RoomsAmong(ctx, caller, user, ids)
}

// ownHeadBody is how far a room is, and how far its member has read.
type ownHeadBody struct {
	ID       string `json:"id" doc:"The room's id" example:"seattle"`
	Head     int64  `json:"head" doc:"The number of the newest change in the room's feed; 0 before the first one" example:"44"`
	Read     int64  `json:"read" doc:"The caller's read marker: the number up to which they have read; 0 without a marker" example:"41"`
	Messages int64  `json:"messages,omitzero" maximum:"1000" doc:"The number of messages after the marker and after joining, including deleted messages and messages by the caller and by blocked people; absent for none; 1000 means 1000 or more" example:"3"`
	Favorite bool   `json:"favorite,omitzero" doc:"Whether it is one of the caller's favorites; absent if not"`
	Muted    bool   `json:"muted,omitzero" doc:"Whether only mentions count as unread: the level is mentions or none; absent if not"`
	Level    string `json:"level,omitempty" enum:"all,direct,mentions,none" doc:"The caller's level of notifications for the room; absent if their own level applies"`
}

// ownHeadsBody are the heads of all rooms of a list, in its order.
type ownHeadsBody struct {
	Items []ownHeadBody `json:"items"`
}

type listHeadsInput struct {
	Conditional
}

type listHeadsOutput struct {
	Status int
	ETag   string `header:"ETag" doc:"For If-None-Match"`
	Body   ownHeadsBody
}

func listHeadsOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "list-heads", Method: http.MethodGet, Path: "/people/me/heads",
		Summary: "List how far the caller's rooms are",
		Description: "All rooms of the caller's list in one answer, sorted by activity, newest first, without their " +
			"contents. A client compares the heads with the heads it knows, and requests only the rooms that have " +
			"changed. The list omits deleted rooms and rooms to which a blocked person added the caller, but " +
			"includes direct rooms with blocked people. It costs half a read unit for each room.",
		Tags:      []string{"people"},
		Responses: unchanged,
	}, listHeads)
}

func listHeads(ctx context.Context, s *server, caller chat.UserID, in *listHeadsInput) (*listHeadsOutput, error) {
	heads, err := s.service.Inbox.RoomHeads(ctx, caller)
	if err != nil {
		return nil, err
	}
	out := &listHeadsOutput{Body: headsBody(heads)}
	out.ETag, err = settingsETag(0, out.Body)
	out.Status = in.status(out.ETag)
	return out, err
}

func headsBody(heads []inbox.RoomHead) ownHeadsBody {
	bodies := make([]ownHeadBody, len(heads))
	for i, h := range heads {
		bodies[i] = ownHeadBody{
			ID: string(h.Room), Head: h.Last, Read: h.Read, Messages: h.Messages, Favorite: h.Preferences.Favorite,
			Muted: h.Preferences.Level.Muted(), Level: h.Preferences.Level.Level.String(),
		}
	}
	return ownHeadsBody{bodies}
}

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
