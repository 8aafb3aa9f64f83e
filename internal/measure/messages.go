package measure

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
)

const (
	// pageMessages is the number of messages in the rooms whose pages are compared.
	pageMessages = 50
	// reactedBy is the number of people who react to each message of such a room, with one of two
	// emoji each.
	reactedBy = 3
	thumb     = "%F0%9F%91%8D" // 👍 in a path
)

// messageStep is an operation on messages with the figure that it was designed to consume. In its
// texts {n} is the number of the run, {root} a message with a thread, {message} another one for
// each run, and {head} the last number of the room's feed.
type messageStep struct {
	name, goal string
	apiCall
}

// messageSteps are run one after another, each for all runs. The goals count what a warm process
// consumes. Here every cache is empty, so a call also reads the room and its shards: up to 2 units.
var messageSteps = []messageStep{
	{
		"react to a message", "2 R + 2 W",
		apiCall{method: put, path: "/rooms/talk/messages/{message}/reactions/" + thumb},
	},
	{
		"repeat a reaction", "2 R + 1 W, refused",
		apiCall{method: put, path: "/rooms/talk/messages/{message}/reactions/" + thumb},
	},
	{
		"list who reacted, 1", "½ R for 4 KB",
		apiCall{method: get, path: "/rooms/talk/messages/{message}/reactions?emoji=" + thumb},
	},
	{
		"remove a reaction", "2 R + 2 W",
		apiCall{method: http.MethodDelete, path: "/rooms/talk/messages/{message}/reactions/" + thumb},
	},
	{"post a message", "2 W", apiCall{method: post, path: "/rooms/talk/messages", body: `{"text":"{text}"}`}},
	{
		"post a message with a quote", "2 W + 1 R",
		apiCall{method: post, path: "/rooms/talk/messages", body: `{"text":"{text}","quote":"{root}"}`},
	},
	{
		"post a message that mentions 3 people", "2 W",
		apiCall{
			method: post, path: "/rooms/talk/messages",
			body: `{"text":"{text}","mentions":["someone-01","someone-02","someone-03"]}`,
		},
	},
	{"list my mentions, 5", "", apiCall{method: get, path: "/people/me/mentions", caller: "someone-20"}},
	{"list my rooms, 5, of which mentions in 1 are counted", "", apiCall{method: get, path: "/people/me/rooms"}},
	{
		"post a reply", "2 W + 1 R",
		apiCall{method: post, path: "/rooms/talk/messages", body: `{"text":"{text}","thread":"{root}"}`},
	},
	{
		"list replies, 50 of a thread", "½ R for 4 KB",
		apiCall{method: get, path: "/rooms/talk/messages/{root}/replies?limit=50"},
	},
	{"list the threads of a room, 5", "½ R for 4 KB", apiCall{method: get, path: "/rooms/talk/threads"}},
	{"list my threads, 5", "½ R for 4 KB", apiCall{method: get, path: "/people/me/threads"}},
	{
		"mark a thread as read", "1–2 W",
		apiCall{method: put, path: "/rooms/talk/messages/{root}/read", body: `{"seq":{head}}`},
	},
	{"follow a thread", "1–2 W", apiCall{method: put, path: "/rooms/talk/messages/{message}/follow"}},
	{"unfollow a thread", "1–2 W", apiCall{method: http.MethodDelete, path: "/rooms/talk/messages/{message}/follow"}},
	{"pin a message", "1–8 W", apiCall{method: put, path: "/rooms/talk/messages/{message}/pin"}},
	{"list pins, 5", "", apiCall{method: get, path: "/rooms/talk/pins"}},
	{"unpin a message", "1–8 W", apiCall{method: http.MethodDelete, path: "/rooms/talk/messages/{message}/pin"}},
	{"save a message", "2 W", apiCall{method: put, path: "/people/me/saved/talk/{message}"}},
	{"list saved messages, 5", "", apiCall{method: get, path: "/people/me/saved"}},
	{"remove a saved message", "2 W", apiCall{method: http.MethodDelete, path: "/people/me/saved/talk/{message}"}},
	{"open a page of 50 without reactions", "", apiCall{method: get, path: "/rooms/page-none/messages"}},
	{"the same, by a non-member", "", apiCall{method: get, path: "/rooms/page-none/messages", caller: "reader"}},
	{
		"open a page of 50, 10 with reactions, by a non-member", "½ R more",
		apiCall{method: get, path: "/rooms/page-some/messages", caller: "reader"},
	},
	{
		"open a page of 50, 10 with reactions, all the caller's", "½ R more",
		apiCall{method: get, path: "/rooms/page-some/messages"},
	},
	{
		"open a page of 50, all with reactions, by a non-member", "½ R more",
		apiCall{method: get, path: "/rooms/page-each/messages", caller: "reader"},
	},
	{
		"open a page of 50, all with reactions, all the caller's", "½ R for 4 KB more",
		apiCall{method: get, path: "/rooms/page-each/messages"},
	},
	{
		"open a page of 50 with 10 quotes of older messages", "5 R more",
		apiCall{method: get, path: "/rooms/page-quot/messages"},
	},
}

// MessageFigures counts operations on messages other than posting and reading them, and the feed
// function's work for them.
func (b *Bench) MessageFigures(ctx context.Context) ([]Figure, error) {
	o := newOperations(b)
	if err := errors.Join(
		dynamo.CreateLogTable(ctx, b.db, o.logTable()), dynamo.CreateLiveTable(ctx, b.db, o.liveTable()),
	); err != nil {
		return nil, err
	}
	follow, figures, err := o.followUps(ctx)
	if err != nil {
		return nil, fmt.Errorf("what follows: %w", err)
	}
	if err := o.pageRooms(ctx, follow); err != nil {
		return nil, fmt.Errorf("prepare pages: %w", err)
	}
	fresh := make([]chat.MessageID, o.appRuns)
	for n := range fresh {
		m, err := o.send(ctx, typicalUser, followedRoom, chat.MessageDraft{Text: typicalWords()})
		if err != nil {
			return nil, err
		}
		fresh[n] = m.ID
	}
	for _, s := range messageSteps {
		var sum Operation
		for n := range o.appRuns {
			c := s.apiCall
			fill := strings.NewReplacer("{n}", strconv.Itoa(n), "{message}", fresh[n].String(), "{root}",
				follow.roots[n].String(),
				"{text}", typicalWords(), "{head}", strconv.FormatInt(follow.head, 10))
			c.path, c.body = fill.Replace(c.path), fill.Replace(c.body)
			one, err := o.call(ctx, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			sum.add(one)
		}
		figures = append(figures, figureOf(sum.mean(s.name, o.appRuns), s.goal))
	}
	return figures, nil
}

// figureOf returns an operation as a line of the bench's table.
func figureOf(o Operation, goal string) Figure {
	value := fmt.Sprintf("%.2f R and %.2f W", o.Reads, o.Writes)
	if o.AnswerBytes > 0 {
		value += fmt.Sprintf("; the response has %.0f bytes", o.AnswerBytes)
	}
	return Figure{Name: o.Name, Value: value, Goal: goal}
}

func typicalWords() string { return strings.Repeat("a", typicalText) }

// pageRooms creates rooms whose pages are equal except for reactions and quotes; even their ids
// have equal length.
func (o *operations) pageRooms(ctx context.Context, follow *followUps) error {
	for room, reactedEvery := range map[chat.RoomID]int{
		"page-none": 0, "page-some": 5, "page-each": 1, "page-quot": 0,
	} {
		older, err := o.sendMany(ctx, room, chat.MessageDraft{Text: typicalWords()}, pageMessages)
		if err != nil {
			return err
		}
		for i := range pageMessages {
			draft := chat.MessageDraft{Text: typicalWords()}
			if room == "page-quot" && i < 10 {
				draft.Quote = older[i].ID
			}
			m, err := o.send(ctx, typicalUser, room, draft)
			if err != nil {
				return err
			}
			if reactedEvery == 0 || i%reactedEvery > 0 {
				continue
			}
			if err := o.reactTo(ctx, m); err != nil {
				return err
			}
			if _, err := follow.counter.Count(ctx, room, m.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// reactTo lets people, including the typical user, react to a message.
func (o *operations) reactTo(ctx context.Context, m chat.Message) error {
	for n := range reactedBy {
		c := apiCall{
			method: put,
			path:   fmt.Sprintf("/rooms/%s/messages/%s/reactions/%s", m.Room, m.ID, []string{thumb, "%E2%9D%A4"}[n%2]),
		}
		if n > 0 {
			c.caller = fmt.Sprintf("someone-%d", n)
		}
		if _, err := o.call(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// sendMany creates a room, if necessary, and posts messages there.
func (o *operations) sendMany(
	ctx context.Context, room chat.RoomID, draft chat.MessageDraft, n int,
) ([]chat.Message, error) {
	if _, err := o.call(ctx, apiCall{method: put, path: "/rooms/" + string(room)}); err != nil {
		return nil, err
	}
	all := make([]chat.Message, n)
	for i := range all {
		var err error
		if all[i], err = o.send(ctx, typicalUser, room, draft); err != nil {
			return nil, err
		}
	}
	return all, nil
}
