package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/feed"
	"example.com/parley/internal/stream"
)

const (
	// appRepeats is the number of runs of an operation that an app needs.
	appRepeats = 5
	// clubMembers is the number of people in the room club, besides its owner.
	clubMembers = 40
	// clubBatches is the number of batches of 100 changes in the feed of the club. It has a known
	// message at both ends. Markers look for a message among the newest 1,000 changes first.
	clubBatches = 30
)

// appStep is an operation that an app needs. In its texts {n} is the number of the run, {id} a
// UUIDv7 of that run, and {near} and {far} are messages at the end and the beginning of a feed.
// {token} and {invite} name the invitation that the run has created.
type appStep struct {
	name string
	apiCall
}

const (
	get  = http.MethodGet
	put  = http.MethodPut
	post = http.MethodPost
)

// appSteps are run one after another, each for all runs. A later step may need the results of an
// earlier one.
var appSteps = [][]appStep{
	{
		{
			"create a private room",
			apiCall{method: post, path: "/rooms", body: `{"visibility":"private","name":"A room"}`},
		},
		{
			"create a private room with a requestId",
			apiCall{method: post, path: "/rooms", body: `{"visibility":"private","name":"A room","requestId":"{id}"}`},
		},
		{
			"the same again",
			apiCall{method: post, path: "/rooms", body: `{"visibility":"private","name":"A room","requestId":"{id}"}`},
		},
		{
			"open a direct room of ten, new",
			apiCall{
				method: post, path: "/rooms",
				body: `{"direct":["d{n}-1","d{n}-2","d{n}-3","d{n}-4","d{n}-5","d{n}-6","d{n}-7","d{n}-8","d{n}-9"]}`,
			},
		},
		{"get a room", apiCall{method: get, path: "/rooms/club"}},
		{"get a room with the number of its members, 41", apiCall{method: get, path: "/rooms/club?include=count"}},
		{"create a public room", apiCall{method: put, path: "/rooms/spare-{n}", body: `{"topic":"x"}`}},
		{"create a room that is taken", apiCall{method: put, path: "/rooms/spare-{n}", body: `{"topic":"x"}`}},
		{"change a room", apiCall{method: put, path: "/rooms/spare-{n}", body: `{"topic":"y"}`}},
		{
			"create a private room with 4 KB of metadata",
			apiCall{
				method: post, path: "/rooms",
				body:   `{"visibility":"private","name":"A room","metadata":{"a":"` + strings.Repeat("x", 4000) + `"}}`,
				caller: "collector",
			},
		},
		{
			"list my rooms, 5 with 4 KB of metadata each",
			apiCall{method: get, path: "/people/me/rooms", caller: "collector"},
		},
		{"list public rooms, 6", apiCall{method: get, path: "/rooms"}},
	}, {
		{
			"join a room",
			apiCall{method: put, path: "/rooms/spare-{n}/members/me", body: `{"role":"member"}`, caller: "someone-1"},
		},
		{
			"add a person to a room",
			apiCall{method: put, path: "/rooms/spare-{n}/members/someone-2", body: `{"role":"member"}`},
		},
		{
			"mute a person until an hour",
			apiCall{
				method: put, path: "/rooms/spare-{n}/members/someone-2",
				body: `{"role":"muted","until":"{later}","reason":"spam"}`,
			},
		},
		{"ban a person", apiCall{method: put, path: "/rooms/spare-{n}/members/someone-2", body: `{"role":"banned"}`}},
		{"list members, 41", apiCall{method: get, path: "/rooms/club/members?limit=50"}},
		{
			"list members, 41, with their people",
			apiCall{method: get, path: "/rooms/club/members?limit=50&include=people"},
		},
		{"get a member", apiCall{method: get, path: "/rooms/club/members/someone-1"}},
		{"list bans, 1", apiCall{method: get, path: "/rooms/spare-{n}/bans"}},
		{"create an invitation", apiCall{method: post, path: "/rooms/spare-{n}/invites", body: `{}`}},
		{"list invitations, 1", apiCall{method: get, path: "/rooms/spare-{n}/invites"}},
		{"come in by an invitation", apiCall{method: post, path: "/invites/{token}", caller: "someone-3"}},
		{"come in again", apiCall{method: post, path: "/invites/{token}", caller: "someone-3"}},
		{"revoke an invitation", apiCall{method: http.MethodDelete, path: "/rooms/spare-{n}/invites/{invite}"}},
		{"hand over a room", apiCall{method: put, path: "/rooms/spare-{n}/owner", body: `{"user":"someone-1"}`}},
		{"leave a room", apiCall{method: http.MethodDelete, path: "/rooms/spare-{n}/members/me"}},
		{
			"archive a room",
			apiCall{method: put, path: "/rooms/spare-{n}", body: `{"archived":true}`, caller: "someone-1"},
		},
		{"delete a room", apiCall{method: http.MethodDelete, path: "/rooms/spare-{n}", caller: "someone-1"}},
	}, {
		{
			"open a page of 10 beside a message",
			apiCall{method: get, path: "/rooms/club/messages?limit=10&before={near}"},
		},
		{
			"open a page of 10 around a message",
			apiCall{method: get, path: "/rooms/club/messages?limit=10&around={near}"},
		},
		{
			"mark as read by a near message",
			apiCall{method: put, path: "/rooms/club/read", body: `{"message":"{near}"}`, caller: "someone-{n}"},
		},
		{
			"mark as read by a far message",
			apiCall{method: put, path: "/rooms/club/read", body: `{"message":"{far}"}`, caller: "someone-1{n}"},
		},
		{
			"mark as unread from a near message",
			apiCall{method: put, path: "/rooms/club/read", body: `{"unreadFrom":"{near}"}`, caller: "someone-{n}"},
		},
		{
			"post a message for somebody",
			apiCall{
				method: post, path: "/rooms/club/messages", body: `{"text":"hello"}`, caller: "helpdesk",
				actAs: "someone-1",
			},
		},
		{
			"report a message",
			apiCall{
				method: post, path: "/rooms/club/messages/{near}/reports", body: `{"reason":"spam"}`,
				caller: "someone-{n}",
			},
		},
		{"list reports of a room, 5", apiCall{method: get, path: "/rooms/club/reports"}},
		{"list all open reports, 5", apiCall{method: get, path: "/reports", caller: "helpdesk", service: true}},
		{
			"resolve a report",
			apiCall{
				method: http.MethodPatch, path: "/rooms/club/reports/{near}~someone-{n}", body: `{"resolved":true}`,
			},
		},
		{"list reports of a room, 5 resolved", apiCall{method: get, path: "/rooms/club/reports"}},
	}, {
		{
			"save a profile, new",
			apiCall{
				method: put, path: "/people/me", body: `{"name":"Rhianna Cohen","metadata":{"desk":"4-17"}}`,
				caller: "someone-{n}",
			},
		},
		{
			"change a status",
			apiCall{
				method: put, path: "/people/me", body: `{"name":"Rhianna Cohen","status":{"text":"on holiday {n}"}}`,
				caller: "someone-1",
			},
		},
		{"get a person", apiCall{method: get, path: "/people/someone-1"}},
		{"get 10 people by their ids", apiCall{method: get, path: "/people?ids=someone-0,someone-1,someone-2," +
			"someone-3,someone-4,someone-5,someone-6,someone-7,someone-8,someone-9"}},
		{"search people, 5 found", apiCall{method: get, path: "/people?name=coh"}},
		{"block a person", apiCall{method: put, path: "/people/me/blocks/stranger-{n}"}},
		{"list blocks, 5", apiCall{method: get, path: "/people/me/blocks"}},
		{"unblock a person", apiCall{method: http.MethodDelete, path: "/people/me/blocks/stranger-{n}"}},
	},
}

// inviteAnswer is the part of a new invitation that later steps need.
type inviteAnswer struct{ ID, Token string }

// appOperations counts the operations that an app needs besides posting and reading, in a separate
// room.
func (b *Bench) appOperations(ctx context.Context) ([]Operation, error) {
	o := newOperations(b)
	near, far, err := o.club(ctx)
	if err != nil {
		return nil, fmt.Errorf("prepare the club: %w", err)
	}
	var all []Operation
	invites := make([]inviteAnswer, o.appRuns)
	for _, group := range appSteps {
		for _, s := range group {
			var sum Operation
			for n := range o.appRuns {
				fill := strings.NewReplacer("{n}", strconv.Itoa(n), "{id}", chat.NewUUID(
					time.Now().Truncate(time.Hour), [10]byte{9: byte(n)},
				).String(),
					"{near}", near.String(), "{far}", far.String(), "{later}",
					time.Now().Add(time.Hour).UTC().Format(time.RFC3339),
					"{token}", invites[n].Token, "{invite}", invites[n].ID)
				c := s.apiCall
				c.path, c.body, c.caller = fill.Replace(c.path), fill.Replace(c.body), fill.Replace(c.caller)
				one, err := o.call(ctx, c)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", s.name, err)
				}
				sum.add(one)
				if s.name == "create an invitation" {
					if err := json.Unmarshal(one.answer, &invites[n]); err != nil {
						return nil, err
					}
				}
			}
			all = append(all, sum.mean(s.name, o.appRuns))
		}
	}
	return all, nil
}

// club creates a room of many people with a long feed, and returns the last and the first message
// of the feed.
func (o *operations) club(ctx context.Context) (near, far chat.MessageID, err error) {
	if _, err := o.call(ctx, apiCall{method: put, path: "/rooms/club"}); err != nil {
		return near, far, err
	}
	for n := range clubMembers {
		c := apiCall{
			method: put, path: "/rooms/club/members/me", body: `{"role":"member"}`,
			caller: fmt.Sprintf("someone-%d", n),
		}
		if _, err := o.call(ctx, c); err != nil {
			return near, far, err
		}
	}
	appender := stream.NewAppender(stream.Options{Store: o.store(), Clock: time.Now})
	for batch := range clubBatches {
		changes := someChanges(0, batch, 99)
		if near, err = o.post(ctx, "club"); err != nil {
			return near, far, err
		}
		if batch == 0 {
			far = near
		}
		changes = append(changes, feed.StreamChange{
			Change: feed.Change{Type: feed.MessageCreated, Message: near, Revision: 1}, Created: time.Now(),
		})
		if _, err := appender.Append(ctx, "club", feedGeneration, changes); err != nil {
			return near, far, err
		}
	}
	return near, far, nil
}
