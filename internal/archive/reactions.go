package archive

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/reaction"
)

// Reactions stores reactions. The feed function counts them.
type Reactions interface {
	// ReactionsTo returns the reactions to a message, by a consistent read.
	ReactionsTo(ctx context.Context, room chat.RoomID, id chat.MessageID) ([]reaction.Reaction, error)
	// PutReactions stores reactions, each at most once in the list. Existing reactions do not
	// change.
	PutReactions(ctx context.Context, reactions []reaction.Reaction) error
}

// react stores the missing reactions to a message, and counts all of them. It reports whether the
// store confirmed them.
func (l *loader) react(ctx context.Context, r Record, stored chat.Message) bool {
	if stored.Deleted() {
		var tally Group
		tally.add(Deleted, len(r.Reactions))
		return l.countReactions(tally)
	}
	return l.addReactions(ctx, r, stored, l.store.ReactionsTo)
}

// reactToNew stores the reactions to a message that this load has created, and counts them. It
// reports whether the store confirmed them.
func (l *loader) reactToNew(ctx context.Context, r Record, stored chat.Message) bool {
	none := func(context.Context, chat.RoomID, chat.MessageID) ([]reaction.Reaction, error) { return nil, nil }
	return l.addReactions(ctx, r, stored, none)
}

// addReactions stores the reactions to a message that are not among those that read returns, and
// counts all of them. It reports whether the store confirmed them.
func (l *loader) addReactions(
	ctx context.Context, r Record, stored chat.Message,
	read func(context.Context, chat.RoomID, chat.MessageID) ([]reaction.Reaction, error),
) bool {
	if len(r.Reactions) == 0 {
		return true
	}
	var tally Group
	err := l.retry(ctx, func() error {
		existing, err := read(ctx, stored.Room, stored.ID)
		if err != nil {
			return err
		}
		var missing []reaction.Reaction
		missing, tally = missingReactions(r.Reactions, existing, stored)
		return l.store.PutReactions(ctx, missing)
	})
	l.recordResult(err)
	if err != nil {
		if ctx.Err() == nil {
			l.warn(r.Place, "its reactions could not be stored: "+err.Error())
		}
		return false
	}
	return l.countReactions(tally)
}

func (l *loader) countReactions(tally Group) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report.Reactions.merge(tally)
	return true
}

// missingReactions returns the reactions to a message that must be stored in addition to the
// existing ones, within the limits of a message, and the tally of all reactions.
func missingReactions(given []Reaction, existing []reaction.Reaction, m chat.Message) (missing []reaction.Reaction, tally Group) {
	have := map[Reaction]bool{}
	people := map[string]int{} // by emoji
	for _, r := range existing {
		have[Reaction{Emoji: r.Emoji, User: r.User}] = true
		people[r.Emoji]++
	}
	for _, r := range given {
		n, known := people[r.Emoji]
		switch {
		case have[r]:
			tally.add(alreadyThere, 1)
		case !known && len(people) >= chat.MaxEmoji:
			tally.add(ManyEmoji, 1)
		case n >= chat.MaxReactions:
			tally.add(ManyPeople, 1)
		default:
			people[r.Emoji]++
			missing = append(missing, reaction.Reaction{Room: m.Room, Message: m.ID, Emoji: r.Emoji, User: r.User, ReceivedAt: m.ReceivedAt})
			tally.add(imported, 1)
		}
	}
	return missing, tally
}
