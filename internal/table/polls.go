package table

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"example.com/parley/internal/chat"
)

// VotePrefix begins the sort keys of votes.
const VotePrefix = "vote#"

// pollText returns the attribute of a message's poll.
func pollText(p *chat.Poll) types.AttributeValue {
	text, _ := json.Marshal(p) // of texts, a time and truth values
	return Text(string(text))
}

// poll reads the poll of a message.
func (r *Reader) poll() *chat.Poll {
	text := r.OptionalText(attrPoll)
	if text == "" {
		return nil
	}
	p := &chat.Poll{}
	r.Keep(json.Unmarshal([]byte(text), p))
	return p
}

// VoteKey returns the primary key of a person's vote.
func VoteKey(room chat.RoomID, id chat.MessageID, user chat.UserID) Item {
	return Key(MessageVersionsPK(room, id), VotePrefix+string(user))
}

// VoteItem returns the item of a vote.
func VoteItem(v chat.Vote) Item {
	item := VoteKey(v.Room, v.Message, v.User)
	Stamp(item, VoteKind)
	item[attrChoices] = Number(int64(v.Choices))
	return item
}

// ParseVote reads an item that VoteItem wrote.
func ParseVote(item Item) (chat.Vote, error) {
	r := Reader{Item: item}
	r.Expect(VoteKind)
	v, err := ParseVoteKey(item)
	r.Keep(err)
	v.Choices, err = ParseChoices(item)
	r.Keep(err)
	if r.Err != nil {
		return chat.Vote{}, fmt.Errorf("vote: %w", r.Err)
	}
	return v, nil
}

// ChoicesProjection selects the attributes of a vote that a count reads.
func ChoicesProjection() (projection string, names map[string]string) {
	return "#sk, #choices", map[string]string{"#choices": attrChoices}
}

// ParseChoices reads the choices of a vote, without its keys.
func ParseChoices(item Item) (chat.Choices, error) {
	r := Reader{Item: item}
	bits := r.Number(attrChoices)
	if r.Err == nil && (bits < 1 || bits >= 1<<chat.MaxPollOptions) {
		r.Keep(fmt.Errorf("choices %b", bits))
	}
	if r.Err != nil {
		return 0, fmt.Errorf("vote: %w: %w", chat.ErrUnreadable, r.Err)
	}
	return chat.Choices(bits), nil //nolint:gosec // below 1<<chat.MaxPollOptions
}

// ParseVoteKey reads a vote from its primary key, without its choices.
func ParseVoteKey(item Item) (v chat.Vote, err error) {
	user, ok := strings.CutPrefix(KeyPart(item, SK), VotePrefix)
	if ok {
		if v.Room, v.Message, err = ParseMessageVersionsPK(KeyPart(item, PK)); err == nil {
			v.User, err = chat.StoredUserID(user)
		}
	}
	if !ok || err != nil {
		return chat.Vote{}, fmt.Errorf("%w: %w: vote %q", chat.ErrUnreadable, errKey, KeyPart(item, SK))
	}
	return v, nil
}
