package searching

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/search"
)

// Caller is the person whose rooms the corpus has.
const Caller chat.UserID = "reader"

// pageSize is the number of results that each way returns.
const pageSize = 20

// Query is a query that was drawn from a message, which it finds.
type Query struct {
	Kind   int
	Text   string
	parsed search.Query
	from   int // the number of the message
}

// kinds are the kinds of queries.
var kinds = []string{
	"a rare word", "a common word", "two words", "a phrase", "a word, while typing", "two Chinese characters",
	"from: and a word",
	"in: and a word", "a word without another",
}

const (
	rareWord = iota
	commonWord
	twoWords
	phrase
	typing
	twoCharacters
	fromPerson
	inOneRoom
	without
)

// Queries returns n queries of all kinds in turn. They depend only on the corpus.
func (c *Corpus) Queries(n int) (all []Query) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for len(all) < n {
		q := Query{Kind: len(all) % len(kinds), from: r.IntN(c.Len())}
		m := c.Message(q.from)
		q.Text = c.draw(r, q.Kind, m)
		var err error
		if q.parsed, err = search.Parse(q.Text, Caller, time.UTC); err == nil && q.matches(m) {
			all = append(all, q)
		}
	}
	return all
}

// draw returns a query that probably finds a message, or "".
func (c *Corpus) draw(r *rand.Rand, kind int, m chat.Message) string {
	words := wordsOf(m.Text)
	if len(words) < 3 {
		return ""
	}
	at := r.IntN(len(words) - 2)
	word := words[at]
	switch kind {
	case rareWord:
		return slices.MinFunc(words, c.compareCounts)
	case commonWord:
		return slices.MaxFunc(words, c.compareCounts)
	case twoWords:
		return word + " " + words[at+1+r.IntN(len(words)-at-1)]
	case phrase:
		begin := strings.Index(m.Text, word)
		end := begin + strings.Index(m.Text[begin:], words[at+2]) + len(words[at+2])
		return `"` + m.Text[begin:max(begin, end)] + `"`
	case typing:
		letters := []rune(word)
		return string(letters[:min(len(letters), 2+r.IntN(3))])
	case twoCharacters:
		if letters := []rune(word); len(letters) > 1 && unicode.Is(unicode.Han, letters[0]) {
			return string(letters[:2])
		}
		return ""
	case fromPerson:
		return "from:" + string(m.ID.User) + " " + word
	case inOneRoom:
		return "in:" + string(m.Room) + " " + word
	}
	other := wordsOf(c.text(r.IntN(c.Len())))
	if len(other) == 0 {
		return ""
	}
	return word + " -" + other[0]
}

// wordsOf returns the words of a text that are not very short.
func wordsOf(text string) (words []string) {
	const short = 2
	for i, part := range split(text) {
		if i%2 == 1 && len(part) > short {
			words = append(words, part)
		}
	}
	return words
}

// compareCounts compares words by their frequency in the archives.
func (c *Corpus) compareCounts(a, b string) int { return cmp.Compare(c.count(a), c.count(b)) }

func (c *Corpus) count(word string) int {
	if rank, ok := c.words[word]; ok {
		return c.counts[rank]
	}
	return 0
}

// matches reports whether the query finds a message, by a plain scan.
func (q Query) matches(m chat.Message) bool {
	p := q.parsed
	if p.Room != "" && p.Room != m.Room || p.From != "" && p.From != m.ID.User {
		return false
	}
	return q.inText(search.Fold(m.Text))
}

// inText reports whether the words and phrases find a folded text.
func (q Query) inText(folded string) bool {
	p := q.parsed
	in := func(t search.Term) bool { return t.In(folded) }
	return !slices.ContainsFunc(
		p.Terms, func(t search.Term) bool { return !in(t) },
	) && !slices.ContainsFunc(p.Without, in)
}

// Percentile returns the time that a share of the times do not exceed, or 0 if there are none.
func Percentile(times []time.Duration, percent int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)-1)*percent/100]
}
