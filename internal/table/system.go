package table

import (
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
)

// systemText returns the attribute of a system message.
func systemText(s *chat.System) types.AttributeValue {
	text, _ := json.Marshal(s) // of texts and a truth value
	return Text(string(text))
}

// system reads the attribute that systemText returns.
func (r *Reader) system() *chat.System {
	text := r.OptionalText(attrSystem)
	if text == "" {
		return nil
	}
	s := &chat.System{}
	r.Keep(json.Unmarshal([]byte(text), s))
	return s
}

// SystemAttributes returns the attributes of a message that SystemUpdate writes, except its
// keys.
func SystemAttributes() []string {
	return []string{IndexPK, IndexSK, attrType, attrVersion, attrRevision, attrText, attrSystem}
}

// SystemEvent returns the attributes by which a reader of a message recognizes what it reports.
func SystemEvent() []string { return []string{attrRevision, attrSystem} }

// SystemUpdate creates a system message at its first revision, in a shard of its room, or adds
// people to the revision before it.
func SystemUpdate(m chat.Message, shard int) Update {
	u := Update{
		Expression: "SET #text = :text, #system = :system, #rev = :rev", Condition: "#rev = :before",
		Names: map[string]string{"#text": attrText, "#system": attrSystem, "#rev": attrRevision},
		Values: Item{
			":text": Text(m.Text), ":system": systemText(m.System), ":rev": Number(int64(m.Revision)),
			":before": Number(int64(m.Revision) - 1),
		},
	}
	if m.Revision > 1 {
		return u
	}
	item := MessageItem(m, shard)
	u.Expression += ", #ipk = :ipk, #isk = :isk, #type = :type, #v = :v"
	u.Condition = "attribute_not_exists(PK)"
	u.Names["#ipk"], u.Names["#isk"], u.Names["#type"], u.Names["#v"] = IndexPK, IndexSK, attrType, attrVersion
	u.Values[":ipk"], u.Values[":isk"], u.Values[":type"], u.Values[":v"] = item[IndexPK], item[IndexSK],
		item[attrType], item[attrVersion]
	delete(u.Values, ":before")
	return u
}

// SystemProjection selects the attributes of a message that ParseSystem reads, which is not its
// text.
func SystemProjection() (projection string, names map[string]string) {
	return "#pk, #type, #v, #rev, #deleted, #system", map[string]string{
		"#pk": PK, "#type": attrType, "#v": attrVersion, "#rev": attrRevision, "#deleted": attrDeleted,
		"#system": attrSystem,
	}
}

// ParseSystem reads the attributes of SystemProjection into a message without its id and times.
func ParseSystem(item Item) (chat.Message, error) {
	r := Reader{Item: item}
	r.Expect(MessageKind)
	m := chat.Message{
		Revision: int(r.OptionalNumber(attrRevision)), DeletedAt: r.OptionalTime(attrDeleted), System: r.system(),
	}
	if r.Err != nil {
		return chat.Message{}, fmt.Errorf("system message: %w: %w", chat.ErrUnreadable, r.Err)
	}
	return m, nil
}
