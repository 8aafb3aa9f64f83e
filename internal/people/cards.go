package people

import (
	"context"
	"time"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/visual"
)

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
