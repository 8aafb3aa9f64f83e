package model

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/membership"
	"example.com/parley/internal/policy"
	"example.com/parley/internal/test/nightly"
)

const (
	// bugSteps is the number of operations of a run, in which most of the faults show.
	bugSteps = 2000
	// bugRuns bounds the runs until a fault shows. The rarest show in more than half of all runs.
	bugRuns = 40
	// gateBugs is the number of faults that every run of the tests injects.
	gateBugs = 6
)

func TestModel_CatchesEachSeededBug(t *testing.T) {
	t.Parallel()
	for _, b := range nightly.Share(bugs(), gateBugs) {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			first := nightly.Seed(t)
			for seed := range uint64(bugRuns) {
				w := newWorld(t, first+seed, b.inject)
				if err := w.run(bugSteps); err != nil {
					t.Logf("caught after %d operations of run %d", w.done, seed+1)
					return
				}
			}
			t.Errorf("%d runs of %d operations did not catch the bug", bugRuns, bugSteps)
		})
	}
}

// bug is a store with one fault. Each process of a world gets its own store.
type bug struct {
	name   string
	inject func(store) store
}

// bugs returns the faults. The first gateBugs show within some hundred operations.
func bugs() []bug {
	return []bug{
		{"a message is read in an old revision", func(s store) store { return &staleMessages{store: s} }},
		{"an acknowledged message is not stored", func(s store) store { return &lostMessages{store: s} }},
		{"the feed misses another writer's changes", func(s store) store { return hiddenTails{s} }},
		{"two people have several direct rooms", func(s store) store { return forgottenRecords{s} }},
		{"a removed member stays cached", func(s store) store { return &cachedMemberships{store: s, cache: map[chat.MemberOf]chat.Membership{}} }},
		{"a removal leaves a subscription", inOneProcess(func(s store) store { return lastingSubscriptions{s} })},
		{"a retry is stored as another message", func(s store) store { return duplicatedRetries{s} }},
		{"a retry is reported as new", func(s store) store { return retriesAsNew{s} }},
		{"a retry of an edited message is refused", func(s store) store { return lostDigests{s} }},
		{"an edit keeps the revision", func(s store) store { return unchangedRevisions{s} }},
		{"a deletion keeps the texts of versions", func(s store) store { return &undeletedVersions{store: s, texts: map[versionOf]string{}} }},
		{"a message loses its quote", func(s store) store { return lostQuotes{s} }},
		{"a quote shows an older text", func(s store) store { return &staleQuotes{store: s} }},
		{"a pin is not stored", func(s store) store { return withCalls(s, losePins) }},
		{"an unpinned message stays pinned", func(s store) store { return withCalls(s, keepPins) }},
		{"a second message has the same upload", func(s store) store { return withCalls(s, loseAssignments) }},
		{"a deletion keeps the uploads", func(s store) store { return withCalls(s, keepUploads) }},
		{"a cursor repeats the last message", func(s store) store { return repeatingCursor{s} }},
		{"a cursor skips messages of its millisecond", func(s store) store { return skippingCursor{s} }},
		{"a full page is reported as the last", func(s store) store { return falseLastPages{s} }},
		{"a short page is reported as the last", func(s store) store { return shortPages{s, 4, true, false} }},
		{"a page continues with half of its limit", func(s store) store { return shortPages{s, 2, true, true} }},
		{"a page without a cursor is short", func(s store) store { return shortPages{s, 4, false, true} }},
		{"marking as unread moves no marker back", func(s store) store { return withCalls(s, stuckMarkers) }},
		{"an older message is not searched", func(s store) store { return lateSegments{s} }},
		{"marking as unread shows in receipts", func(s store) store { return withCalls(s, backwardReceipts) }},
		{"a thread marker moves back", func(s store) store { return withCalls(s, backwardThreads) }},
		{"a reply is counted in the room", func(s store) store { return countedReplies{s} }},
		{"a tally without its version is overwritten", func(s store) store { return newLateTallies(s, true) }},
		{"a reaction counts twice after a replay", func(s store) store { return addedReactions{s} }},
		{"a saved message of a hidden room is shown", func(s store) store { return shownSaved{s} }},
		{"a stranger has a row of a mention", func(s store) store { return mentionedStrangers{s} }},
		{"a suspended person's message is accepted", func(s store) store { return forgottenSuspensions{s} }},
		{"a suspended person's message is stored", func(s store) store { return unguardedMessages{s} }},
		{"a blocked sender mentions people", func(s store) store { return mentionsOfBlocked{s} }},
		{"a removed mention keeps its row", func(s store) store { return withCalls(s, keepMentions) }},
		{"a read marker moves back", func(s store) store { return withCalls(s, backwardMarkers) }},
		{"a mark forgets preferences", func(s store) store { return withCalls(s, forgottenPreferences) }},
		{"a new member has everything unread", func(s store) store { return lostCounts{s} }},
		{"a ban removes the member", func(s store) store { return removingBans{s} }},
		{"a direct room does not bring people back", func(s store) store { return absentPeople{s} }},
		{"a request creates several rooms", func(s store) store { return forgottenRequests{s} }},
		{"a use of an invitation is not counted", func(s store) store { return uncountedUses{s} }},
		{"a second report of a person counts", func(s store) store { return withCalls(s, countReports) }},
		{"a resolved report stays open", func(s store) store { return withCalls(s, keepReportsOpen) }},
		{"a process takes messages in archived rooms", inOneProcess(func(s store) store { return unseenArchives{s} })},
		{"settings of a room stay cached", func(s store) store { return &cachedRooms{store: s, rooms: map[chat.RoomID]chat.Room{}} }},
		{"slow mode is not enforced", func(s store) store { return noSlowMode{s} }},
		{"the feed loses the last change of a batch", func(s store) store { return truncatedBatches{s} }},
		{"the feed assigns numbers without writing", func(s store) store { return &unwrittenSegments{store: s} }},
		{"the feed ignores a conflicting write", func(s store) store { return &ignoredConflicts{store: s} }},
		{"the feed forgets what it merged", func(s store) store { return forgottenMerges{s} }},
		{"the feed merges changes of two people", func(s store) store { return mergedPeople{s} }},
		{"changes skip the first of a second segment", func(s store) store { return &missingChanges{s} }},
		{"changes continue from expired segments", func(s store) store { return ignoredExpiry{s} }},
		{"changes return an old revision of a message", func(s store) store { return &staleChanges{store: s} }},
		{"a page's position ignores the index lag", func(s store) store { return earlyPositions{s} }},
		{"numbers of a removed feed start again", func(s store) store { return lostHeads{s} }},
		{"one's own messages count as unread", func(s store) store { return changedSegments{s, countsOwn} }},
		{"deleted messages count as unread", func(s store) store { return changedSegments{s, countsDeleted} }},
		{"a ban with an end never ends", func(s store) store { return endlessBans{s} }},
		{"the end of a mute forgets the former role", func(s store) store { return forgottenRoles{s} }},
		{"lists leave out people whose ban has ended", func(s store) store { return unlistedPeople{s} }},
		{"the feed of a deleted room stays open", func(s store) store { return &openFeeds{store: s} }},
		{"the feed of a deleted room continues", func(s store) store { return &endlessFeeds{store: s} }},
		{"a cached room is read after its deletion", func(s store) store { return unseenClosures{s} }},
		{"the id of a deleted room is free again", func(s store) store { return &freeIDs{store: s} }},
		{"a deletion of a room is lost", func(s store) store { return lostDeletions{s} }},
		{"deleted rooms stay in people's lists", func(s store) store { return withCalls(openHeads{s}, listDeletions) }},
		{"a head names an older message as the newest", func(s store) store { return &staleHeads{store: s} }},
	}
}

type lostMessages struct {
	store
	n int
}

func (b *lostMessages) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	if b.n++; b.n%20 == 0 {
		return m, true, nil
	}
	return b.store.PutMessage(ctx, m)
}

type duplicatedRetries struct{ store }

func (b duplicatedRetries) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	stored, created, err := b.store.PutMessage(ctx, m)
	if err == nil && !created {
		m.ID.UUID = uuid.Must(uuid.NewV7())
		_, _, err = b.store.PutMessage(ctx, m)
	}
	return stored, created, err
}

type retriesAsNew struct{ store }

func (b retriesAsNew) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	stored, _, err := b.store.PutMessage(ctx, m)
	return stored, true, err
}

type lostDigests struct{ store }

func (b lostDigests) PutMessage(ctx context.Context, m chat.Message) (chat.Message, bool, error) {
	stored, created, err := b.store.PutMessage(ctx, m)
	if stored.Revision > 1 {
		stored.Digest = nil
	}
	return stored, created, err
}

type unchangedRevisions struct{ store }

func (b unchangedRevisions) ReviseMessage(ctx context.Context, before, after chat.Message) (chat.Message, bool, error) {
	if !after.Deleted() && after.Revision%3 == 0 {
		after.Revision--
	}
	return b.store.ReviseMessage(ctx, before, after)
}

// versionOf identifies one text of a message.
type versionOf struct {
	id     chat.MessageID
	number int
}

type undeletedVersions struct {
	store
	texts map[versionOf]string
}

func (b *undeletedVersions) ReviseMessage(ctx context.Context, before, after chat.Message) (chat.Message, bool, error) {
	b.texts[versionOf{before.ID, before.Revision}] = before.Text
	return b.store.ReviseMessage(ctx, before, after)
}

func (b *undeletedVersions) MessageVersions(ctx context.Context, newest chat.Version, limit int) ([]chat.Version, error) {
	all, err := b.store.MessageVersions(ctx, newest, limit)
	for i, v := range all {
		if v.Text == "" {
			all[i].Text = b.texts[versionOf{v.ID, v.Number}]
		}
	}
	return all, err
}

// firsts keeps the first value of each key. Its methods may be called concurrently.
type firsts[K comparable, V any] struct{ values sync.Map }

// of returns the first value that was passed for key.
func (f *firsts[K, V]) of(key K, value V) V {
	first, _ := f.values.LoadOrStore(key, value)
	return first.(V)
}

type messageIn struct {
	room chat.RoomID
	id   chat.MessageID
}

// firstMessages keeps the first state of each message.
type firstMessages struct {
	messages firsts[messageIn, chat.Message]
}

func (f *firstMessages) of(m chat.Message) chat.Message {
	return f.messages.of(messageIn{m.Room, m.ID}, m)
}

type staleMessages struct {
	store
	first firstMessages
}

func (b *staleMessages) Message(ctx context.Context, room chat.RoomID, id chat.MessageID) (chat.Message, error) {
	m, err := b.store.Message(ctx, room, id)
	if err != nil {
		return m, err
	}
	return b.first.of(m), nil
}

// besideOf is MessagesWhileChecking with the fault of a store's Messages.
func besideOf(ctx context.Context, s store, span chat.MessageRange, check func() (bool, error)) ([]chat.Message, bool, error) {
	if _, err := check(); err != nil {
		return nil, false, err
	}
	return s.Messages(ctx, span)
}

type repeatingCursor struct{ store }

func (b repeatingCursor) MessagesWhileChecking(ctx context.Context, span chat.MessageRange, check func() (bool, error)) ([]chat.Message, bool, error) {
	return besideOf(ctx, b, span, check)
}

func (b repeatingCursor) Messages(ctx context.Context, span chat.MessageRange) ([]chat.Message, bool, error) {
	if span.After != nil {
		step := time.Millisecond
		if span.Order == chat.Oldest {
			step = -step
		}
		span.After = &chat.Position{At: span.After.At.Add(step), ID: span.After.ID}
	}
	return b.store.Messages(ctx, span)
}

type skippingCursor struct{ store }

func (b skippingCursor) MessagesWhileChecking(ctx context.Context, span chat.MessageRange, check func() (bool, error)) ([]chat.Message, bool, error) {
	return besideOf(ctx, b, span, check)
}

func (b skippingCursor) Messages(ctx context.Context, span chat.MessageRange) ([]chat.Message, bool, error) {
	if span.After != nil && span.Order == chat.Oldest {
		last := chat.MessageID{User: "~", UUID: uuid.Max}
		span.After = &chat.Position{At: span.After.At, ID: last}
	}
	return b.store.Messages(ctx, span)
}

type falseLastPages struct{ store }

func (b falseLastPages) MessagesWhileChecking(ctx context.Context, span chat.MessageRange, check func() (bool, error)) ([]chat.Message, bool, error) {
	return besideOf(ctx, b, span, check)
}

func (b falseLastPages) Messages(ctx context.Context, span chat.MessageRange) ([]chat.Message, bool, error) {
	page, more, err := b.store.Messages(ctx, span)
	return page, more && len(page) != 7, err
}

// shortPages returns pages without one of some parts, if they could be longer.
type shortPages struct {
	store
	parts           int
	continued, more bool // whether pages have a cursor, and whether they say that there is more
}

func (b shortPages) MessagesWhileChecking(ctx context.Context, span chat.MessageRange, check func() (bool, error)) ([]chat.Message, bool, error) {
	return besideOf(ctx, b, span, check)
}

func (b shortPages) Messages(ctx context.Context, span chat.MessageRange) ([]chat.Message, bool, error) {
	page, more, err := b.store.Messages(ctx, span)
	if missing := len(page) / b.parts; missing > 0 && len(page) == span.Limit && span.Continued == b.continued {
		return page[:len(page)-missing], b.more, err
	}
	return page, more, err
}

// TestModel_TakesShortPages shortens each page that may be short. A short page that is not allowed is
// one of the seeded bugs.
func TestModel_TakesShortPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nightly.Seed(t), func(s store) store { return shortPages{s, shortParts, true, true} })
	if err := w.run(nightly.Times(steps, bugSteps)); err != nil {
		t.Error(err)
	}
}

type lostCounts struct{ store }

func (b lostCounts) ChangeMembership(ctx context.Context, c membership.Change) (bool, error) {
	c.After.Count = 0
	return b.store.ChangeMembership(ctx, c)
}

type removingBans struct{ store }

func (b removingBans) ChangeMembership(ctx context.Context, c membership.Change) (bool, error) {
	if c.After.Role == policy.Banned && c.After.Room != "" && c.Before.Room != "" {
		c.After = chat.Membership{}
	}
	return b.store.ChangeMembership(ctx, c)
}

type cachedMemberships struct {
	store
	mu    sync.Mutex
	cache map[chat.MemberOf]chat.Membership
}

func (b *cachedMemberships) Membership(ctx context.Context, room chat.RoomID, user chat.UserID) (chat.Membership, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := chat.MemberOf{Room: room, User: user}
	if m, ok := b.cache[of]; ok && len(b.cache) < 8 {
		return m, nil
	}
	m, err := b.store.Membership(ctx, room, user)
	if len(b.cache) >= 8 {
		clear(b.cache)
	}
	b.cache[of] = m
	return m, err
}

type cachedRooms struct {
	store
	mu    sync.Mutex
	rooms map[chat.RoomID]chat.Room
}

func (b *cachedRooms) Room(ctx context.Context, id chat.RoomID) (chat.Room, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, ok := b.rooms[id]; ok {
		return r, nil
	}
	r, err := b.store.Room(ctx, id)
	if err == nil {
		b.rooms[id] = r
	}
	return r, err
}

type noSlowMode struct{ store }

func (b noSlowMode) TakeSlot(context.Context, chat.SlowModeSlot) (time.Duration, error) {
	return 0, nil
}
