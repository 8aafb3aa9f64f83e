package people

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/visual"
)

// Directory selects who may list people and search for them. Everyone may read the people whose
// ids they know.
type Directory int

// The directories. Titles, states and days of hiring are shown to others only if the directory is
// for everyone.
const (
	ForEveryone Directory = iota
	ForServices           // only services list and search, and only by name
	ForNobody
)

// mayList returns a Forbidden error unless the directory admits a query.
func (d Directory) mayList(q Query) error {
	switch {
	case d == ForEveryone:
		return nil
	case d == ForNobody || !q.Service:
		return &chat.Error{
			Kind:   chat.Forbidden,
			Detail: "this deployment does not let you list people or search for them; read people by their ids",
		}
	case q.Title != "" || q.FormerTitle != "" || q.State != "":
		return &chat.Error{Kind: chat.Forbidden, Detail: "this deployment lets services search for people by name only"}
	}
	return nil
}

// shown returns a person as the directory shows them to others. The revision is hidden with the
// facts whose changes it would reveal.
func (d Directory) shown(p Person) Person {
	if d == ForEveryone {
		return p
	}
	return Person{
		User: p.User, Name: p.Name, Avatar: p.Avatar, Picture: p.Picture, PictureID: p.PictureID, Status: p.Status,
		Metadata: p.Metadata, Bot: p.Bot,
	}
}

// Card is how lists show a person.
type Card struct {
	Name string // the id of a person without a profile
	// Skeleton is what the name looks like, as visual.Skeleton returns it.
	Skeleton string
	Avatar   string // the URL of a picture; "" means none
	// Picture is the SHA-256 of an uploaded picture, in base64; "" means none.
	Picture string
	Status  Status // as of the time of the call
	Bot     bool   // a program runs the account
}

// Cards returns the cards of people, each at most CardAge old. A person without a profile also has
// a card, with their id as the name.
func (s *Service) Cards(ctx context.Context, users []chat.UserID) (map[chat.UserID]Card, error) {
	asOf := s.clock()
	found, missing := s.cachedCards(users, asOf)
	if len(missing) == 0 {
		return found, nil
	}
	profiles, err := s.store.Profiles(ctx, missing)
	if err != nil {
		return nil, err
	}
	for _, user := range missing {
		found[user] = Person{User: user, Name: string(user)}.card()
	}
	for _, p := range profiles {
		found[p.User] = p.card()
	}
	for _, user := range missing {
		s.cards.Put(user, found[user], asOf)
		found[user] = found[user].at(asOf)
	}
	s.cards.Trim(MaxCards)
	return found, nil
}

func (p Person) card() Card {
	return Card{
		Name: p.Name, Skeleton: visual.Skeleton(p.Name), Avatar: p.Avatar, Picture: p.Picture, Status: p.Status,
		Bot: p.Bot,
	}
}

// at returns c as it is shown at a time.
func (c Card) at(now time.Time) Card {
	c.Status = c.Status.at(now)
	return c
}

// cachedCards returns the cards that are cached, as they are shown now, and the users of the
// others, each once. At most MaxCards are cached. Everyone may read every card, so it reveals
// nothing if one person's requests evict another person's entries.
func (s *Service) cachedCards(users []chat.UserID, now time.Time) (found map[chat.UserID]Card, missing []chat.UserID) {
	found = make(map[chat.UserID]Card, len(users))
	asked := make(map[chat.UserID]bool, len(users))
	for _, user := range users {
		if asked[user] {
			continue
		}
		asked[user] = true
		if card, ok := s.cards.Get(user); ok {
			found[user] = card.at(now)
		} else {
			missing = append(missing, user)
		}
	}
	return found, missing
}
