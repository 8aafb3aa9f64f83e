// Package people stores the profiles of people: their names, titles and states. It finds people by
// each of these, through one overloaded index.
package people

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/dynamo"
	"example.com/parley/internal/expiring"
	"example.com/parley/internal/visual"
)

// Pictures stores pictures of people.
type Pictures interface {
	// Settle returns the id of the picture of a changed profile, which is stored next, and removes
	// the person's other pictures. The error is Invalid if the picture that the profile names was
	// not sent.
	Settle(ctx context.Context, before, after Person) (uuid.UUID, error)
}

// Service stores profiles and lists people by their facts. It is safe for concurrent use.
type Service struct {
	store     Store
	clock     func() time.Time
	directory Directory
	// servicesOnly reports whether only services change the facts of profiles.
	servicesOnly bool
	pictures     Pictures
	cards        *expiring.Cache[chat.UserID, Card]
}

// Options are the settings of a Service. The zero Directory is ForEveryone. With ServicesOnly,
// people change their own status, avatar and picture, and only services the facts of profiles.
type Options struct {
	Table        *dynamo.Table
	Clock        func() time.Time
	Directory    Directory
	ServicesOnly bool
	Pictures     Pictures
}

// NewService returns a service.
func NewService(o Options) *Service {
	return &Service{
		store: NewStore(o.Table), clock: o.Clock, directory: o.Directory, servicesOnly: o.ServicesOnly,
		pictures: o.Pictures,
		cards:    expiring.NewCache[chat.UserID, Card](CardAge, o.Clock),
	}
}

// PutPerson creates or replaces the caller's profile; created reports which. The error is Forbidden
// if anyone but a service changes Bot, or with ServicesOnly another fact. It is Stale if draft.If
// does not hold.
func (s *Service) PutPerson(ctx context.Context, caller chat.UserID, draft Draft) (p Person, created bool, err error) {
	if err := draft.validate(); err != nil {
		return Person{}, false, err
	}
	return s.change(ctx, caller, "", draft.whole())
}

// PatchPerson changes what the draft gives in the caller's profile. An empty name keeps the current
// one, which is as for Own before a profile is saved. The error is as for PutPerson.
func (s *Service) PatchPerson(ctx context.Context, caller chat.UserID, claimed string, draft Draft) (Person, error) {
	checked := draft
	checked.Name = cmp.Or(draft.Name, string(caller)) // which is a valid name
	if err := checked.validate(); err != nil {
		return Person{}, err
	}
	p, _, err := s.change(ctx, caller, claimed, draft)
	return p, err
}

// change applies a valid draft. A new profile gets name if the draft has no name.
func (s *Service) change(
	ctx context.Context, caller chat.UserID, name string, draft Draft,
) (p Person, created bool, err error) {
	for range chat.MaxChangeTries {
		before, err := s.store.Person(ctx, caller)
		if err != nil && chat.KindOf(err) != chat.NotFound {
			return Person{}, false, err
		}
		before.User = caller
		after := before.Apply(draft)
		if s.servicesOnly && !draft.Service {
			before.Name = cmp.Or(before.Name, string(caller)) // a claim of a token may be the person's choice
			after.Name = cmp.Or(after.Name, before.Name)
			if field := before.changedFact(after); field != "" {
				return Person{}, false, &chat.Error{Kind: chat.Forbidden, Field: field,
					Detail: "in this deployment only services change names, titles and other facts; you may change " +
						"your status and your picture"}
			}
		}
		after.Name = cmp.Or(after.Name, ownName(caller, name))
		if after.Bot != before.Bot && !draft.Service {
			return Person{}, false, &chat.Error{Kind: chat.Forbidden, Field: "kind",
				Detail: "only services change the kind of an account; leave kind out, or use a token with the scope " +
					"for it"}
		}
		exists := before.Revision > 0
		same := exists && after.equal(before)
		if err := draft.If.Check(exists, before.Revision, same); err != nil {
			return Person{}, false, err
		}
		if same {
			return before.at(s.clock()), false, nil
		}
		if after.PictureID, err = s.pictures.Settle(ctx, before, after); err != nil {
			return Person{}, false, err
		}
		ok, err := s.store.PutPerson(ctx, before, after)
		if ok || err != nil {
			s.cards.Delete(caller)
			return after.at(s.clock()), !exists, err
		}
	}
	return Person{}, false, chat.TooBusy()
}

// Person returns a person's profile, or NotFound. Every caller may read it. The person, and
// services that act for nobody, see all of it, and others the part that the directory shows.
func (s *Service) Person(ctx context.Context, caller, user chat.UserID) (Person, error) {
	p, err := s.store.Person(ctx, user)
	if caller != user && chat.ServiceOf(ctx) != caller {
		p = s.directory.shown(p)
	}
	return p.at(s.clock()), err
}

// MustExist returns an Invalid error unless a person has a profile. A sign-in does not create
// one.
func (s *Service) MustExist(ctx context.Context, user chat.UserID) error {
	_, err := s.store.Person(ctx, user)
	if chat.KindOf(err) == chat.NotFound {
		return chat.Invalidf("user", "must be the id of a person with a profile")
	}
	return err
}

// WithProfiles returns the people among users who have a profile. users must not contain
// duplicates. Profiles of about the last second may be missing.
func (s *Service) WithProfiles(ctx context.Context, users []chat.UserID) (map[chat.UserID]bool, error) {
	profiles, err := s.store.Profiles(ctx, users)
	with := make(map[chat.UserID]bool, len(profiles))
	for _, p := range profiles {
		with[p.User] = true
	}
	return with, err
}

// Own returns the caller's profile. Before they save one, it has the name that their token claims
// for them, or their id if that is not a valid name.
func (s *Service) Own(ctx context.Context, caller chat.UserID, claimed string) (Person, error) {
	p, err := s.Person(ctx, caller, caller)
	if chat.KindOf(err) != chat.NotFound {
		return p, err
	}
	return Person{User: caller, Name: ownName(caller, claimed)}, nil
}

// ownName returns the name that a token claims for a person, without invisible characters, or
// their id if the rest is not a valid name.
func ownName(caller chat.UserID, claimed string) string {
	name := visual.Clean(claimed)
	if !utf8.ValidString(claimed) || checkName(name) != nil {
		return string(caller)
	}
	return name
}

// ByID returns people in the order of their ids, each once. A person without a profile has their id
// as the name, so that the answer does not reveal who has one. A change within about the last
// second may not show yet.
func (s *Service) ByID(ctx context.Context, _ chat.UserID, users []chat.UserID) ([]Person, error) {
	if len(users) > MaxIDs {
		return nil, chat.Invalidf("ids", "must be at most %d", MaxIDs)
	}
	var all []Person
	place := make(map[chat.UserID]int, len(users))
	distinct := slices.DeleteFunc(slices.Clone(users), func(user chat.UserID) bool {
		_, known := place[user]
		if !known {
			place[user] = len(all)
			all = append(all, Person{User: user, Name: string(user)})
		}
		return known
	})
	profiles, err := s.store.Profiles(ctx, distinct)
	for _, p := range profiles {
		all[place[p.User]] = s.directory.shown(p).at(s.clock())
	}
	return all, err
}

// NameOf returns the name under which lists show a person: the one in their profile, or their id if
// they have no profile. It implements chat.Names.
func (s *Service) NameOf(ctx context.Context, user chat.UserID) (string, error) {
	p, err := s.store.Person(ctx, user)
	if chat.KindOf(err) == chat.NotFound {
		return string(user), nil
	}
	return p.Name, err
}

// Query selects people by exactly one of the first four fields.
type Query struct {
	Name        string // the beginning of a word of the name
	Title       string
	FormerTitle string
	State       string
	Service     bool // the caller is a service
	Page        chat.PageRequest
}

// People lists people by name, or by the word of the name that matches. A change within about the
// last second may not show yet. The error is Forbidden if the directory is not open to the caller.
func (s *Service) People(ctx context.Context, _ chat.UserID, q Query) (chat.Page[Match], error) {
	if err := s.directory.mayList(q); err != nil {
		return chat.Page[Match]{}, err
	}
	r, err := q.Range()
	if err != nil {
		return chat.Page[Match]{}, err
	}
	people, next, err := s.store.People(ctx, r)
	if err != nil {
		return chat.Page[Match]{}, err
	}
	return chat.Page[Match]{Items: people, Next: next.Cursor(r.cursorScope())}, nil
}

// Range validates the query and returns the range that it selects.
func (q Query) Range() (Range, error) {
	r, err := q.factRange()
	if err != nil {
		return Range{}, err
	}
	r.Limit = q.Page.Limit
	r.After, err = q.Page.After(r.cursorScope(), r.contains)
	return r, err
}

// factRange returns the range of the one fact that is given.
func (q Query) factRange() (Range, error) {
	var r Range
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
		if r.Fact != 0 {
			return Range{}, chat.Invalidf(by.field, "must be the only one of name, title, had_title and state")
		}
		check := checkFact
		if by.fact == ByName {
			check = chat.CheckLine // the beginning of a name may end with a space
		}
		if err := check(by.field, by.value, by.most); err != nil {
			return Range{}, err
		}
		r.Fact, r.Value = by.fact, by.value
		if by.fact == ByName {
			r.Value = Fold(strings.TrimLeft(by.value, " "))
		}
		if r.Value == "" {
			return Range{}, chat.Invalidf(by.field, "must not be blank")
		}
	}
	if r.Fact == 0 {
		return Range{}, chat.Invalidf("name", "must be given, or one of title, had_title and state")
	}
	return r, nil
}

func (r Range) cursorScope() chat.CursorScope {
	return chat.NewCursorScope("people").Int(int64(r.Fact)).Text(r.Value)
}

// contains reports whether the list can contain a position. It does not check the rest of the name.
func (r Range) contains(p chat.ListPosition) bool {
	_, err := chat.StoredUserID(p.ID)
	return err == nil && (r.Fact != ByName || strings.HasPrefix(p.Sort, r.Value))
}
