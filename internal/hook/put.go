package hook

import (
	"context"
	"slices"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/outgoing"
	"example.com/parley/internal/table"
)

// Settings are what a service decides about its hook.
type Settings struct {
	Wanted
	URL string // empty for a hook that is fetched
	Off bool
}

// Put creates a hook, or changes its settings. A new hook receives the changes that are made after
// Put returns. A room that a hook gets later begins with its next change. secret signs the requests
// to the URL of a new hook, and is empty otherwise. Putting a hook that was disabled for its
// failures enables it.
//
// The error is Invalid for wrong settings, and Conflict if the deployment has MaxHooks, or if the
// hook exists with a URL and s has none, or the other way round. A new hook reads all others: 1
// read unit for every 4 KB, which hold some 30 hooks. It is one write unit for each KB, and 1 for
// the secret.
func (s *Service) Put(
	ctx context.Context, service chat.UserID, id ID, want Settings,
) (h Hook, created bool, secret string, err error) {
	if err := s.check(want); err != nil {
		return Hook{}, false, "", err
	}
	slices.Sort(want.Rooms)
	want.Rooms = slices.Compact(want.Rooms)
	for range chat.MaxChangeTries {
		before, found, err := s.hook(ctx, service, id)
		if err != nil {
			return Hook{}, false, "", err
		}
		if found {
			h, ok, err := s.change(ctx, before, want)
			if ok || err != nil {
				return h, false, "", err
			}
			continue
		}
		h, secret, ok, err := s.create(ctx, service, id, want)
		if ok || err != nil {
			return h, true, secret, err
		}
	}
	return Hook{}, false, "", chat.TooBusy()
}

// check returns an Invalid error for wrong settings.
func (s *Service) check(want Settings) error {
	if err := want.check(); err != nil || want.URL == "" {
		return err
	}
	if _, err := outgoing.ParseURL(want.URL, s.to); err != nil {
		return chat.Invalidf("url", "%v", err)
	}
	return nil
}

// create creates a hook. ok is false if it exists meanwhile.
func (s *Service) create(
	ctx context.Context, service chat.UserID, id ID, want Settings,
) (h Hook, secret string, ok bool, err error) {
	if err := s.checkCount(ctx); err != nil {
		return Hook{}, "", false, err
	}
	now := s.now()
	h = Hook{
		ID: id, Service: service, CreatedAt: now, ChangedAt: now, Wanted: want.Wanted, URL: want.URL, Off: want.Off,
	}
	if h.URL != "" { // first, so that no hook is without one
		if secret, err = s.newSecret(ctx, h); err != nil {
			return Hook{}, "", false, err
		}
	}
	ok, err = s.table.PutItem(ctx, "put hook", Item(h), table.Absent(Item(h)))
	return h, secret, ok, err
}

// change changes the settings of a hook. ok is false if it has changed meanwhile.
func (s *Service) change(ctx context.Context, before Hook, want Settings) (h Hook, ok bool, err error) {
	if (before.URL == "") != (want.URL == "") {
		return Hook{}, false, chat.Conflictf("a hook has a url or is fetched for its whole life: delete it first")
	}
	same := before.equal(want.Wanted) && before.URL == want.URL && before.Off == want.Off
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
	h.Wanted, h.URL, h.Off, h.ChangedAt = want.Wanted, want.URL, want.Off, s.now()
	ok, err = s.table.PutItem(ctx, "put hook", Item(h), unchanged(before))
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

func (s *Service) checkCount(ctx context.Context) error {
	all, err := allHooks(ctx, s.table)
	if err == nil && len(all) >= MaxHooks {
		return chat.Conflictf("this deployment has %d hooks, which is the most", MaxHooks)
	}
	return err
}
