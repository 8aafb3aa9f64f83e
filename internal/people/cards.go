package people

import (
	"context"
	"sync"
	"time"

	"parley/internal/chat"
	"parley/internal/expiring"
)

// Card is how lists show a person.
type Card struct {
	Name   string // the id of a person without a profile
	Avatar string // the URL of a picture; "" means none
}

// Cards returns the cards of people, each at most CardAge old. A person without a profile has a
// card too, with their id as the name.
func (s *Service) Cards(ctx context.Context, users []chat.UserID) (map[chat.UserID]Card, error) {
	found, missing := s.cards.get(users)
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
		s.cards.put(user, cachedCard{card: found[user], asOf: asOf})
	}
	return found, nil
}

func (p Person) card() Card { return Card{Name: p.Name, Avatar: p.Avatar} }

// cardCache caches cards for CardAge, and at most MaxCards of them. Everyone may read every card,
// so it reveals nothing that one person's requests remove what another's have stored.
type cardCache struct {
	clock func() time.Time
	mu    sync.Mutex
	cards *expiring.Map[chat.UserID, cachedCard]
}

type cachedCard struct {
	card Card
	asOf time.Time // before the read was sent
}

func (c cachedCard) expired(now time.Time) bool { return now.Sub(c.asOf) >= CardAge }

func newCardCache(clock func() time.Time) *cardCache {
	return &cardCache{clock: clock, cards: expiring.New[chat.UserID, cachedCard]()}
}

// get returns the cards that are cached, and the users of the others, each once.
func (c *cardCache) get(users []chat.UserID) (found map[chat.UserID]Card, missing []chat.UserID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock()
	found = make(map[chat.UserID]Card, len(users))
	asked := make(map[chat.UserID]bool, len(users))
	for _, user := range users {
		if asked[user] {
			continue
		}
		asked[user] = true
		if cached, ok := c.cards.Get(user); ok && !cached.expired(now) {
			found[user] = cached.card
		} else {
			missing = append(missing, user)
		}
	}
	return found, missing
}

func (c *cardCache) put(user chat.UserID, card cachedCard) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock()
	c.cards.Put(user, card, func(c cachedCard) bool { return c.expired(now) })
	c.cards.Trim(MaxCards)
}

func (c *cardCache) delete(user chat.UserID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cards.Delete(user)
}
