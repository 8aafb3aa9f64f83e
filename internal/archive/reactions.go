package archive

import (
	"context"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/reaction"
)

// react stores the missing reactions to a message, except those that an earlier import put and that
// were removed since, and counts all of them. It reports whether the store confirmed them.
func (l *loader) react(ctx context.Context, r Record, stored chat.Message) bool {
	if len(r.Reactions) == 0 {
		return true
	}
	var tally Group
	if stored.Deleted() {
		tally.add(Deleted, len(r.Reactions))
		l.countReactions(tally)
		return true
	}
	marks := l.reactedIn(stored)
	err := l.retry(ctx, func() error {
		before, err := marks.load(ctx, l.store.Table())
		if err != nil {
			return err
		}
		existing, err := l.reactions.To(ctx, stored.Room, stored.ID)
		if err != nil {
			return err
		}
		var missing []reaction.Reaction
		missing, tally = missingReactions(r.Reactions, existing, before, stored)
		return l.reactions.PutAll(ctx, missing)
	})
	if err == nil {
		marks.add(stored.ID, r.Reactions)
	}
	return l.reacted(ctx, r.Place, tally, err)
}

// reactToNew stores the reactions to messages that this load has created from jobs, and counts
// them. It reports whether the store confirmed them.
func (l *loader) reactToNew(ctx context.Context, jobs []job, created []chat.Message) bool {
	var all []reaction.Reaction
	var tally Group
	for i, j := range jobs {
		missing, n := missingReactions(j.Reactions, nil, nil, created[i])
		all = append(all, missing...)
		tally.merge(n)
	}
	if len(all) == 0 {
		return true
	}
	err := l.retry(ctx, func() error { return l.reactions.PutTogether(ctx, all) })
	for i, j := range jobs {
		if err == nil && len(j.Reactions) > 0 {
			l.reactedIn(created[i]).add(created[i].ID, j.Reactions)
		}
	}
	return l.reacted(ctx, jobs[0].Place, tally, err)
}

// reacted counts reactions after an attempt to store them, and reports whether it succeeded. It
// logs a failure with the place of the first message.
func (l *loader) reacted(ctx context.Context, at Place, tally Group, err error) bool {
	l.recordResult(err)
	if err == nil {
		l.countReactions(tally)
	} else if ctx.Err() == nil {
		l.warn(at, "its reactions could not be stored: "+err.Error())
	}
	return err == nil
}

func (l *loader) countReactions(tally Group) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report.Reactions.merge(tally)
}

// missingReactions returns the reactions to a message that must be stored in addition to the
// existing ones, within the limits of a message, and the tally of all reactions. before has the
// marks of those that earlier imports have put.
func missingReactions(
	given []Reaction, existing []reaction.Reaction, before map[string]bool, m chat.Message,
) (missing []reaction.Reaction, tally Group) {
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
		case before[markOf(m.ID, r)]:
			tally.add(RemovedSince, 1)
		case !known && len(people) >= chat.MaxEmoji:
			tally.add(ManyEmoji, 1)
		case n >= chat.MaxReactions:
			tally.add(ManyPeople, 1)
		default:
			people[r.Emoji]++
			missing = append(
				missing,
				reaction.Reaction{Room: m.Room, Message: m.ID, Emoji: r.Emoji, User: r.User, ReceivedAt: m.ReceivedAt},
			)
			tally.add(imported, 1)
		}
	}
	return missing, tally
}
