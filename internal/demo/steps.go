package demo

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/document"
	"example.com/parley/internal/reaction"
)

// step is something that somebody did at a time.
type step struct {
	at   time.Time
	name string
	do   func(context.Context) error
}

// steps returns what happened in the room after its creation, in the order of the file.
func (s *scene) steps() (all []step) {
	root := 0
	for i, m := range s.room.Messages {
		name := fmt.Sprintf("line %d", m.Line)
		if !m.Reply {
			root = i
		}
		at := m.At.on(s.Now)
		all = append(all, step{at, name, s.posting(i, root)})
		for _, e := range m.Edits {
			all = append(all, step{e.At.on(s.Now), name, func(ctx context.Context) error { return s.edit(ctx, i, e) }})
		}
		if m.DeletedAt != nil {
			all = append(all, step{m.DeletedAt.on(s.Now), name, func(ctx context.Context) error {
				_, err := s.app.DeleteMessage(
					ctx, m.By, chat.Revision{Room: s.id, ID: s.ids[i], Base: chat.AnyRevision},
				)
				return err
			}})
		}
	}
	for _, d := range s.room.Documents {
		for i, save := range d.Saves {
			all = append(all, step{
				save.At.on(s.Now), "document " + d.ID, func(ctx context.Context) error { return s.save(ctx, d, i) },
			})
		}
	}
	return all
}

// posting returns post for a message and the root of its thread.
func (s *scene) posting(i, root int) func(context.Context) error {
	return func(ctx context.Context) error { return s.post(ctx, i, root) }
}

// post posts a message, with what others did with it.
func (s *scene) post(ctx context.Context, i, root int) error {
	m := s.room.Messages[i]
	text, mentions := s.text(m.Text)
	draft := chat.MessageDraft{Text: text, Mentions: mentions, ShowInRoom: m.ShowInRoom}
	if m.Reply {
		draft.Thread = s.ids[root]
	}
	for j, quoted := range s.room.Messages[:i] {
		if !quoted.Reply && quoted.By == m.Quotes {
			draft.Quote = s.ids[j]
		}
	}
	if len(m.Poll) > 0 {
		draft.Poll = &chat.Poll{Multiple: m.Several}
		for _, o := range m.Poll {
			draft.Poll.Options = append(draft.Poll.Options, o.Text)
		}
	}
	if len(m.Files) > 0 {
		draft.UUID = s.newID("message", fmt.Sprint(m.Line))
		files, err := s.putFiles(ctx, m, chat.MessageID{UUID: draft.UUID, User: m.By})
		if err != nil {
			return err
		}
		draft.Attachments = files
	}
	posted, _, err := s.app.PostMessage(ctx, m.By, s.id, draft)
	if err != nil {
		return err
	}
	s.ids[i] = posted.ID
	if err := s.vote(ctx, m, posted.ID); err != nil {
		return err
	}
	if err := s.react(ctx, m, posted); err != nil {
		return err
	}
	for _, user := range m.SavedBy {
		if err := s.app.Saved.Save(ctx, user, s.id, posted.ID); err != nil {
			return err
		}
	}
	if m.PinnedBy == "" {
		return nil
	}
	return s.app.Pins.Pin(ctx, m.PinnedBy, s.id, posted.ID)
}

// vote votes in the poll of a message.
func (s *scene) vote(ctx context.Context, m Message, id chat.MessageID) error {
	choices := map[chat.UserID][]int{}
	for i, o := range m.Poll {
		for _, user := range o.By {
			choices[user] = append(choices[user], i)
		}
	}
	for user, chosen := range choices {
		if err := s.app.Polls.Vote(ctx, user, s.id, id, chosen); err != nil {
			return err
		}
	}
	return nil
}

// react stores the reactions to a message in one call, because there are many.
func (s *scene) react(ctx context.Context, m Message, posted chat.Message) error {
	var all []reaction.Reaction
	for _, r := range m.Reactions {
		key, err := reaction.Key(r.Emoji)
		if err != nil {
			return err
		}
		for _, user := range r.By {
			all = append(all, reaction.Reaction{
				Room: s.id, Message: posted.ID, Emoji: key, User: user, ReceivedAt: posted.ReceivedAt,
			})
		}
	}
	return reaction.NewStore(s.Store.Table()).PutAll(ctx, all)
}

func (s *scene) edit(ctx context.Context, i int, e Edit) error {
	text, mentions := s.text(e.Text)
	edit := chat.MessageEdit{Text: &text, Mentions: &mentions.Users, MentionRoom: &mentions.Room}
	_, _, err := s.app.EditMessage(
		ctx, s.room.Messages[i].By, chat.Revision{Room: s.id, ID: s.ids[i], Base: chat.AnyRevision}, edit,
	)
	return err
}

// save saves a version of a part. The first one creates the document.
func (s *scene) save(ctx context.Context, d Document, i int) error {
	save := d.Saves[i]
	if i == 0 {
		if _, _, err := s.app.Documents.PutDocument(
			ctx, save.By, s.id, document.ID(d.ID), document.Draft{Title: &d.Title},
		); err != nil {
			return err
		}
	}
	base := 0
	for _, before := range d.Saves[:i] {
		if before.Part == save.Part {
			base++
		}
	}
	text, _ := s.text(save.Text)
	_, _, err := s.app.Documents.SavePart(ctx, save.By, document.PartDraft{
		Room: s.id, Document: document.ID(d.ID), Part: document.PartID(save.Part), Text: text, Base: base,
	})
	return err
}

var (
	// named are the people in a text, and "room" for everyone there.
	named = regexp.MustCompile(`\B@[a-z]+`)
	// dated are the words that depend on the time: {tomorrow}, {yesterday}, and the weekday of a
	// later or earlier working day, such as {+2}.
	dated = regexp.MustCompile(`\{(tomorrow|yesterday|[+-]\d)\}`)
)

// text returns a text as it is posted now, with the full names of people after an @.
func (s *scene) text(text string) (posted string, m chat.Mentions) {
	posted = named.ReplaceAllStringFunc(text, func(at string) string {
		if at == "@room" {
			m.Room = true
			return at
		}
		for _, p := range s.week.People {
			if string(p.User) == at[1:] {
				m.Users = append(m.Users, p.User)
				return "@" + p.Name
			}
		}
		return at
	})
	slices.Sort(m.Users)
	m.Users = slices.Compact(m.Users)
	return dated.ReplaceAllStringFunc(posted, func(word string) string { return dayName(word[1:len(word)-1], s.now) }),
		m
}

// dayName returns what a person calls a working day: tomorrow is "on Monday" on a Friday.
func dayName(word string, now time.Time) string {
	if word != "tomorrow" && word != "yesterday" {
		n, _ := strconv.Atoi(word) // which the expression matches
		return workday(now, n).Weekday().String()
	}
	n, name := 1, "on "
	if word == "yesterday" {
		n, name = -1, ""
	}
	if day := workday(now, n); day.Day() != now.AddDate(0, 0, n).Day() {
		return name + day.Weekday().String()
	}
	return word
}
