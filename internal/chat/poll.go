package chat

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

const (
	// MinPollOptions is the smallest number of options of a poll: one option is no choice.
	MinPollOptions = 2
	// MaxPollOptions is the largest number of options of a poll: few people read more than ten.
	MaxPollOptions = 10
	// MaxPollOption bounds the text of an option in bytes: one line of a screen.
	MaxPollOption = 200
	// MaxPollTime is how long after its message a poll may end.
	MaxPollTime = 366 * 24 * time.Hour
	// MaxVoters is the maximum number of voters in a poll: counting them reads some 250 units.
	MaxVoters = 10_000
	// optionBytes estimates the other fields of an option in JSON.
	optionBytes = 40
)

// Poll lets people vote for options of a message, whose text is the question. A poll never
// changes.
type Poll struct {
	Options   []string  `json:"options"` // different ones, in order
	Multiple  bool      `json:"multiple,omitzero"`
	Anonymous bool      `json:"anonymous,omitzero"` // nobody sees who voted
	EndsAt    time.Time `json:"endsAt,omitzero"`    // from then on votes are refused; zero means never
}

// check returns an Invalid error unless p can be the poll of a message with that id.
func (p *Poll) check(id uuid.UUID) error {
	if p == nil {
		return nil
	}
	if n := len(p.Options); n < MinPollOptions || n > MaxPollOptions {
		return Invalidf("poll.options", "must be %d to %d options", MinPollOptions, MaxPollOptions)
	}
	seen := map[string]bool{}
	for i, option := range p.Options {
		field := "poll.options[" + strconv.Itoa(i) + "]"
		switch {
		case len(option) > MaxPollOption || !utf8.ValidString(option):
			return Invalidf(field, "must be at most %d bytes of UTF-8", MaxPollOption)
		case seen[option]:
			return Invalidf(field, "must differ from the other options")
		}
		if err := CheckShows(field, option); err != nil {
			return err
		}
		seen[option] = true
	}
	// A retry, however late, is checked as the first request was.
	if end, sent := p.EndsAt, uuidTime(id); !end.IsZero() && (!end.After(sent) || end.After(sent.Add(MaxPollTime))) {
		return Invalidf(
			"poll.endsAt", "must be at most %d days after the time in the message's id", MaxPollTime/(24*time.Hour),
		)
	}
	return nil
}

// contents returns the fields of p that a retry must repeat.
func (p *Poll) contents() map[string][]string {
	c := map[string][]string{"poll": p.Options}
	if p.Multiple {
		c["poll.multiple"] = []string{"true"}
	}
	if p.Anonymous {
		c["poll.anonymous"] = []string{"true"}
	}
	if !p.EndsAt.IsZero() {
		c["poll.endsAt"] = []string{strconv.FormatInt(p.EndsAt.UnixMilli(), 10)}
	}
	return c
}

// Ended reports whether the poll accepts no more votes.
func (p *Poll) Ended(now time.Time) bool { return !p.EndsAt.IsZero() && !now.Before(p.EndsAt) }

func (p *Poll) pageBytes() (n int) {
	if p != nil {
		for _, option := range p.Options {
			n += jsonBytes(option) + optionBytes
		}
	}
	return n
}

// VoteCount is how people have voted in a poll.
type VoteCount struct {
	Voters  int
	Options []int // how many chose each option, up to the last one that anybody chose
}

// Add counts the choices of one voter.
func (c *VoteCount) Add(choices Choices) {
	c.Voters++
	for _, choice := range choices.Positions() {
		for len(c.Options) <= choice {
			c.Options = append(c.Options, 0)
		}
		c.Options[choice]++
	}
}

// Vote is a person's vote in the poll of a message.
type Vote struct {
	Room    RoomID
	Message MessageID
	User    UserID
	Choices Choices
}

// Choices is a set of positions of options: bit n is the option at n.
type Choices uint16

// Choose returns the set of some positions from 0 to MaxPollOptions-1.
func Choose(positions ...int) (c Choices) {
	for _, n := range positions {
		c |= 1 << n
	}
	return c
}

// Has reports whether a position is in c.
func (c Choices) Has(n int) bool { return c&(1<<n) != 0 }

// Positions returns the positions in c, ascending.
func (c Choices) Positions() []int {
	positions := make([]int, 0, MaxPollOptions)
	for n := range MaxPollOptions {
		if c.Has(n) {
			positions = append(positions, n)
		}
	}
	return positions
}
