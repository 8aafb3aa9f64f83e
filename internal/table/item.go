package table

import (
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"example.com/parley/internal/chat"
)

// Item is an item as the SDK represents it.
type Item = map[string]types.AttributeValue

// Key returns the primary key of an item.
func Key(pk, sk string) Item { return Item{PK: Text(pk), SK: Text(sk)} }

// Stamp sets the kind and the current schema version of an item.
func Stamp(item Item, kind Kind) {
	item[attrType], item[attrVersion] = Text(kind), Number(schemaVersion)
}

// KindAttributes returns the attributes of an item that an erasure reads: its key and its kind.
func KindAttributes() []string { return []string{PK, SK, attrType} }

// MessageKey returns the primary key of a message in the given shard of its room.
func MessageKey(room chat.RoomID, shard int, id chat.MessageID) Item {
	return Key(ShardPK(room, shard), MessageSK(id))
}

// MessageItem returns the item of m at its first revision, in the given shard of its room.
func MessageItem(m chat.Message, shard int) Item {
	pk := Text(ShardPK(m.Room, shard))
	index := pk
	if !m.InRoom() {
		index = Text(ThreadIndexPK(m.Room, m.Thread))
	}
	item := Item{
		PK: pk, SK: Text(MessageSK(m.ID)),
		IndexPK: index, IndexSK: Text(MessageIndexSK(chat.Position{At: m.ReceivedAt, ID: m.ID})),
		attrType: Text(MessageKind), attrVersion: Number(schemaVersion),
		attrText: Text(m.Text),
	}
	if m.System != nil {
		item[attrSystem] = systemText(m.System)
	} else {
		item[attrDigest] = &types.AttributeValueMemberB{Value: m.Digest}
	}
	if m.Metadata != "" {
		item[attrMetadata] = Text(m.Metadata)
	}
	if m.IsReply() {
		item[attrThread] = Text(m.Thread.String())
	}
	if m.ShowInRoom {
		item[attrShowInRoom] = Number(1)
	}
	if m.Via != "" {
		item[AttrVia] = Text(string(m.Via))
	}
	if !m.EditedAt.IsZero() { // an import, whose archive has only the last text
		item[attrEdited] = Number(m.EditedAt.UnixMilli())
	}
	if m.Quote != (chat.MessageID{}) {
		item[attrQuote] = Text(m.Quote.String())
	}
	if m.Poll != nil {
		item[attrPoll] = pollText(m.Poll)
	}
	if len(m.Attachments) > 0 {
		item[attrAttachments] = attachmentsText(m.Attachments)
	}
	if len(m.Mentions.Users) > 0 {
		item[attrMentions] = Set(m.Mentions.Users)
	}
	if m.Mentions.Room {
		item[attrMentionRoom] = Bool(true)
	}
	if m.Imported > 0 {
		item[attrImported] = Number(int64(m.Imported))
	}
	if m.Deleted() { // an import, whose archive lacks the message
		item[attrDeleted], item[attrDeletedBy] = Number(m.DeletedAt.UnixMilli()), Text(string(m.DeletedBy))
	}
	return item
}

// ParseMessage reads an item that MessageItem wrote and MessageRevision may have changed, of this
// schema version or a neighbour. A deletion removes the text, and erasure also removes the digest.
func ParseMessage(item Item) (chat.Message, error) {
	r := Reader{Item: item}
	r.Expect(MessageKind)
	room, _, err := ParseShardPK(r.Text(PK))
	r.Keep(err)
	id, err := ParseMessageSK(r.Text(SK))
	r.Keep(err)
	at, err := ParseMessageIndexSK(r.Text(IndexSK))
	r.Keep(err)
	thread := r.optionalMessageID(attrThread)
	m := chat.Message{
		Thread: thread, ShowInRoom: r.OptionalNumber(attrShowInRoom) != 0,
		Room: room, ID: id, ReceivedAt: at.At,
		Text: r.OptionalText(attrText), Metadata: r.OptionalText(attrMetadata), Digest: r.OptionalBytes(attrDigest),
		Revision: int(r.OptionalNumber(attrRevision)), VersionBytes: int(r.OptionalNumber(attrKept)),
		Imported: int(r.OptionalNumber(attrImported)),
		EditedAt: r.OptionalTime(attrEdited), DeletedAt: r.OptionalTime(attrDeleted),
		DeletedBy: chat.UserID(r.OptionalText(attrDeletedBy)), Via: chat.UserID(r.OptionalText(AttrVia)),
	}
	if quote := r.OptionalText(attrQuote); quote != "" {
		m.Quote, err = chat.ParseMessageID(quote)
		r.Keep(err)
	}
	m.Poll, m.Mentions, m.System = r.poll(), r.Mentions(), r.system()
	m.Attachments, m.Tally = r.attachments(), r.tally(m.Deleted())
	if m.Revision == 0 {
		m.Revision = 1 // never edited
	}
	if r.Err != nil {
		return chat.Message{}, fmt.Errorf("message item: %w", r.Err)
	}
	return m, nil
}

// Mentions reads the mentions of a message.
func (r *Reader) Mentions() chat.Mentions {
	return chat.Mentions{Users: r.OptionalUsers(attrMentions), Room: r.Item[attrMentionRoom] != nil}
}

// Size estimates the size that DynamoDB bills for an item: its names and values.
func Size(item Item) int {
	n := 0
	for name, v := range item {
		n += len(name)
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			n += len(v.Value)
		case *types.AttributeValueMemberSS:
			for _, s := range v.Value {
				n += len(s) + 1
			}
		case *types.AttributeValueMemberB:
			n += len(v.Value)
		case *types.AttributeValueMemberN:
			n += (len(v.Value)+1)/2 + 1
		}
	}
	return n
}

// storedAttachment is an attachment in the attribute of its message. The names are short, because
// DynamoDB bills them.
type storedAttachment struct {
	ID          uuid.UUID `json:"i"`
	Name        string    `json:"n,omitzero"`
	Type        string    `json:"t,omitzero"`
	Bytes       int64     `json:"b,omitzero"`
	Width       int       `json:"w,omitzero"`
	Height      int       `json:"h,omitzero"`
	Placeholder []byte    `json:"p,omitempty"`
	Alt         string    `json:"a,omitzero"`
	Preview     bool      `json:"v,omitzero"`
}

// attachmentsText returns the attribute of a message's attachments.
func attachmentsText(all []chat.Attachment) types.AttributeValue {
	stored := make([]storedAttachment, len(all))
	for i, a := range all {
		stored[i] = storedAttachment(a)
	}
	text, _ := json.Marshal(stored) // of texts, numbers and truth values
	return Text(string(text))
}

// attachments reads the attachments of a message. After a deletion they have only their ids.
func (r *Reader) attachments() []chat.Attachment {
	text := r.OptionalText(attrAttachments)
	if text == "" {
		return nil
	}
	var stored []storedAttachment
	r.Keep(json.Unmarshal([]byte(text), &stored))
	all := make([]chat.Attachment, len(stored))
	for i, a := range stored {
		all[i] = chat.Attachment(a)
	}
	return all
}

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
