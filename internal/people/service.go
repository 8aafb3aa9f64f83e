package people

import (
	"context"
	"strings"

	"parley/internal/chat"
)

// Store keeps what people have told of themselves.
type Store interface {
	// Person returns a person as last written, or NotFound.
	Person(ctx context.Context, user chat.UserID) (Person, error)
	// PutPerson replaces a person, with all that they are found by, where their Revision is still
	// before's; a Revision of 0 is nobody yet. It reports false, and
	// changes nothing, when it is not.
	PutPerson(ctx context.Context, before, after Person) (ok bool, err error)
	// People returns those of whom a fact is true, by name, at most span.Limit of
	// them; people of one name stand in an order that does not change. The
	// zero ListPosition ends the list. What was written within the last second or
	// so may be missing.
	People(ctx context.Context, span Range) (people []Match, next chat.ListPosition, err error)
}

// Service keeps what people tell of themselves and lists them by it. It is safe for concurrent use.
type Service struct{ store Store }

// NewService returns a service on a store.
func NewService(store Store) *Service { return &Service{store: store} }

// selfID is what paths say for the caller, so that nobody else can be found under it.
const selfID chat.UserID = "me"

// PutPerson changes what is known of the caller. created tells whether nothing
// was before. Conflict for the one user id that no path can name.
func (s *Service) PutPerson(ctx context.Context, caller chat.UserID, draft Draft) (p Person, created bool, err error) {
	if caller == selfID {
		return Person{}, false, &chat.Error{Kind: chat.Conflict, Detail: "a user with the id me has no profile: me stands for the caller in paths"}
	}
	if err := draft.validate(); err != nil {
		return Person{}, false, err
	}
	for range chat.MaxChangeTries {
		before, err := s.store.Person(ctx, caller)
		if err != nil && chat.KindOf(err) != chat.NotFound {
			return Person{}, false, err
		}
		before.User = caller
		after := before.apply(draft)
		if before.Revision > 0 && after.equal(before) {
			return before, false, nil
		}
		ok, err := s.store.PutPerson(ctx, before, after)
		if ok || err != nil {
			return after, before.Revision == 0, err
		}
	}
	return Person{}, false, chat.TooBusy()
}

// Person returns what is known of someone, or NotFound. Anyone may ask.
func (s *Service) Person(ctx context.Context, _, user chat.UserID) (Person, error) {
	return s.store.Person(ctx, user)
}

// NameOf returns the name under which lists show a person: their own, or their id when they have
// told none. It implements chat.Names.
func (s *Service) NameOf(ctx context.Context, user chat.UserID) (string, error) {
	p, err := s.store.Person(ctx, user)
	if chat.KindOf(err) == chat.NotFound {
		return string(user), nil
	}
	return p.Name, err
}

// Query asks for people by exactly one of the first four.
type Query struct {
	Name        string // how it begins
	Title       string
	FormerTitle string
	State       string
	Page        chat.PageRequest
}

// People lists people by name. Anyone may ask. What was changed within the last second
// or so may be listed as it was before.
func (s *Service) People(ctx context.Context, _ chat.UserID, q Query) (chat.Page[Match], error) {
	span, err := q.peopleRange()
	if err != nil {
		return chat.Page[Match]{}, err
	}
	people, next, err := s.store.People(ctx, span)
	if err != nil {
		return chat.Page[Match]{}, err
	}
	return chat.Page[Match]{Items: people, Next: next.Cursor(span.cursorScope())}, nil
}

func (q Query) peopleRange() (Range, error) {
	span, err := q.factRange()
	if err != nil {
		return Range{}, err
	}
	span.Limit = q.Page.Limit
	span.After, err = q.Page.After(span.cursorScope(), span.holds)
	return span, err
}

// factRange is the one fact that is asked for.
func (q Query) factRange() (Range, error) {
	var span Range
	for _, by := range []struct {
		fact  Fact
		field string
		value string
		most  int
	}{
		{ByName, "name", q.Name, chat.MaxName},
		{ByTitle, "title", q.Title, MaxTitle},
		{ByFormerTitle, "had_title", q.FormerTitle, MaxTitle},
		{ByState, "state", q.State, MaxState},
	} {
		if by.value == "" {
			continue
		}
		if span.Fact != 0 {
			return Range{}, chat.Invalidf(by.field, "must be the only one of name, title, had_title and state")
		}
		check := checkFact
		if by.fact == ByName {
			check = chat.CheckLine // a beginning may end in a space
		}
		if err := check(by.field, by.value, by.most); err != nil {
			return Range{}, err
		}
		span.Fact, span.Value = by.fact, by.value
	}
	if span.Fact == 0 {
		return Range{}, chat.Invalidf("name", "must be given, or one of title, had_title and state")
	}
	return span, nil
}

func (p Range) cursorScope() chat.CursorScope {
	return chat.NewCursorScope("people").Int(int64(p.Fact)).Text(p.Value)
}

// holds reports whether the list can hold a position. It does not check the name any further: the rule
// for names may have been another when the person told theirs.
func (p Range) holds(at chat.ListPosition) bool {
	_, err := chat.ParseUserID(at.ID)
	return err == nil && (p.Fact != ByName || strings.HasPrefix(at.Sort, p.Value))
}
