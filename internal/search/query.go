package search

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"example.com/parley/internal/chat"
)

const (
	// MaxQuery is the maximum length of a query in bytes: some lines.
	MaxQuery = 500
	// MaxTerms is the maximum number of words and phrases of a query, each of which is looked for
	// in every text.
	MaxTerms = 20
)

// Me stands for the caller as the value of from and mentions.
const Me = "me"

// Feature is something that a message may have.
type Feature int

// The features. A query may ask for several.
const (
	HasLink Feature = 1 << iota
	HasFile
	HasReaction
	InThread // the message is a reply, or has replies
	deleted  // only in the index
)

// Query is what somebody searches for. A message must match all parts.
type Query struct {
	Terms     []Term      // which the text or a file's name contains
	Without   []Term      // which neither contains
	Room      chat.RoomID // "" means each of the caller's rooms
	From      chat.UserID // the sender; "" means anybody
	Mentioned chat.UserID // who is mentioned; "" means nobody in particular
	Features  Feature
	Since     time.Time // sent then or later; zero means no bound
	Until     time.Time // sent earlier; zero means no bound
}

// Parse reads a query of a caller. Days begin and end in zone.
//
// The error is Invalid in the field q, and names the place of the part at fault, counted in
// characters from 1.
func Parse(text string, caller chat.UserID, zone *time.Location) (Query, error) {
	if len(text) > MaxQuery || !utf8.ValidString(text) {
		return Query{}, chat.Invalidf("q", "must be at most %d bytes of UTF-8", MaxQuery)
	}
	p := parser{text: text, caller: caller, zone: zone}
	for p.skipSpaces(); p.at < len(text); p.skipSpaces() {
		begin := p.at
		if err := p.part(); err != nil {
			return Query{}, chat.Invalidf("q", "%s, at character %d", err, utf8.RuneCountInString(text[:begin])+1)
		}
	}
	switch {
	case len(p.q.Terms)+len(p.q.Without) > MaxTerms:
		return Query{}, chat.Invalidf("q", "must have at most %d words and phrases", MaxTerms)
	case len(p.q.Terms) == 0 && p.filters == 0:
		return Query{}, chat.Invalidf("q", "must have a word, a phrase or a filter to search for")
	}
	return p.q, nil
}

type parser struct {
	text    string
	at      int // the place of the next part, in bytes
	caller  chat.UserID
	zone    *time.Location
	q       Query
	filters int
}

// skipSpaces skips spaces, and what nobody sees, such as the mark of a direction in a pasted text.
func (p *parser) skipSpaces() {
	p.at = len(p.text) - len(strings.TrimLeftFunc(
		p.text[p.at:], func(r rune) bool { return unicode.IsSpace(r) || invisible(r) },
	))
}

// fault returns an error that completes the sentence "the query ...".
func fault(format string, args ...any) error { return fmt.Errorf(format, args...) }

// part reads a word, a phrase or a filter.
func (p *parser) part() error {
	rest, without := strings.CutPrefix(p.text[p.at:], "-")
	if next, _ := utf8.DecodeRuneInString(rest); rest == "" || unicode.IsSpace(next) {
		without = false // a dash between words
	}
	if without {
		p.at++
	}
	end := strings.IndexFunc(p.text[p.at:], func(r rune) bool { return unicode.IsSpace(r) || isQuote(r) })
	if end == 0 {
		return p.phrase(without)
	}
	word := p.text[p.at:]
	if end > 0 {
		word = word[:end]
	}
	p.at += len(word)
	name, value, ok := strings.Cut(word, ":")
	value = strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, value)
	read := filters[strings.ToLower(name)]
	switch {
	case !ok || read == nil:
		return p.term(word, false, without)
	case without:
		return fault("must not exclude %s:, only words and phrases", name)
	case value == "":
		return fault("must have a value right after %s:", name)
	}
	p.filters++
	return read(p, value)
}

func isQuote(r rune) bool { return strings.ContainsRune(quotes, r) }

// phrase reads a phrase between two quotes. Keyboards put quotes of several forms, so that any of
// them ends it.
func (p *parser) phrase(without bool) error {
	_, opening := utf8.DecodeRuneInString(p.text[p.at:])
	rest := p.text[p.at+opening:]
	end := strings.IndexFunc(rest, isQuote)
	if end < 0 {
		return fault(`must have another " after a phrase`)
	}
	_, closing := utf8.DecodeRuneInString(rest[end:])
	p.at += opening + end + closing
	return p.term(strings.TrimSpace(rest[:end]), true, without)
}

// term adds a word or a phrase.
func (p *parser) term(text string, phrase, without bool) error {
	t := Term{Text: Fold(text), Phrase: phrase}
	switch {
	case strings.TrimSpace(t.Text) == "":
		return fault("must have a letter, a digit or a mark in each word and phrase")
	case without:
		p.q.Without = append(p.q.Without, t)
	default:
		p.q.Terms = append(p.q.Terms, t)
	}
	return nil
}

// filters read the values of filters, by name.
var filters = map[string]func(p *parser, value string) error{
	"in": func(p *parser, value string) (err error) {
		if p.q.Room != "" {
			return fault("must have in: once")
		}
		if p.q.Room, err = chat.ParseRoomID(strings.TrimPrefix(value, "#")); err != nil {
			return fault("must have the id of a room after in:")
		}
		return nil
	},
	"from":     func(p *parser, value string) error { return p.user("from", value, &p.q.From) },
	"mentions": func(p *parser, value string) error { return p.user("mentions", value, &p.q.Mentioned) },
	"has": func(p *parser, value string) error {
		return p.feature(
			value, map[string]Feature{"link": HasLink, "file": HasFile, "reaction": HasReaction},
			"link, file or reaction after has:",
		)
	},
	"is": func(p *parser, value string) error {
		return p.feature(value, map[string]Feature{"thread": InThread}, "thread after is:")
	},
	"after": func(p *parser, value string) error {
		_, next, err := p.day("after", value)
		p.since(next)
		return err
	},
	"before": func(p *parser, value string) error {
		begin, _, err := p.day("before", value)
		p.until(begin)
		return err
	},
	"on": func(p *parser, value string) error {
		begin, next, err := p.day("on", value)
		p.since(begin)
		p.until(next)
		return err
	},
}

func (p *parser) user(name, value string, to *chat.UserID) (err error) {
	if *to != "" {
		return fault("must have %s: once", name)
	}
	if value = strings.TrimPrefix(value, "@"); value == Me {
		*to = p.caller
		return nil
	}
	if *to, err = chat.ParseSenderID(value); err != nil {
		return fault("must have me or the id of a person after %s:", name)
	}
	return nil
}

func (p *parser) feature(value string, known map[string]Feature, want string) error {
	f := known[strings.ToLower(value)]
	if f == 0 {
		return fault("must have %s", want)
	}
	p.q.Features |= f
	return nil
}

// day returns when a day begins, and when the next one does.
func (p *parser) day(name, value string) (begin, next time.Time, err error) {
	if begin, err = time.ParseInLocation(time.DateOnly, value, p.zone); err != nil {
		return begin, next, fault("must have a day such as 2026-01-31 after %s:", name)
	}
	return begin, begin.AddDate(0, 0, 1), nil
}

func (p *parser) since(t time.Time) {
	if t.After(p.q.Since) {
		p.q.Since = t
	}
}

func (p *parser) until(t time.Time) {
	if p.q.Until.IsZero() || t.Before(p.q.Until) {
		p.q.Until = t
	}
}
