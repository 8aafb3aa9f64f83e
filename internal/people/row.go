package people

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/table"
)

// The attributes of a person's items.
const (
	attrName     = "name"
	attrRevision = "rev"
	attrMetadata = "meta"
	attrTitle    = "title"
	attrState    = "state"
	attrPrevious = "previous"
	attrHired    = "hired"
	attrAvatar   = "avatar"
	attrPicture  = "picture"
	attrPicID    = "pictureId"
	attrBot      = "bot"

	attrStatusText  = "status"
	attrStatusEmoji = "emoji"
	attrStatusUntil = "statusUntil"
)

// The sort keys of a person's own items. The key of a fact begins with its kind. The whole value
// follows the separator, so an exact value never finds a longer one.
const (
	skRoot     = "root"
	skRootMeta = "root#metadata"
)

// wordsPK is the index partition of the words of all names.
const wordsPK = "words"

// Key returns the primary key of the item with all of a person's facts.
func Key(user chat.UserID) table.Item { return table.Key(table.PersonPK(user), skRoot) }

// MetadataKey returns the primary key of the item with a person's metadata.
func MetadataKey(user chat.UserID) table.Item { return table.Key(table.PersonPK(user), skRootMeta) }

// Items returns the items of a person by sort key: root, the metadata, one item for each
// searchable fact, and one for each word of the name. root also has the facts, so readers need not
// touch the partition's memberships and markers. It does not have the metadata, which lists would
// pay for. Every change of an item also changes root, so one condition guards them all.
func Items(p Person) map[string]table.Item {
	items := map[string]table.Item{}
	add := func(sk string, kind table.Kind) table.Item {
		item := table.Key(table.PersonPK(p.User), sk)
		table.Stamp(item, kind)
		item[table.IndexPK], item[table.IndexSK] = table.Text(sk), table.Text(p.Name)
		items[sk] = item
		return item
	}
	root := add(skRoot, table.PersonKind)
	root[attrName], root[attrRevision] = table.Text(p.Name), table.Number(int64(p.Revision))
	for name, value := range map[string]string{
		attrTitle: p.Title, attrState: p.State, attrHired: DayText(p.Hired), attrAvatar: p.Avatar,
		attrPicture:    p.Picture,
		attrStatusText: p.Status.Text, attrStatusEmoji: p.Status.Emoji,
	} {
		if value != "" {
			root[name] = table.Text(value)
		}
	}
	if !p.Status.Until.IsZero() {
		root[attrStatusUntil] = table.Number(p.Status.Until.UnixMilli())
	}
	if p.PictureID != (uuid.UUID{}) {
		root[attrPicID] = table.Text(p.PictureID.String())
	}
	if p.Bot {
		root[attrBot] = table.Bool(true)
	}
	if p.Metadata != "" {
		item := MetadataKey(p.User)
		table.Stamp(item, table.PersonMetadataKind)
		item[attrMetadata] = table.Text(p.Metadata)
		items[skRootMeta] = item
	}
	if p.Title != "" {
		add(factPK(ByTitle, p.Title), table.TitleKind)
	}
	if p.State != "" {
		add(factPK(ByState, p.State), table.StateKind)
	}
	for _, title := range p.Former {
		add(factPK(ByFormerTitle, title), table.PreviousTitleKind)
	}
	for _, word := range Words(p.Name) {
		item := add(wordSK(word), table.WordKind)
		item[table.IndexPK], item[table.IndexSK], item[attrName] = table.Text(wordsPK), table.Text(word),
			table.Text(p.Name)
	}
	if len(p.Former) > 0 {
		root[attrPrevious] = table.List(p.Former)
	}
	return items
}

// BotItem returns the profile of a webhook's bot. It has only a name, and no list of people has it.
func BotItem(bot chat.UserID, name string) table.Item {
	root := Items(Person{User: bot, Name: name, Bot: true, Revision: 1})[skRoot]
	delete(root, table.IndexPK)
	delete(root, table.IndexSK)
	return root
}

// Changes returns the items to put and the keys to delete that turn before's items into after's.
// The puts include root. A zero before means that the person is new.
func Changes(before, after Person) (puts, deletes []table.Item) {
	old := map[string]table.Item{}
	if before.Revision > 0 {
		old = Items(before)
	}
	items := Items(after)
	for sk, item := range items {
		_, kept := old[sk]
		same := before.Name == after.Name
		if sk == skRootMeta {
			same = before.Metadata == after.Metadata
		}
		if !kept || sk == skRoot || !same {
			puts = append(puts, item)
		}
	}
	for sk := range old {
		if _, kept := items[sk]; !kept {
			deletes = append(deletes, table.Key(table.PersonPK(before.User), sk))
		}
	}
	return puts, deletes
}

// IsRoot reports whether an item of a person is the root.
func IsRoot(item table.Item) bool { return table.SortKeyOf(item) == skRoot }

// Unchanged returns the condition on root that a person has not changed since they were read.
func Unchanged(before Person) table.Update {
	if before.Revision == 0 {
		return table.Update{Condition: "attribute_not_exists(PK)"}
	}
	return table.Update{
		Condition: "#rev = :rev",
		Names:     map[string]string{"#rev": attrRevision},
		Values:    table.Item{":rev": table.Number(int64(before.Revision))},
	}
}

// parseWhole reads a person from root and the metadata, in any order. found is false if there is no
// root.
func parseWhole(items []table.Item) (p Person, found bool, err error) {
	metadata := ""
	for _, item := range items {
		if IsRoot(item) {
			found = true
			p, err = Parse(item)
		} else {
			metadata, err = ParseMetadata(item)
		}
		if err != nil {
			return Person{}, false, err
		}
	}
	if found {
		p.Metadata = metadata
	}
	return p, found, nil
}

// ParseMetadata reads a person's metadata. Without an item, the metadata is empty.
func ParseMetadata(item table.Item) (string, error) {
	if item == nil {
		return "", nil
	}
	r := table.Reader{Item: item}
	r.Expect(table.PersonMetadataKind)
	metadata := r.Text(attrMetadata)
	if r.Err != nil {
		return "", fmt.Errorf("metadata of a person: %w", r.Err)
	}
	return metadata, nil
}

// Parse reads a person from root, without the metadata.
func Parse(item table.Item) (Person, error) {
	r := table.Reader{Item: item}
	r.Expect(table.PersonKind)
	hired, err := ParseDay(r.OptionalText(attrHired))
	r.Keep(err)
	p := Person{
		User: r.User(), Name: r.Text(attrName), Title: r.OptionalText(attrTitle), State: r.OptionalText(attrState),
		Former: r.OptionalTexts(attrPrevious), Hired: hired, Avatar: r.OptionalText(attrAvatar),
		Picture: r.OptionalText(attrPicture),
		Status:  statusOf(&r), Bot: item[attrBot] != nil, Revision: int(r.Number(attrRevision)),
	}
	if id := r.OptionalText(attrPicID); id != "" {
		p.PictureID, err = uuid.Parse(id)
		r.Keep(err)
	}
	if r.Err != nil {
		return Person{}, fmt.Errorf("person item: %w", r.Err)
	}
	return p, nil
}

// statusOf returns the status in a person's root, if it has one.
func statusOf(r *table.Reader) Status {
	return Status{
		Text: r.OptionalText(attrStatusText), Emoji: r.OptionalText(attrStatusEmoji),
		Until: r.OptionalTime(attrStatusUntil),
	}
}

// wordSK returns the sort key of a word of a person's name.
func wordSK(word string) string { return string(table.WordKind) + "#" + word }

// word is a word of a person's name, as Words returns it.
type word struct {
	Match
	word string
}

// parseWord reads a word, as in the index.
func parseWord(item table.Item) (word, error) {
	r := table.Reader{Item: item}
	r.Expect(table.WordKind)
	w := word{word: r.Text(table.IndexSK), Match: Match{User: r.User(), Name: r.Text(attrName)}}
	w.Value = w.Name
	if r.Err != nil {
		return word{}, fmt.Errorf("word item: %w", r.Err)
	}
	return w, nil
}

// factPK returns the index partition of the people with a fact, which is also the fact's sort key
// in their own partitions. The words of all names share one partition.
func factPK(fact Fact, value string) string {
	switch fact {
	case ByTitle:
		return string(table.TitleKind) + "#" + value
	case ByFormerTitle:
		return string(table.PreviousTitleKind) + "#" + value
	case ByState:
		return string(table.StateKind) + "#" + value
	}
	return wordsPK
}

// parseMatch reads a match from an item of a fact other than the name, as in the index.
func parseMatch(item table.Item) (Match, error) {
	r := table.Reader{Item: item}
	kind, value, _ := strings.Cut(r.Text(table.SK), "#")
	r.Expect(table.Kind(kind))
	m := Match{User: r.User(), Name: r.Text(table.IndexSK), Value: value}
	if r.Err != nil {
		return Match{}, fmt.Errorf("person item: %w", r.Err)
	}
	return m, nil
}

// MaxWords is the number of words of a name by which a person is found. More fit in chat.MaxName
// only if they are very short. Each word is an item. Changing a name deletes the old words' items
// in the transaction that puts the new ones.
const MaxWords = 20

// Fold returns a text in the form in which names are compared, ignoring case. It maps each
// character to the first that is equal under Unicode's simple case folding. It keeps accents, and
// does not compose them with their letters.
func Fold(s string) string {
	return strings.Map(func(r rune) rune {
		first := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			first = min(first, next)
		}
		return first
	}, s)
}

// Words returns the folded name from the start of each of its first MaxWords words, longest text
// first. The first word starts with the name. Each other word starts after a space or a
// punctuation mark. A name or one of its words begins with a text if one of these results begins
// with the folded text.
func Words(name string) []string {
	folded := Fold(name)
	var words []string
	inWord := false
	for i, r := range folded {
		part := !unicode.In(r, unicode.Z, unicode.P)
		if i == 0 || part && !inWord {
			words = append(words, folded[i:])
		}
		if inWord = part; len(words) == MaxWords {
			break
		}
	}
	return words
}

// FirstMatch returns the word of a name under which a list of the words that begin with a folded
// text shows the person. Other words of the name may begin with the text too, but people are listed
// once. It returns "" if the name has no such word.
func FirstMatch(name, folded string) string {
	first := ""
	for _, word := range Words(name) {
		if strings.HasPrefix(word, folded) && (first == "" || word < first) {
			first = word
		}
	}
	return first
}
