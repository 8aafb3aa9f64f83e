package people

import (
	"slices"
	"strings"
	"time"

	"parley/internal/chat"
)

// Person is what someone has told of themself.
type Person struct {
	User  chat.UserID
	Name  string
	Title string // what they are now; "" is none
	// Former are the titles they had and have no more, the latest last, at
	// most MaxFormer of them and each once.
	Former []string
	State  string    // where they live; "" is unknown
	Hired  time.Time // a day, at midnight in UTC; zero is unknown
	// Revision counts changes from 1, so that of two at once none is lost.
	Revision int
}

// Draft is what a person says of themself; nil leaves it as it is, and
// what is empty takes it away.
type Draft struct {
	Name  string
	Title *string
	State *string
	Hired *time.Time
}

// Fact is a kind of thing that people are found by.
type Fact int

// The facts. By name people are found by how it begins, by
// all others by exactly what they are.
const (
	ByName Fact = iota + 1
	ByTitle
	ByFormerTitle
	ByState
)

// Match is a person as a list shows them: the fact that they were found by, whole,
// and who they are.
type Match struct {
	User  chat.UserID
	Name  string
	Value string // of the fact; by name, the name
}

// Range is a list of people: those of whom a fact is true, after a
// position whose Sort is a name and whose ID is a user.
type Range struct {
	Fact  Fact
	Value string
	After chat.ListPosition
	Limit int
}

// equal tells whether two persons differ in nothing but their revision.
func (p Person) equal(o Person) bool {
	return p.User == o.User && p.Name == o.Name && p.Title == o.Title && slices.Equal(p.Former, o.Former) &&
		p.State == o.State && p.Hired.Equal(o.Hired)
}

// apply is p after a draft.
//
// The title that a new one replaces becomes a former one. A title that is taken up
// again is former no more: people are found under each of their titles once, as
// having it or as having had it. Of more than MaxFormer the oldest is
// forgotten, since nobody may be kept from a new title.
func (p Person) apply(d Draft) Person {
	after := p
	after.Name = d.Name
	after.Revision++
	if d.State != nil {
		after.State = *d.State
	}
	if d.Hired != nil {
		after.Hired = *d.Hired
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
		return checkFact("state", *d.State, MaxState)
	}
	return nil
}

// checkName accepts a person's name. It may hold "#": it is always the
// last field of a key, and alone in it.
func checkName(name string) error {
	if err := chat.CheckLine("name", name, chat.MaxName); err != nil {
		return err
	}
	if strings.ContainsRune(name, chat.LastRune) {
		return chat.Invalidf("name", "must not contain U+10FFFF")
	}
	return checkEdges("name", name)
}

// checkFact accepts a title or a state, which are fields of a key.
func checkFact(field, value string, most int) error {
	if err := chat.CheckLine(field, value, most); err != nil {
		return err
	}
	if strings.Contains(value, "#") {
		return chat.Invalidf(field, "must not contain #")
	}
	return checkEdges(field, value)
}

// checkEdges refuses what would look like another value and not be found with it.
func checkEdges(field, s string) error {
	if s == "" {
		return chat.Invalidf(field, "must not be empty")
	}
	if strings.TrimSpace(s) != s {
		return chat.Invalidf(field, "must not begin or end with a space")
	}
	return nil
}

// dayLayout is how a day is written.
const dayLayout = "2006-01-02"

// ParseDay reads a day of hiring, such as 1995-07-01; an empty one is the zero time.
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

// DayText writes a day as ParseDay reads it.
func DayText(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.UTC().Format(dayLayout)
}
