package httpapi

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/errgroup"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/wire"
)

// roomBody is a room as the API shows it.
type roomBody struct {
	ID              string   `json:"id" doc:"The room's id" example:"seattle"`
	Name            string   `json:"name"`
	Topic           string   `json:"topic"`
	Visibility      string   `json:"visibility" enum:"public,private"`
	Kind            string   `json:"kind" enum:"room,direct" doc:"A direct room belongs to fixed people, and has no name of its own"`
	Direct          []string `json:"direct,omitempty" nullable:"false" doc:"The people of a direct room by user id, including those who have left; absent for other rooms"`
	Posting         string   `json:"posting" enum:"everyone,members,moderators" doc:"Who may post"`
	RoomMentions    string   `json:"roomMentions" enum:"moderators,members" doc:"Who may mention everyone in the room; in a direct room nobody"`
	Pinning         string   `json:"pinning" enum:"moderators,members" doc:"Who may pin messages; in a direct room everyone may"`
	SlowModeSeconds int      `json:"slowModeSeconds" doc:"The pause between two contributions of one person: messages, edits, and versions of documents; moderators and owners are exempt"`
	Archived        bool     `json:"archived" doc:"Whether the room takes no changes"`
	Receipts        bool     `json:"receipts" doc:"Whether the list of members shows how far each has read, while there are at most 50"`
	SystemMessages  bool     `json:"systemMessages" doc:"Whether messages of kind system report who joins, leaves and is added or removed, and other names, topics and archiving"`
	Place           []string `json:"place,omitempty" doc:"From the country down"`
	Metadata        metadata `json:"metadata,omitzero"`
	CreatedBy       string   `json:"createdBy" doc:"The user who created the room"`
	CreatedAt       string   `json:"createdAt" format:"date-time"`
	Service         string   `json:"service,omitempty" doc:"The service that owns the room, without being a member; absent if only people own it" example:"helpdesk"`
	Shards          int      `json:"shards,omitempty,omitzero" doc:"How many partitions new messages are spread over, or will be in some seconds; present only for the room's owners"`
	ShardsPinned    bool     `json:"shardsPinned,omitempty,omitzero" doc:"True if an owner has set the number of shards, and absent if it follows the rate of messages; present only for the room's owners"`
	Me              *meBody  `json:"me,omitempty" doc:"The caller in the room, where a room is read; absent for a person who is not in it"`
	MemberCount     *int     `json:"memberCount,omitempty" maximum:"1000" doc:"With include=count: the number of members, which may be a minute old above 50; 1000 means 1000 or more" example:"12"`

	People map[string]cardBody `json:"people,omitzero" doc:"With include=people: everyone in the answer, by user id; names, avatars and statuses may be a minute old"`
}

// meBody describes the caller in a room.
type meBody struct {
	Role     string `json:"role" enum:"owner,moderator,member,muted" doc:"The caller's role in the room"`
	Read     int64  `json:"read" doc:"The caller's read marker: the sequence number up to which they have read; 0 without a marker" example:"41"`
	Unread   int64  `json:"unread" maximum:"1000" doc:"The number of messages posted after the marker and after joining, without deleted ones and the caller's own; 1000 means 1000 or more" example:"3"`
	Mentions int64  `json:"mentions" maximum:"100" doc:"The number of messages after the marker that mention the caller or, since they joined, everyone; without messages by the caller and by blocked people; 100 means 100 or more" example:"1"`
}

func roomOf(r chat.Room) roomBody {
	return roomBody{
		ID: string(r.ID), Name: r.Name, Topic: r.Topic, Visibility: visibilityOf(r), Kind: r.Kind(),
		Direct:  texts(r.Direct),
		Posting: r.Posting.String(), RoomMentions: r.RoomMentions.String(), Pinning: r.Pinning.String(),
		SlowModeSeconds: int(r.SlowMode / time.Second), Archived: r.Archived, Receipts: !r.NoReceipts,
		SystemMessages: !r.Silent, Place: r.Place, Metadata: metadata(r.Metadata),
		CreatedBy: string(r.CreatedBy), CreatedAt: wire.TimeText(r.CreatedAt), Service: string(r.Service),
		Shards: r.Shards, ShardsPinned: r.ShardsPinned,
	}
}

func visibilityOf(r chat.Room) string {
	if r.Private {
		return "private"
	}
	return "public"
}

// texts returns ids as strings, or nil if there are none.
func texts(users []chat.UserID) []string {
	var ids []string
	for _, user := range users {
		ids = append(ids, string(user))
	}
	return ids
}

// RoomPath is the part of a path that names a room. It is exported because huma fills only exported
// embedded structs.
type RoomPath struct {
	Room string `path:"room" format:"slug" maxLength:"64" doc:"The room's id: a-z, 0-9 and inner -" example:"seattle"`
}

// RoomSettings are the settings that a room's owner may change.
type RoomSettings struct {
	Name            *string  `json:"name,omitempty" maxLength:"100" doc:"One line, at most 100 bytes of UTF-8. Default: a public room's id"`
	Topic           *string  `json:"topic,omitempty" maxLength:"1000" doc:"The subject of the room: one line, at most 1000 bytes of UTF-8"`
	Shards          *int     `json:"shards,omitempty" minimum:"0" maximum:"64" doc:"How many partitions new messages are spread over, each for 1,000 messages a second; a change takes effect after some seconds. With 0, the default, the number follows the rate of messages"`
	Posting         *string  `json:"posting,omitempty" enum:"everyone,members,moderators" doc:"Who may post; with everyone, without joining"`
	RoomMentions    *string  `json:"roomMentions,omitempty" enum:"moderators,members" doc:"Who may mention everyone in the room: moderators and owners, or members too. Default: moderators"`
	Pinning         *string  `json:"pinning,omitempty" enum:"moderators,members" doc:"Who may pin messages; moderators by default"`
	SlowModeSeconds *int     `json:"slowModeSeconds,omitempty" minimum:"0" maximum:"86400" doc:"The pause between two contributions of one person: messages, edits, and versions of documents"`
	Archived        *bool    `json:"archived,omitempty" doc:"True refuses every change of the room and its contents, except that people may leave and mark it as read, and owners may set false or delete it"`
	Receipts        *bool    `json:"receipts,omitempty" doc:"Whether the list of members shows how far each has read, while there are at most 50; true by default"`
	SystemMessages  *bool    `json:"systemMessages,omitempty" doc:"Whether messages of kind system report who joins, leaves and is added or removed, and other names, topics and archiving; true by default. What services and imports change is never reported"`
	Place           []string `json:"place,omitempty" maxItems:"6" minLength:"1" maxLength:"64" doc:"From the country down: country, region, state, county, city, neighborhood; each level at most 64 bytes of UTF-8, without # and /"`
	Metadata        metadata `json:"metadata,omitzero"`
	Visibility      *string  `json:"visibility,omitempty" enum:"public,private" doc:"Has to agree with the id: the ids of private rooms begin with p-, and no others do. Only a service, as itself, may state private"`
}

func (r *RoomSettings) draft() chat.RoomDraft {
	d := chat.RoomDraft{
		Name: r.Name, Topic: r.Topic, Shards: r.Shards, Archived: r.Archived, Receipts: r.Receipts,
		SystemMessages: r.SystemMessages, Metadata: r.Metadata.Given(),
	}
	if r.Posting != nil {
		p, _ := policy.ParsePosting(*r.Posting) // the schema admits only valid names
		d.Posting = &p
	}
	if r.RoomMentions != nil {
		g, _ := policy.ParseGrant(*r.RoomMentions)
		d.RoomMentions = &g
	}
	if r.Pinning != nil {
		g, _ := policy.ParseGrant(*r.Pinning)
		d.Pinning = &g
	}
	if r.SlowModeSeconds != nil {
		slow := time.Duration(*r.SlowModeSeconds) * time.Second
		d.SlowMode = &slow
	}
	if r.Place != nil {
		d.Place = &r.Place
	}
	return d
}

type putRoomInput struct {
	RoomPath
	OnlyCreate
	GuardedChange
	Body *RoomSettings
}

type roomOutput struct {
	Status int
	ETag   string `header:"ETag" doc:"For If-Match"`
	Body   roomBody
}

// roomAnswer returns the output for a changed room.
func roomAnswer(room chat.Room, status int) (*roomOutput, error) {
	out := &roomOutput{Status: status, Body: roomOf(room)}
	var err error
	out.ETag, err = settingsETag(room.Revision, out.Body)
	return out, err
}

func putRoomOperation() operation {
	return define(Write, roomPrice, huma.Operation{
		OperationID: "put-room", Method: http.MethodPut, Path: "/rooms/{room}",
		Summary: "Create a room, or replace a room's settings",
		Description: "201 when the room is new; the caller becomes its owner. A service, as itself, owns the room " +
			"without being a member, and may create private rooms, whose ids begin with p-. 200 when the caller owns " +
			"it: the request replaces its settings, and omitted settings get their defaults. archived, shards and " +
			"the name of a private room keep their values if omitted. 403 for the room's other members. For everyone " +
			"else the id is taken, which is 409. With If-None-Match: * it only creates: 412 when the caller owns the " +
			"room. With If-Match it never creates, and does not change shards. A new room is also a 409 for a person " +
			"in 1,000 rooms that are not archived.",
		Tags:          []string{"rooms"},
		Errors:        []int{http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed},
		DefaultStatus: http.StatusCreated,
		Responses:     map[string]*huma.Response{"200": {Description: "The caller's room in its current state"}},
	}, putRoom)
}

func putRoom(ctx context.Context, s *server, caller chat.UserID, in *putRoomInput) (*roomOutput, error) {
	id, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	var draft chat.RoomDraft
	if in.Body != nil {
		draft = in.Body.draft()
	}
	if err := in.Body.checkVisibility(ctx, id); err != nil {
		return nil, err
	}
	if draft.If, err = in.precondition(); err != nil {
		return nil, err
	}
	if in.IfNoneMatch != "" {
		if draft.If != nil {
			return nil,
				chat.Invalidf(ifNoneMatchHeader, "must be left out with If-Match, which requires the room to exist")
		}
		draft.If = &chat.Precondition{Absent: true}
		// costs less than the attempt to create it
		if a, err := s.service.Room(ctx, caller, id); err == nil && a.Role == policy.Owner {
			return nil, draft.If.Check(true, a.Room.Revision, false)
		}
	}
	room, created, err := s.service.PutRoom(ctx, caller, id, draft)
	if err != nil {
		return nil, err
	}
	return roomAnswer(room, createdStatus(created))
}

type getRoomInput struct {
	RoomPath
	Conditional
	Include []string `query:"include" enum:"people,count" maxItems:"2" uniqueItems:"true" doc:"people: the answer also has the name, avatar and status of everyone in it; count: also the number of members" example:"count"`
}

type deleteRoomInput struct {
	RoomPath
	GuardedChange
}

func deleteRoomOperation() operation {
	return define(Write, deleteRoomPrice, huma.Operation{
		OperationID: "delete-room", Method: http.MethodDelete, Path: "/rooms/{room}",
		Summary: "Delete a room",
		Description: "For owners. From then on, requests for the room and everything in it return 404, even to its " +
			"owners and even as a retry after a lost answer. The id cannot be reused: creating a room with it is " +
			"409. A deletion cannot be undone. Nobody can read the messages any more, but the table keeps them until " +
			"the operator purges the room, and backups keep them until the recovery period ends.",
		Tags:          []string{"rooms"},
		Errors:        []int{http.StatusNotFound, http.StatusPreconditionFailed},
		DefaultStatus: http.StatusNoContent,
	}, deleteRoom)
}

func deleteRoom(ctx context.Context, s *server, caller chat.UserID, in *deleteRoomInput) (*struct{}, error) {
	id, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	p, err := in.precondition()
	if err != nil {
		return nil, err
	}
	return nil, s.service.DeleteRoom(ctx, caller, id, p)
}

func getRoomOperation() operation {
	return define(Read, readPrice, huma.Operation{
		OperationID: "get-room", Method: http.MethodGet, Path: "/rooms/{room}",
		Summary: "Get a room",
		Description: "The settings of a room that the caller may read. For a person who is in the room, me has their " +
			"role, their read marker and their unread counts; a read marker that was moved within the last second " +
			"may still have its former position. The ETag changes with any part of the answer. The number before its " +
			"- is the revision of the settings: it rises when they change, when the room is archived and when " +
			"another service owns it, and not with messages, members, markers or shards.",
		Tags:      []string{"rooms"},
		Errors:    []int{http.StatusNotFound},
		Responses: unchanged,
	}, getRoom)
}

type getRoomOutput struct {
	Status int
	ETag   string `header:"ETag" doc:"Of the whole answer for If-None-Match, of the settings for If-Match"`
	Body   roomBody
}

func getRoom(ctx context.Context, s *server, caller chat.UserID, in *getRoomInput) (*getRoomOutput, error) {
	id, err := chat.ParseRoomID(in.Room)
	if err != nil {
		return nil, err
	}
	a, err := s.service.Room(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	out := &getRoomOutput{Body: roomOf(a.Room)}
	parts, inner := errgroup.WithContext(ctx)
	parts.Go(func() error {
		reading, ok, err := s.service.Inbox.ReadingOf(inner, a)
		if ok {
			out.Body.Me = &meBody{
				Role: a.Role.String(), Read: reading.Seq, Unread: reading.Unread, Mentions: reading.Mentions,
			}
		}
		return err
	})
	parts.Go(func() (err error) {
		out.Body.People, err = PeopleQuery{Include: in.Include}.people(inner, s, usersOfRooms([]chat.Room{a.Room}))
		return err
	})
	if slices.Contains(in.Include, includeCount) {
		parts.Go(func() error {
			n, err := s.service.Members.Count(inner, id)
			out.Body.MemberCount = &n
			return err
		})
	}
	if err := parts.Wait(); err != nil {
		return nil, err
	}
	out.ETag, err = settingsETag(a.Room.Revision, out.Body)
	out.Status = in.status(out.ETag)
	return out, err
}
