package people

import (
	"context"

	"example.com/parley/internal/chat"
)

// Card is how lists show a person.
type Card struct {
	Name   string // the id of a person without a profile
	Avatar string // the URL of a picture; "" means none
	Bot    bool   // a program runs the account
}

// Cards returns the cards of people, each at most CardAge old. A person without a profile also has
// a card, with their id as the name.
func (s *Service) Cards(ctx context.Context, users []chat.UserID) (map[chat.UserID]Card, error) {
	found, missing := s.cachedCards(users)
	if len(missing) == 0 {
		return found, nil
	}
	asOf := s.clock()
	profiles, err := s.store.Profiles(ctx, missing)
	if err != nil {
		return nil, err
	}
	for _, user := range missing {
		found[user] = Card{Name: string(user)}
	}
	for _, p := range profiles {
		found[p.User] = p.card()
	}
	for _, user := range missing {
		s.cards.Put(user, found[user], asOf)
	}
	s.cards.Trim(MaxCards)
	return found, nil
}

func (p Person) card() Card { return Card{Name: p.Name, Avatar: p.Avatar, Bot: p.Bot} }

// cachedCards returns the cards that are cached, and the users of the others, each once. At most
// MaxCards are cached. Everyone may read every card, so it reveals nothing if one person's
// requests evict another person's entries.
func (s *Service) cachedCards(users []chat.UserID) (found map[chat.UserID]Card, missing []chat.UserID) {
	found = make(map[chat.UserID]Card, len(users))
	asked := make(map[chat.UserID]bool, len(users))
	for _, user := range users {
		if asked[user] {
			continue
		}
		asked[user] = true
		if card, ok := s.cards.Get(user); ok {
			found[user] = card
		} else {
			missing = append(missing, user)
		}
	}
	return found, missing
}
