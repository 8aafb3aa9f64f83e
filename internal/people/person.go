package people

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

const (
	// MaxTitle limits a person's title, in bytes. It is part of keys and one line in a list.
	MaxTitle = 100
	// MaxState limits the name of the state where a person lives, as MaxTitle does.
	MaxState = 64
	// MaxFormer is the maximum number of former titles that are stored. It exceeds the titles of a
	// working life, and a whole person still fits in one transaction of 100 items.
	MaxFormer = 20
	// MinHiredYear is earlier than the hiring of anyone who can sign in.
	MinHiredYear = 1900
	// MaxAvatar limits the URL of an avatar, in bytes. Signed URLs of picture hosts are shorter. A
	// page of 200 people with such URLs is still a small answer.
	MaxAvatar = 1000
	// MaxStatusText limits the text of a status, in bytes. It is one line next to a name.
	MaxStatusText = 100
	// MaxEmoji limits an emoji, in bytes. The longest sequence that Unicode recommends has 35.
	MaxEmoji = 40
	// MaxIDs is the number of people that one call reads by id: one batch.
	MaxIDs = 100

	// CardAge is how long lists may show a person's previous name and avatar.
	CardAge = time.Minute
	// MaxCards is the number of cards that a process caches: a few megabytes.
	MaxCards = 10_000
)

// Person is the profile of a person.
type Person struct {
	User  chat.UserID
	Name  string
	Title string // the current title; "" means none
	// Former are the former titles, the latest last: at most MaxFormer, without duplicates.
	Former []string
	State  string    // where they live; "" means unknown
	Hired  time.Time // a day, at midnight in UTC; zero means unknown
	Avatar string    // the https URL of a picture; "" means none
	// Picture is the SHA-256 of an uploaded picture, in base64; "" means none.
	Picture string
	// PictureID is the id under which Picture is stored; see package picture.
	PictureID uuid.UUID
	Status    Status
	// Metadata is the person's JSON object; empty if there is none. Stores return it only with a
	// single person, so lists do not pay for it.
	Metadata string
	// Bot means that a program runs the account.
	Bot bool
	// Revision counts changes from 1, so concurrent changes do not overwrite each other.
	Revision int
}

// Draft holds the values that people set in their profile. Nil keeps the current value, and an
// empty value removes it.
type Draft struct {
	Name   string
	Title  *string
	State  *string
	Hired  *time.Time
	Avatar *string
	// Picture is the SHA-256 of a picture that was sent; see package picture.
	Picture *string
	Status  *Status
	// Metadata is a JSON object; see chat.ParseMetadata.
	Metadata *string
	// Bot marks an account run by a program. Only services change it, so no person can pass for a
	// program, and no program for a person.
	Bot     *bool
	Service bool // the draft comes from a service
	// If restricts which state of the profile the draft may change. It is no value.
	If *chat.Precondition
}

// Fact is a kind of searchable value.
type Fact int

// The facts. People are found by the beginning of a word of their name, ignoring case, and by the
// exact value of every other fact.
const (
	ByName Fact = iota + 1
	ByTitle
	ByFormerTitle
	ByState
)

// Match is a person in a list, with the complete value of the fact that they were found by.
type Match struct {
	User  chat.UserID
	Name  string
	Value string // the value of the fact; for ByName, the name
}

// Range selects people by the value of a fact, after a position whose Sort is a name and whose ID
// is a user. For ByName, Value is folded, and Sort is the word of the name that FirstMatch returns.
type Range struct {
	Fact  Fact
	Value string
	After chat.ListPosition
	Limit int
}

// NewPerson returns the first state of a person's profile, or an Invalid error. Unlike PutPerson,
// it does not check who may change Bot.
func NewPerson(user chat.UserID, draft Draft) (Person, error) {
	if err := draft.validate(); err != nil {
		return Person{}, err
	}
	return Person{User: user}.Apply(draft), nil
}

// equal reports whether two persons are equal except for their revisions.
func (p Person) equal(other Person) bool {
	return p.User == other.User && p.Name == other.Name && p.Title == other.Title &&
		slices.Equal(p.Former, other.Former) &&
		p.State == other.State && p.Hired.Equal(other.Hired) && p.Avatar == other.Avatar &&
		p.Picture == other.Picture && p.Status.equal(other.Status) &&
		p.Metadata == other.Metadata && p.Bot == other.Bot
}

// changedFact returns the API's name of a fact that differs in after, or "". Status, avatar and
// picture are no facts, and the kind of an account has a rule of its own.
func (p Person) changedFact(after Person) string {
	switch {
	case p.Name != after.Name:
		return "name"
	case p.Title != after.Title:
		return "title"
	case p.State != after.State:
		return "state"
	case !p.Hired.Equal(after.Hired):
		return "hired"
	case p.Metadata != after.Metadata:
		return "metadata"
	}
	return ""
}

// at returns p as it is shown at a time.
func (p Person) at(now time.Time) Person {
	p.Status = p.Status.at(now)
	return p
}

// Apply returns p after a draft.
//
// The title that a new one replaces becomes a former title. A title that is set again is no longer
// a former one, so people are found only once under each title. If there are more than MaxFormer
// titles, the oldest is dropped, because everyone must be able to set a new title.
func (p Person) Apply(d Draft) Person {
	after := p
	after.Name = cmp.Or(d.Name, p.Name)
	after.Revision++
	if d.State != nil {
		after.State = *d.State
	}
	if d.Hired != nil {
		after.Hired = *d.Hired
	}
	if d.Avatar != nil {
		after.Avatar = *d.Avatar
	}
	if d.Picture != nil {
		after.Picture = *d.Picture
	}
	if d.Status != nil {
		after.Status = *d.Status
	}
	if d.Metadata != nil {
		after.Metadata, _ = chat.ParseMetadata(*d.Metadata) // validate has checked it
	}
	if d.Bot != nil {
		after.Bot = *d.Bot
	}
	if d.Title == nil || *d.Title == p.Title {
		return after
	}
	after.Title = *d.Title
	after.Former = slices.DeleteFunc(slices.Clone(p.Former), func(t string) bool { return t == after.Title })
	if p.Title != "" {
		after.Former = append(after.Former, p.Title)
	}
	after.Former = after.Former[max(0, len(after.Former)-MaxFormer):]
	return after
}

// whole returns the draft with an empty value for everything that it leaves out, for replacing a
// profile. A person's own picture stays, because services that replace profiles do not know it.
// Only a service's draft replaces Bot.
func (d Draft) whole() Draft {
	d.Title, d.State, d.Avatar = cmp.Or(d.Title, new("")), cmp.Or(d.State, new("")), cmp.Or(d.Avatar, new(""))
	d.Hired, d.Status, d.Metadata = cmp.Or(
		d.Hired, new(time.Time{}),
	), cmp.Or(d.Status, new(Status{})), cmp.Or(d.Metadata, new(""))
	if d.Service {
		d.Bot = cmp.Or(d.Bot, new(false))
	}
	return d
}

func (d Draft) validate() error {
	if err := checkName(d.Name); err != nil {
		return err
	}
	if d.Title != nil && *d.Title != "" {
		if err := checkFact("title", *d.Title, MaxTitle); err != nil {
			return err
		}
	}
	if d.State != nil && *d.State != "" {
		if err := checkFact("state", *d.State, MaxState); err != nil {
			return err
		}
	}
	if d.Avatar != nil && *d.Avatar != "" {
		if err := checkAvatar(*d.Avatar); err != nil {
			return err
		}
	}
	if d.Picture != nil && *d.Picture != "" {
		if sum, err := base64.StdEncoding.DecodeString(*d.Picture); err != nil || len(sum) != sha256.Size {
			return chat.Invalidf("picture", "must be the SHA-256 of a picture in base64")
		}
	}
	if d.Metadata != nil {
		if _, err := chat.ParseMetadata(*d.Metadata); err != nil {
			return err
		}
	}
	if d.Status != nil {
		return d.Status.check()
	}
	return nil
}

// checkName returns an error unless name is a valid name of a person. It may contain "#", because
// it is always the last or only field of a key.
func checkName(name string) error {
	if err := chat.CheckName("name", name, chat.MaxName); err != nil { // without chat.LastRune
		return err
	}
	return checkEdges("name", name)
}

// checkFact returns an error unless value is a valid title or state, which are fields of a key.
func checkFact(field, value string, most int) error {
	if err := chat.CheckLine(field, value, most); err != nil {
		return err
	}
	if strings.Contains(value, "#") {
		return chat.Invalidf(field, "must not contain #")
	}
	return checkEdges(field, value)
}

// checkEdges rejects values that look like another value but would not be found by it.
func checkEdges(field, s string) error {
	if s == "" {
		return chat.Invalidf(field, "must not be empty")
	}
	if strings.TrimSpace(s) != s {
		return chat.Invalidf(field, "must not begin or end with a space")
	}
	return nil
}

// dayLayout is the text form of a day.
const dayLayout = "2006-01-02"

// ParseDay parses a day of hiring, such as 1995-07-01. The empty text is the zero time.
func ParseDay(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(dayLayout, s)
	if err != nil {
		return time.Time{}, chat.Invalidf("hired", "must be an existing day, such as 1995-07-01")
	}
	if day.Year() < MinHiredYear {
		return time.Time{}, chat.Invalidf("hired", "must not be before %d", MinHiredYear)
	}
	return day, nil
}

// DayText returns a day in the form that ParseDay parses.
func DayText(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.UTC().Format(dayLayout)
}
