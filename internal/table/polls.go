package table

import (
	"encoding/json"
	"fmt"

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

// ChoicesProjection selects the attributes of a vote that a count reads.
func ChoicesProjection() (projection string, names map[string]string) {
	return "#sk, #choices", map[string]string{"#choices": AttrChoices}
}

// ParseChoices reads the choices of a vote, without its keys.
func ParseChoices(item Item) (chat.Choices, error) {
	r := Reader{Item: item}
	bits := r.Number(AttrChoices)
	if r.Err == nil && (bits < 1 || bits >= 1<<chat.MaxPollOptions) {
		r.Keep(fmt.Errorf("choices %b", bits))
	}
	if r.Err != nil {
		return 0, fmt.Errorf("vote: %w: %w", chat.ErrUnreadable, r.Err)
	}
	return chat.Choices(bits), nil //nolint:gosec // below 1<<chat.MaxPollOptions
}
