package table

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/tally"
)

// A tally is packed because it is part of the message, which is rewritten with each count. The
// layout in bytes, with numbers as varints:
//
//	version 1 | parts, each: its number 1 to 255 | length, payload
//
// and a payload by its part:
//
//	1 reactions   how many | each: length, emoji | count
//	2 replies     count | last, in milliseconds | how many users | each: length, user
//	3 votes       voters | how many options | each: count
//
// A part that is empty is left out. More parts may follow. A reader keeps unknown parts and writes
// them back unchanged.
const tallyVersion = 1

const (
	partReactions = 1
	partReplies   = 2
	partVotes     = 3
	// maxPart and maxListed bound a part when it is read. A later version may show more.
	maxPart   = 64 << 10
	maxListed = 1000
)

// packTally encodes a tally without its version. It is nil for an empty one.
func packTally(t chat.Tally) []byte {
	b := []byte{tallyVersion}
	if len(t.Reactions) > 0 {
		payload := binary.AppendUvarint(nil, uint64(len(t.Reactions)))
		for _, r := range t.Reactions {
			payload = binary.AppendUvarint(appendText(payload, r.Emoji), uint64(r.Count))
		}
		b = appendText(append(b, partReactions), string(payload))
	}
	if t.Replies.Count > 0 {
		payload := binary.AppendUvarint(nil, uint64(t.Replies.Count))
		payload = binary.AppendUvarint(payload, uint64(t.Replies.LastAt.UnixMilli()))
		payload = binary.AppendUvarint(payload, uint64(len(t.Replies.Users)))
		for _, user := range t.Replies.Users {
			payload = appendText(payload, user)
		}
		b = appendText(append(b, partReplies), string(payload))
	}
	if t.Votes.Voters > 0 {
		payload := binary.AppendUvarint(nil, uint64(t.Votes.Voters))
		payload = binary.AppendUvarint(payload, uint64(len(t.Votes.Options)))
		for _, n := range t.Votes.Options {
			payload = binary.AppendUvarint(payload, uint64(n))
		}
		b = appendText(append(b, partVotes), string(payload))
	}
	if b = append(b, t.Opaque...); len(b) == 1 {
		return nil
	}
	return b
}

// unpackTally decodes the result of packTally.
func unpackTally(b []byte) (t chat.Tally, err error) {
	if len(b) == 0 {
		return t, nil
	}
	u := unpacker{rest: b}
	if version := u.bytes(1); version[0] != tallyVersion {
		u.fail("tally of version %d", version[0])
	}
	for len(u.rest) > 0 && u.err == nil {
		part := u.bytes(1)[0]
		payload := u.text(maxPart)
		in := unpacker{rest: []byte(payload)}
		switch part {
		case partReactions:
			for range in.number(maxListed) {
				t.Reactions = append(
					t.Reactions, chat.ReactionCount{Emoji: in.text(maxPart), Count: int(in.number(chat.MaxVersion))},
				)
			}
		case partReplies:
			t.Replies.Count = int(in.number(chat.MaxVersion))
			t.Replies.LastAt = time.UnixMilli(int64(in.number(chat.MaxSeq))).UTC()
			for range in.number(maxListed) {
				user, err := chat.StoredUserID(in.text(chat.MaxUserID))
				if err != nil {
					in.fail("user %q", user)
				}
				t.Replies.Users = append(t.Replies.Users, string(user))
			}
		case partVotes:
			t.Votes.Voters = int(in.number(chat.MaxVersion))
			for range in.number(maxListed) {
				t.Votes.Options = append(t.Votes.Options, int(in.number(chat.MaxVersion)))
			}
		default:
			t.Opaque += string(appendText([]byte{part}, payload))
		}
		if u.err == nil && in.err != nil {
			u.err = in.err
		}
	}
	return t, u.err
}

// tally reads the tally of a message. A deleted one has neither reactions nor votes.
func (r *Reader) tally(deleted bool) chat.Tally {
	t, err := unpackTally(r.OptionalBytes(attrTally))
	r.Keep(err)
	if t.Version = int(r.OptionalNumber(attrTallyVersion)); deleted {
		t.Reactions, t.Votes = nil, chat.VoteCount{}
	}
	return t
}

// RowAttributes returns the attributes of rows that a count reads.
func RowAttributes() []string { return []string{PK, SK, attrDeleted, AttrChoices} }

// CountedAttributes returns the attributes of a message that a count reads, and the projection of
// its files.
func CountedAttributes() []string {
	return []string{PK, SK, attrType, attrVersion, attrDeleted, attrTallyVersion, attrTally, attrAttachments}
}

// TallyAttributes returns the attributes of a message that a count writes, including its keys.
func TallyAttributes() []string { return []string{PK, SK, attrTallyVersion, attrTally} }

// TallyProjection selects the attributes of a message that a count reads: neither its text nor its
// metadata.
func TallyProjection() (projection string, names map[string]string) {
	return "#pk, #type, #v, #deleted, #tv, #tally, #files", map[string]string{
		"#pk": PK, "#type": attrType, "#v": attrVersion, "#deleted": attrDeleted, "#tv": attrTallyVersion,
		"#tally": attrTally, "#files": attrAttachments,
	}
}

// ParseTally reads the attributes of TallyProjection.
func ParseTally(item Item) (tally.Message, error) {
	r := Reader{Item: item}
	r.Expect(MessageKind)
	m := tally.Message{
		Tally: r.tally(false), Deleted: !r.OptionalTime(attrDeleted).IsZero(), Attachments: r.attachments(),
	}
	if r.Err != nil {
		return tally.Message{}, fmt.Errorf("tally of a message: %w: %w", chat.ErrUnreadable, r.Err)
	}
	return m, nil
}

// TallyUpdate replaces the tally of a message if its version is the one before after's.
func TallyUpdate(after chat.Tally) Update {
	u := Update{
		Expression: "SET #tv = :tv, #tally = :tally",
		Condition:  "attribute_exists(PK) AND (#tv = :before OR attribute_not_exists(#tv) AND :before = :none)",
		Names:      map[string]string{"#tv": attrTallyVersion, "#tally": attrTally},
		Values: Item{
			":tv": Number(int64(after.Version)), ":before": Number(int64(after.Version - 1)), ":none": Number(0),
		},
	}
	packed := packTally(after)
	if packed == nil {
		packed = []byte{tallyVersion}
	}
	u.Values[":tally"] = &types.AttributeValueMemberB{Value: packed}
	return u
}
