package hook

import (
	"context"
	"slices"
	"strings"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/table"
)

// Settings are what its holder decides about a hook.
type Settings struct {
	Wanted          // ignored for a room's hook
	Types  []string // as in Hook
	URL    string   // empty for a hook that is fetched, which rooms do not have
	Off    bool
}

// Put creates a hook, or changes its settings. A new hook receives the changes that are made after
// Put returns. A room that a hook gets later begins with its next change. secret signs the requests
// to the URL of a new hook, and is empty otherwise. Putting a hook that was disabled for its
// failures enables it.
//
// The hook of a room has the rights of the person who put it last. It is sent nothing until its
// receiver has answered a challenge, as it does for each new URL.
//
// The error is Invalid for wrong settings, also without the URL of a hook that has one. It is
// Conflict for the URL of a hook that is fetched, and if the holder or the deployment has as many
// hooks as it may. A new hook reads all others: 1 read unit for every 4 KB, which hold some 30
// hooks. It is one write unit for each KB, and 1 for the secret.
func (s *Service) Put(
	ctx context.Context, a Access, id ID, want Settings,
) (h Hook, created bool, secret string, err error) {
	if room := a.holder.Room(); room != "" {
		want.Wanted = Wanted{Rooms: []chat.RoomID{room}}
	}
	if err := s.check(a, want); err != nil {
		return Hook{}, false, "", err
	}
	slices.Sort(want.Types)
	want.Types = slices.Compact(want.Types)
	slices.Sort(want.Rooms)
	want.Rooms = slices.Compact(want.Rooms)
	for range chat.MaxChangeTries {
		before, found, err := s.hook(ctx, a.holder, id)
		if err != nil {
			return Hook{}, false, "", err
		}
		if found {
			h, ok, err := s.change(ctx, a, before, want)
			if ok || err != nil {
				return h, false, "", err
			}
			continue
		}
		h, secret, ok, err := s.create(ctx, a, id, want)
		if ok || err != nil {
			return h, true, secret, err
		}
	}
	return Hook{}, false, "", chat.TooBusy()
}

// check returns an Invalid error for wrong settings.
func (s *Service) check(a Access, want Settings) error {
	if err := want.check(); err != nil {
		return err
	}
	for _, name := range want.Types {
		if !slices.Contains(Types(), name) {
			return chat.Invalidf("types", "must be of %s", strings.Join(Types(), ", "))
		}
	}
	if want.URL == "" {
		if a.holder.Room() != "" {
			return chat.Invalidf("url", "must be given")
		}
		return nil
	}
	if _, err := outgoing.ParseURL(want.URL, s.to); err != nil {
		return chat.Invalidf("url", "%v", err)
	}
	return nil
}

// create creates a hook. ok is false if it exists meanwhile.
func (s *Service) create(
	ctx context.Context, a Access, id ID, want Settings,
) (h Hook, secret string, ok bool, err error) {
	if err := s.checkCount(ctx, a); err != nil {
		return Hook{}, "", false, err
	}
	now := s.now()
	h = Hook{
		ID: id, Holder: a.holder, By: a.person(), CreatedAt: now, ChangedAt: now,
		Wanted: want.Wanted, Types: want.Types, URL: want.URL, Off: want.Off,
	}
	if h.URL != "" { // first, so that no hook is without one
		if secret, err = s.newSecret(ctx, h); err != nil {
			return Hook{}, "", false, err
		}
	}
	if ok, err = s.table.PutItem(ctx, "put hook", Item(h), table.Absent(Item(h))); ok {
		s.audited(ctx, a, actionCreated, h)
	}
	return h, secret, ok, err
}

// change changes the settings of a hook. ok is false if it has changed meanwhile.
func (s *Service) change(ctx context.Context, a Access, before Hook, want Settings) (h Hook, ok bool, err error) {
	switch {
	case before.URL != "" && want.URL == "":
		return Hook{}, false, chat.Invalidf("url", "must be given: this hook has one for its whole life")
	case before.URL == "" && want.URL != "":
		return Hook{}, false, chat.Conflictf("a hook has a url or is fetched for its whole life: delete it first")
	}
	same := before.equal(want.Wanted) && slices.Equal(before.Types, want.Types) && before.URL == want.URL &&
		before.Off == want.Off && before.By == a.person()
	if same && want.URL != "" {
		d, err := s.delivery(ctx, before)
		if err != nil {
			return Hook{}, false, err
		}
		same = d.Disabled == ""
	}
	if same {
		return before, true, nil
	}
	h = before
	h.Wanted, h.Types, h.URL, h.Off, h.ChangedAt = want.Wanted, want.Types, want.URL, want.Off, s.now()
	h.By = a.person()
	if ok, err = s.table.PutItem(ctx, "put hook", Item(h), unchanged(before)); ok {
		s.audited(ctx, a, actionChanged, h)
	}
	return h, ok, err
}

// unchanged is the condition that a hook still exists in an epoch.
func unchanged(h Hook) table.Update {
	u := table.Update{
		Condition: "#created = :created AND attribute_not_exists(#epoch)",
		Names:     map[string]string{"#created": attrCreated, "#epoch": attrEpoch},
		Values:    table.Item{":created": table.Number(h.CreatedAt.UnixMilli())},
	}
	if h.Epoch > 0 {
		u.Condition = "#created = :created AND #epoch = :epoch"
		u.Values[":epoch"] = table.Number(h.Epoch)
	}
	return u
}

// checkCount returns a Conflict error if a has no room for another hook.
func (s *Service) checkCount(ctx context.Context, a Access) error {
	all, err := allHooks(ctx, s.table)
	if err != nil {
		return err
	}
	alike, ofRoom, ofPerson := 0, 0, 0
	for _, h := range all {
		if (h.Holder.Room() == "") != (a.holder.Room() == "") {
			continue
		}
		alike++
		if h.Holder == a.holder {
			ofRoom++
		}
		if h.By == a.by {
			ofPerson++
		}
	}
	switch {
	case alike >= MaxHooks:
		return chat.Conflictf("this deployment has %d hooks, which is the most", MaxHooks)
	case a.holder.Room() == "":
		return nil
	case ofRoom >= MaxOfRoom:
		return chat.Conflictf("a room has at most %d hooks; delete one first", MaxOfRoom)
	case ofPerson >= MaxOfPerson:
		return chat.Conflictf("a person has at most %d hooks in all rooms; delete one first", MaxOfPerson)
	}
	return nil
}
