package table

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/people"
)

// The sort keys of a person's own items. The key of a fact begins with its kind. The whole value
// follows the separator, so an exact value never finds a longer one.
const (
	skRoot     = "root"
	skRootMeta = "root#metadata"
)

// wordsPK is the index partition of the words of all names.
const wordsPK = "words"

// PersonKey returns the primary key of the item with all of a person's facts.
func PersonKey(user chat.UserID) Item { return Key(PersonPK(user), skRoot) }

// PersonMetadataKey returns the primary key of the item with a person's metadata.
func PersonMetadataKey(user chat.UserID) Item { return Key(PersonPK(user), skRootMeta) }

// PersonRange returns the range of sort keys of root and the metadata, which are adjacent.
func PersonRange() Range { return Range{Low: skRoot, High: skRootMeta} }

// PersonItems returns the items of a person by sort key: root, the metadata, one item for each
// searchable fact, and one for each word of the name. root also has the facts, so readers need not
// touch the partition's memberships and markers. It does not have the metadata, which lists would
// pay for. Every change of an item also changes root, so one condition guards them all.
func PersonItems(p people.Person) map[string]Item {
	items := map[string]Item{}
	add := func(sk string, kind Kind) Item {
		item := Key(PersonPK(p.User), sk)
		Stamp(item, kind)
		item[IndexPK], item[IndexSK] = Text(sk), Text(p.Name)
		items[sk] = item
		return item
	}
	root := add(skRoot, PersonKind)
	root[attrName], root[attrRevision] = Text(p.Name), Number(int64(p.Revision))
	for name, value := range map[string]string{
		attrTitle: p.Title, attrState: p.State, attrHired: people.DayText(p.Hired), attrAvatar: p.Avatar, attrPicture: p.Picture,
		attrStatusText: p.Status.Text, attrStatusEmoji: p.Status.Emoji,
	} {
		if value != "" {
			root[name] = Text(value)
		}
	}
	if !p.Status.Until.IsZero() {
		root[attrStatusUntil] = Number(p.Status.Until.UnixMilli())
	}
	if p.PictureID != (uuid.UUID{}) {
		root[attrPicID] = Text(p.PictureID.String())
	}
	if p.Bot {
		root[attrBot] = &types.AttributeValueMemberBOOL{Value: true}
	}
	if p.Metadata != "" {
		item := PersonMetadataKey(p.User)
		Stamp(item, PersonMetadataKind)
		item[attrMetadata] = Text(p.Metadata)
		items[skRootMeta] = item
	}
	if p.Title != "" {
		add(FactPK(people.ByTitle, p.Title), TitleKind)
	}
	if p.State != "" {
		add(FactPK(people.ByState, p.State), StateKind)
	}
	former := &types.AttributeValueMemberL{}
	for _, title := range p.Former {
		add(FactPK(people.ByFormerTitle, title), PreviousTitleKind)
		former.Value = append(former.Value, Text(title))
	}
	for _, word := range people.Words(p.Name) {
		item := add(WordSK(word), WordKind)
		item[IndexPK], item[IndexSK], item[attrName] = Text(wordsPK), Text(word), Text(p.Name)
	}
	if len(former.Value) > 0 {
		root[attrPrevious] = former
	}
	return items
}

// PersonChange returns the items to put and the keys to delete that turn the items of before into
// those of after. The puts include root. A zero before means that the person is new.
func PersonChange(before, after people.Person) (puts, deletes []Item) {
	old := map[string]Item{}
	if before.Revision > 0 {
		old = PersonItems(before)
	}
	items := PersonItems(after)
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
			deletes = append(deletes, Key(PersonPK(before.User), sk))
		}
	}
	return puts, deletes
}

// IsRoot reports whether an item of a person is the root.
func IsRoot(item Item) bool {
	sk, ok := item[SK].(*types.AttributeValueMemberS)
	return ok && sk.Value == skRoot
}

// PersonCondition returns the condition on root that a person has not changed since they were read.
func PersonCondition(before people.Person) Update {
	if before.Revision == 0 {
		return Update{Condition: "attribute_not_exists(PK)"}
	}
	return Update{
		Condition: "#rev = :rev",
		Names:     map[string]string{"#rev": attrRevision},
		Values:    Item{":rev": Number(int64(before.Revision))},
	}
}

// ParseWholePerson reads a person from the items of PersonRange in their partition, in any order.
// found is false if there is no root.
func ParseWholePerson(items []Item) (p people.Person, found bool, err error) {
	metadata := ""
	for _, item := range items {
		if IsRoot(item) {
			found = true
			p, err = ParsePerson(item)
		} else {
			metadata, err = ParsePersonMetadata(item)
		}
		if err != nil {
			return people.Person{}, false, err
		}
	}
	if found {
		p.Metadata = metadata
	}
	return p, found, nil
}

// ParsePersonMetadata reads a person's metadata. Without an item, the metadata is empty.
func ParsePersonMetadata(item Item) (string, error) {
	if item == nil {
		return "", nil
	}
	r := Reader{Item: item}
	r.Expect(PersonMetadataKind)
	metadata := r.Text(attrMetadata)
	if r.Err != nil {
		return "", fmt.Errorf("metadata of a person: %w", r.Err)
	}
	return metadata, nil
}

// ParsePerson reads a person from root, without the metadata.
func ParsePerson(item Item) (people.Person, error) {
	r := Reader{Item: item}
	r.Expect(PersonKind)
	hired, err := people.ParseDay(r.OptionalText(attrHired))
	r.Keep(err)
	p := people.Person{
		User: r.user(), Name: r.Text(attrName), Title: r.OptionalText(attrTitle), State: r.OptionalText(attrState),
		Former: r.optionalStrs(attrPrevious), Hired: hired, Avatar: r.OptionalText(attrAvatar), Picture: r.OptionalText(attrPicture),
		Status: r.status(), Bot: item[attrBot] != nil, Revision: int(r.Number(attrRevision)),
	}
	if id := r.OptionalText(attrPicID); id != "" {
		p.PictureID, err = uuid.Parse(id)
		r.Keep(err)
	}
	if r.Err != nil {
		return people.Person{}, fmt.Errorf("person item: %w", r.Err)
	}
	return p, nil
}

// status returns the status in a person's root, if it has one.
func (r *Reader) status() people.Status {
	return people.Status{
		Text: r.OptionalText(attrStatusText), Emoji: r.OptionalText(attrStatusEmoji), Until: r.OptionalTime(attrStatusUntil),
	}
}

// optionalStrs returns a list of strings, or nil if the attribute is absent.
func (r *Reader) optionalStrs(name string) []string {
	if r.Item[name] == nil {
		return nil
	}
	list, ok := r.Item[name].(*types.AttributeValueMemberL)
	if !ok {
		r.Keep(fmt.Errorf("%s is not a list", name))
		return nil
	}
	var all []string
	for _, v := range list.Value {
		s, ok := v.(*types.AttributeValueMemberS)
		if !ok {
			r.Keep(fmt.Errorf("%s does not hold strings", name))
			return nil
		}
		all = append(all, s.Value)
	}
	return all
}

// user returns the user of the partition that the item is in.
func (r *Reader) user() chat.UserID {
	user, err := chat.StoredUserID(strings.TrimPrefix(r.Text(PK), PersonPK("")))
	r.Keep(err)
	return user
}

// WordSK returns the sort key of a word of a person's name.
func WordSK(word string) string { return string(WordKind) + "#" + word }

// WordRange returns the range of the sort keys of all words of a person's name.
func WordRange() Range { return PrefixRange(WordSK("")) }

// Word is a word of a person's name, as people.Words returns it.
type Word struct {
	people.Match
	Word string
}

// ParseWord reads a word, as in the index.
func ParseWord(item Item) (Word, error) {
	r := Reader{Item: item}
	r.Expect(WordKind)
	w := Word{Word: r.Text(IndexSK), Match: people.Match{User: r.user(), Name: r.Text(attrName)}}
	w.Value = w.Name
	if r.Err != nil {
		return Word{}, fmt.Errorf("word item: %w", r.Err)
	}
	return w, nil
}

// PeoplePK is the index partition of all people, by name.
const PeoplePK = skRoot

// FactPK returns the index partition of the people with a fact, which is also the fact's sort key
// in their own partitions. The words of all names share one partition.
func FactPK(fact people.Fact, value string) string {
	switch fact {
	case people.ByTitle:
		return string(TitleKind) + "#" + value
	case people.ByFormerTitle:
		return string(PreviousTitleKind) + "#" + value
	case people.ByState:
		return string(StateKind) + "#" + value
	}
	return wordsPK
}

// PrefixRange returns the range of sort keys that begin with a prefix. No key contains the rune
// that ends it.
func PrefixRange(prefix string) Range {
	return Range{Low: prefix, High: prefix + string(chat.LastRune)}
}

// ParsePersonMatch reads a match from an item of a fact other than the name, as in the index.
func ParsePersonMatch(item Item) (people.Match, error) {
	r := Reader{Item: item}
	kind, value, _ := strings.Cut(r.Text(SK), "#")
	r.Expect(Kind(kind))
	m := people.Match{User: r.user(), Name: r.Text(IndexSK), Value: value}
	if r.Err != nil {
		return people.Match{}, fmt.Errorf("person item: %w", r.Err)
	}
	return m, nil
}
