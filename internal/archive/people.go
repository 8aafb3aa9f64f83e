package archive

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"example.com/parley/internal/account"
	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/visual"
)

// leftReason is the reason for the suspension of people who had left before the import.
const leftReason = "left before the import"

// putPeople creates the profiles of people and programs. It does not change existing profiles,
// and brings nobody back who was deleted. It notes the names of all of them.
func (l *loader) putPeople(ctx context.Context, listed []Person) {
	all := map[chat.UserID]Person{}
	for _, p := range listed {
		_, twice := all[p.User]
		if _, known := l.names[p.User]; !twice && !known { // the first entry of a person who is listed twice
			all[p.User] = p
		}
	}
	users := slices.Sorted(maps.Keys(all))
	existing := l.profiles(ctx, users)
	l.each(ctx, users, func(user chat.UserID) {
		name, outcome := l.putPerson(ctx, all[user], existing[user])
		l.mu.Lock()
		defer l.mu.Unlock()
		l.names[user] = name
		l.report.People.add(outcome, 1)
	})
}

// writers returns the people who can sign in.
func (l *loader) writers(listed []Person) []Writer {
	out := map[chat.UserID]bool{}
	users := maps.Clone(l.wrote)
	for _, p := range listed {
		users[p.User] += 0 // people who wrote nothing can also sign in
		out[p.User] = out[p.User] || p.Bot || p.Left
	}
	for user := range users {
		_, bot := l.bots[user]
		if bot || out[user] || l.erased[user] {
			delete(users, user)
		}
	}
	var all []Writer
	for user, n := range users {
		all = append(all, Writer{User: user, Name: l.nameOf(user), Messages: n})
	}
	slices.SortFunc(all, func(a, b Writer) int {
		return cmp.Or(cmp.Compare(b.Messages, a.Messages), cmp.Compare(a.Name, b.Name), cmp.Compare(a.User, b.User))
	})
	return all
}

// nameOf returns the name of a person in lists.
func (l *loader) nameOf(user chat.UserID) string { return cmp.Or(l.names[user], string(user)) }

// wasErased reports whether a person was deleted here. It reads the account once, for 1 read
// unit.
func (l *loader) wasErased(ctx context.Context, user chat.UserID) (bool, error) {
	l.mu.Lock()
	erased, known := l.erased[user]
	l.mu.Unlock()
	if known {
		return erased, nil
	}
	a, err := l.accounts.CurrentAccount(ctx, user)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.erased[user] = !a.Erasure.At.IsZero()
	}
	return !a.Erasure.At.IsZero(), err
}

// profiles returns the profiles that people already have. If it misses one, the put finds it.
func (l *loader) profiles(ctx context.Context, users []chat.UserID) map[chat.UserID]people.Person {
	existing := map[chat.UserID]people.Person{}
	if found, err := l.people.Profiles(ctx, users); err == nil {
		for _, p := range found {
			existing[p.User] = p
		}
	}
	return existing
}

// putPerson creates a profile, unless there is one. It returns the name in it.
func (l *loader) putPerson(ctx context.Context, p Person, existing people.Person) (name string, outcome Reason) {
	after, outcome := l.profile(p)
	if outcome != "" {
		return string(p.User), outcome
	}
	if existing.Revision > 0 {
		return existing.Name, alreadyThere
	}
	erased := false
	err := l.retry(ctx, func() (err error) {
		if erased, err = l.wasErased(ctx, p.User); erased || err != nil {
			return err
		}
		if p.Left { // first, so that an interrupted import forgets nobody
			if _, err := l.accounts.Suspend(
				ctx, p.User, account.Suspension{At: l.Now, By: account.Owner, Reason: leftReason},
			); err != nil {
				return err
			}
		}
		created, err := l.people.PutPerson(ctx, people.Person{User: p.User}, after)
		if err == nil && !created {
			existing, err = l.people.Person(ctx, p.User)
		}
		return err
	})
	switch {
	case err != nil:
		l.Log.WarnContext(ctx, "a profile could not be stored", "user", p.User, "err", err)
		return string(p.User), NotStored
	case erased:
		return string(p.User), Erased
	case existing.Revision > 0:
		return existing.Name, alreadyThere
	}
	return after.Name, imported
}

// profile returns the profile of p, without the title and the picture if they are invalid. If the
// name is invalid, it returns the reason.
func (l *loader) profile(p Person) (people.Person, Reason) {
	draft := people.Draft{Name: visual.Clean(oneSpace(p.Name)), Bot: &p.Bot, Service: true}
	profile, err := people.NewPerson(p.User, draft)
	if err != nil {
		return people.Person{}, BadName
	}
	title, handle := oneSpace(p.Title), ""
	if p.Handle != "" {
		if text, err := json.Marshal(map[string]string{"handle": strings.ToValidUTF8(p.Handle, "\uFFFD")}); err == nil {
			handle = string(text)
		}
	}
	for _, part := range []struct {
		value  string
		at     **string
		reason Reason
	}{{title, &draft.Title, BadTitle}, {p.Avatar, &draft.Avatar, BadAvatar}, {handle, &draft.Metadata, BadHandle}} {
		if part.value == "" {
			continue
		}
		*part.at = &part.value
		with, err := people.NewPerson(p.User, draft)
		if err == nil {
			profile = with
			continue
		}
		*part.at = nil
		l.mu.Lock()
		l.report.LeftOut[part.reason]++
		l.mu.Unlock()
	}
	return profile, ""
}

// oneSpace replaces runs of white space by single spaces and trims the ends, where other systems
// allow white space.
func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// each calls f with each user, concurrently in the given number of workers, until ctx ends or the
// store is down.
func (l *loader) each(ctx context.Context, users []chat.UserID, f func(chat.UserID)) {
	queue := make(chan chat.UserID)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer close(queue)
	for range l.Workers {
		workers.Go(func() {
			for user := range queue {
				f(user)
			}
		})
	}
	for _, user := range users {
		if ctx.Err() != nil {
			return
		}
		queue <- user
	}
}
