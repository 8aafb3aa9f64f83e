package people_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
	"example.com/parley/internal/test/nightly"
)

// peopleInOrder stores people whose names repeat, are prefixes of one another, or contain
// characters that sort next to the separator.
func peopleInOrder(t *testing.T, s people.Store) {
	names := []string{"Al", "Al Bo", "Al#Bo", "Al", "Alice", "al", "Ål", "Al\u00a0Bo", "B", "Al", "Alz", "A"}
	for i, name := range names {
		p := people.Person{User: chat.UserID(fmt.Sprintf("user-%d", i)), Name: name, State: "CA", Title: "CA", Revision: 1}
		if i%2 == 1 {
			p.State = "CAL"
		}
		storePerson(t, s, people.Person{User: p.User}, p)
	}
	wantNames(t, s, people.Range{Fact: people.ByTitle, Value: "CA"}, slices.Clone(names))
	wantNames(t, s, people.Range{Fact: people.ByState, Value: "CA"}, []string{"Al", "Al#Bo", "Alice", "Ål", "B", "Alz"})
}

// wantNames compares a list of people with sorted names. No person may be listed twice.
func wantNames(t *testing.T, s people.Store, span people.Range, want []string) {
	t.Helper()
	slices.Sort(want)
	var got []string
	seen := map[chat.UserID]bool{}
	for _, m := range matches(t, s, span.Fact, span.Value) {
		got = append(got, m.Name)
		seen[m.User] = true
	}
	if !slices.Equal(got, want) || len(seen) != len(want) {
		t.Errorf("people by fact %d %q are %q, want %q", span.Fact, span.Value, got, want)
	}
}

// namesAreFoundByTheirWords compares random searches with a recount of all names. Names share words
// with one another and with themselves, and some are changed before the searches.
func namesAreFoundByTheirWords(t *testing.T, s people.Store) {
	random := rand.New(rand.NewPCG(nightly.Seed(t), 0))
	letters := []string{"a", "A", "b", "ab", "k", "\u212a", "é", "É", "ß", " ", " ", "-", "'", "#"}
	text := func(most int) string {
		var b strings.Builder
		for range 1 + random.IntN(most) {
			b.WriteString(letters[random.IntN(len(letters))])
		}
		return strings.TrimSpace(b.String()) + "a"
	}
	names := map[chat.UserID]string{}
	for i := range 90 {
		user := chat.UserID(fmt.Sprint("user-", i%60))
		before := people.Person{User: user, Name: names[user]}
		if before.Name != "" {
			before.Revision = 1
		}
		names[user] = text(8)
		storePerson(t, s, before, people.Person{User: user, Name: names[user], Revision: before.Revision + 1})
	}
	for range 60 {
		folded := people.Fold(text(2))
		if random.IntN(2) == 0 {
			folded = strings.TrimSuffix(folded, "A")
		}
		if folded == "" {
			continue
		}
		wantFoundByWord(t, s, folded, names)
	}
}

// wantFoundByWord compares the people whose names have a word that begins with a folded text with a
// recount, in order. People with equal words may be in any order.
func wantFoundByWord(t *testing.T, s people.Store, folded string, names map[chat.UserID]string) {
	t.Helper()
	want := map[chat.UserID]bool{}
	for user, name := range names {
		if begins(people.Fold(name), folded) {
			want[user] = true
		}
	}
	last := ""
	for _, m := range matches(t, s, people.ByName, folded) {
		if !want[m.User] || m.Name != names[m.User] {
			t.Errorf("%q finds %s, called %q and now %q, twice or wrongly", folded, m.User, m.Name, names[m.User])
		}
		delete(want, m.User)
		word := people.FirstMatch(m.Name, folded)
		if word < last {
			t.Errorf("%q finds %q after %q", folded, word, last)
		}
		last = word
	}
	for user := range want {
		t.Errorf("%q does not find %q", folded, names[user])
	}
}

// begins reports whether a folded text begins name, or any place of it that follows a separator.
func begins(name, text string) bool {
	separated := true
	for i, r := range name {
		separator := strings.ContainsRune(" -'#", r)
		if (i == 0 || separated && !separator) && strings.HasPrefix(name[i:], text) {
			return true
		}
		separated = separator
	}
	return false
}
