// Package wire defines the JSON forms of messages and changes. The HTTP API and the frames of live
// connections share them, so a change looks the same in both.
//
// The tags doc, enum, example and format describe the fields in the OpenAPI document.
package wire

import (
	"encoding/base64"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"example.com/parley/internal/chat"
	"example.com/parley/internal/emoji"
	"example.com/parley/internal/timetext"
)

// Message is a message as the API shows it.
type Message struct {
	ID          string       `json:"id" doc:"The sender's UUID, ~, and the sender" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	Room        string       `json:"room" example:"seattle"`
	User        string       `json:"user" doc:"The sender" example:"amsg"`
	Bot         bool         `json:"bot,omitzero" doc:"The sender is the bot of an incoming webhook, and no person"`
	Text        string       `json:"text"`
	Metadata    Metadata     `json:"metadata,omitzero"`
	Mentions    []string     `json:"mentions,omitempty" nullable:"false" doc:"The people whom it mentions, by user id, in order; absent for none and after a deletion" example:"[\"bob\"]"`
	MentionRoom bool         `json:"mentionRoom,omitzero" doc:"It mentions everyone in the room"`
	SentAt      string       `json:"sentAt" format:"date-time" doc:"The time in the id"`
	ReceivedAt  string       `json:"receivedAt" format:"date-time" doc:"When the server received it; orders the room"`
	Revision    int          `json:"revision" doc:"1, and one more with each edit and with the deletion. In quotes it is the ETag" example:"1"`
	EditedAt    string       `json:"editedAt,omitempty" format:"date-time" doc:"When it was last edited"`
	DeletedAt   string       `json:"deletedAt,omitempty" format:"date-time" doc:"When it was deleted; its text is then empty, and it has no metadata"`
	DeletedBy   string       `json:"deletedBy,omitempty" doc:"The user who deleted it" example:"bob"`
	Replies     *Replies     `json:"replies,omitempty" doc:"The thread of the message; absent without replies. It may be some seconds old"`
	Thread      string       `json:"thread,omitempty" doc:"The message that this one replies to, the root of its thread" example:"01890a5d-ac96-774b-bcce-b302099a8057~amsg"`
	ShowInRoom  bool         `json:"showInRoom,omitzero" doc:"A reply that the room lists too"`
	Via         string       `json:"via,omitempty" doc:"The service that wrote the text on the sender's behalf" example:"helpdesk"`
	Blocked     bool         `json:"blocked,omitzero" doc:"The caller has blocked the sender"`
	Quote       *Quote       `json:"quote,omitempty" doc:"The message that it quotes; absent when there is none, or when this message is deleted"`
	Reactions   []Reaction   `json:"reactions,omitempty" doc:"What people reacted with, the first emoji first; the counts may be behind by some seconds"`
	Poll        *Poll        `json:"poll,omitempty" doc:"What one can vote for; the text is the question. The counts may be behind by some seconds"`
	Kind        string       `json:"kind,omitempty" enum:"system" doc:"Of a message that reports what happened in the room, and that nobody wrote; absent for all others"`
	System      *System      `json:"system,omitempty" doc:"Of a message of kind system: what happened. The text says the same in English. Nobody may edit, quote or reply to it, and only moderators may delete it"`
	Attachments []Attachment `json:"attachments,omitempty" nullable:"false" maxItems:"20" doc:"Its files, in order; absent for none and after a deletion"`
}

// Reaction is how many people reacted to a message with one emoji.
type Reaction struct {
	Emoji string `json:"emoji" example:"👍"`
	Count int    `json:"count" minimum:"1" example:"3"`
	Me    bool   `json:"me,omitzero" doc:"The caller is one of them. Only get-message, list-messages and answers about one reaction say so"`
}

// ReactionsOf returns the form of counts of reactions, without Me.
func ReactionsOf(counts []chat.ReactionCount) []Reaction {
	all := make([]Reaction, len(counts))
	for i, c := range counts {
		all[i] = Reaction{Emoji: emoji.Text(c.Emoji), Count: c.Count}
	}
	return all
}

// Quote is a quoted message as the API shows it.
type Quote struct {
	ID      string  `json:"id" doc:"The quoted message's id" example:"01890a5d-ac96-774b-bcce-b302099a8057~bob"`
	User    string  `json:"user" doc:"Its sender" example:"bob"`
	Text    *string `json:"text,omitzero" doc:"The first 200 characters of its current text; empty when it is deleted. Absent in frames of live connections" example:"Shall we meet at noon?"`
	Blocked bool    `json:"blocked,omitzero" doc:"The caller has blocked its sender"`
}

// View is the reader-specific part of messages. The zero View is for frames, which are the same
// for everybody.
type View struct {
	Blocked map[chat.UserID]bool                            // whom the reader has blocked
	Quoted  func(chat.RoomID, chat.MessageID) (text string) // nil leaves texts of quotes out
}

// MessageOf returns the form of a message in the zero View.
func MessageOf(m chat.Message) Message { return View{}.Message(m) }

// Message returns the form of a message.
func (v View) Message(m chat.Message) Message {
	b := Message{
		ID: m.ID.String(), Room: string(m.Room), User: string(m.ID.User), Bot: m.ID.User.Bot(),
		Text: m.Text, Metadata: Metadata(m.Metadata), SentAt: TimeText(m.SentAt()),
		ReceivedAt: TimeText(m.ReceivedAt), Revision: m.Revision, Via: string(m.Via),
		Blocked: v.Blocked[m.ID.User], Quote: v.quote(m),
	}
	if m.IsReply() {
		b.Thread, b.ShowInRoom = m.Thread.String(), m.ShowInRoom
	}
	for _, user := range m.Mentions.Users {
		b.Mentions = append(b.Mentions, string(user))
	}
	b.MentionRoom = m.Mentions.Room
	if !m.EditedAt.IsZero() {
		b.EditedAt = TimeText(m.EditedAt)
	}
	if m.Deleted() {
		b.DeletedAt, b.DeletedBy = TimeText(m.DeletedAt), string(m.DeletedBy)
	}
	b.Reactions = ReactionsOf(m.Tally.Reactions)
	b.Poll, b.Attachments = pollOf(m), attachmentsOf(m)
	b.Replies = repliesOf(m.Tally.Replies)
	if s := m.System; s != nil {
		b.Kind, b.Blocked = "system", false
		b.System = &System{Event: string(s.Event), People: s.People, More: s.More, Value: s.Value}
	}
	return b
}

// System is what a system message reports.
type System struct {
	Event  string        `json:"event" enum:"joined,added,left,removed,renamed,topic,archived,unarchived" doc:"What happened. The message's user did it; of joined it is the room's creator. A client shows the text of an event that it does not know"`
	People []chat.UserID `json:"people,omitempty" nullable:"false" maxItems:"20" doc:"Who joined, was added, left or was removed, by user id; a message lists all who joined in an hour"`
	More   bool          `json:"more,omitzero" doc:"There were more people"`
	Value  string        `json:"value,omitempty" doc:"The new name or topic; absent for a topic that was removed"`
}

// Replies is a message's summary of its thread.
type Replies struct {
	Count  int      `json:"count" doc:"The replies that are not deleted" example:"3"`
	Users  []string `json:"users" maxItems:"3" doc:"Who replied last, newest first, at most three people"`
	LastAt string   `json:"lastAt" format:"date-time" doc:"When the newest reply was received"`
}

// repliesOf returns the form of a message's thread summary, or nil for a message without replies.
func repliesOf(r chat.ReplyCount) *Replies {
	if r.Count == 0 {
		return nil
	}
	return &Replies{Count: r.Count, Users: r.Users, LastAt: TimeText(r.LastAt)}
}

// quote returns the form of the message that m quotes, or nil if there is none.
func (v View) quote(m chat.Message) *Quote {
	if m.Quote == (chat.MessageID{}) {
		return nil
	}
	q := &Quote{ID: m.Quote.String(), User: string(m.Quote.User), Blocked: v.Blocked[m.Quote.User]}
	if v.Quoted != nil {
		q.Text = new(v.Quoted(m.Room, m.Quote))
	}
	return q
}

// Metadata is the JSON object that a client attached to something. The zero value means that there
// is none; a field of this type has the tag omitzero.
type Metadata string

// MarshalJSONTo writes the object.
func (m Metadata) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteValue(jsontext.Value(m))
}

// UnmarshalJSONFrom reads any JSON value unchanged. The service checks it.
func (m *Metadata) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	*m = Metadata(v)
	return err
}

// Given returns the optional object that a client gave: nil for none.
func (m Metadata) Given() *string {
	if m == "" {
		return nil
	}
	return new(string(m))
}

// TimeText returns a time as in RFC 3339, in UTC with milliseconds, always with the same width.
func TimeText(t time.Time) string { return timetext.Text(t, 'T', "Z") }

// OptionalTimeText is TimeText for a time that may be absent: the zero time has no text.
func OptionalTimeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return TimeText(t)
}

// Attachment is a file of a message as the API shows it.
type Attachment struct {
	ID          string `json:"id" format:"uuid" doc:"The id of the upload. post-links returns the address of its bytes" example:"01890a5d-ac96-774b-bcce-b302099a8058"`
	Name        string `json:"name" doc:"The file's name" example:"plan.png"`
	Type        string `json:"type" doc:"The media type that the sender stated" example:"image/png"`
	Bytes       int64  `json:"bytes" minimum:"1" doc:"The size" example:"48213"`
	Width       int    `json:"width,omitzero" doc:"Of a picture or video: the width in pixels" example:"1280"`
	Height      int    `json:"height,omitzero" doc:"Of a picture or video: the height in pixels" example:"720"`
	Placeholder string `json:"placeholder,omitempty" doc:"A ThumbHash in base64, which is shown until the picture is loaded" example:"3OcRJYB4d3h/iIeHeEh3eIhw+j2w"`
	Alt         string `json:"alt,omitempty" doc:"Describes it to people who cannot see it" example:"The plan of the ground floor"`
	Preview     bool   `json:"preview,omitzero" doc:"It has a smaller picture"`
}

// AttachmentOf returns the form of an attachment.
func AttachmentOf(a chat.Attachment) Attachment {
	return Attachment{
		ID: a.ID.String(), Name: a.Name, Type: a.Type, Bytes: a.Bytes, Width: a.Width, Height: a.Height,
		Placeholder: base64.StdEncoding.EncodeToString(a.Placeholder), Alt: a.Alt, Preview: a.Preview,
	}
}

// attachmentsOf returns the form of a message's attachments.
func attachmentsOf(m chat.Message) []Attachment {
	if m.Deleted() {
		return nil
	}
	var all []Attachment
	for _, a := range m.Attachments {
		all = append(all, AttachmentOf(a))
	}
	return all
}

// Poll is the poll of a message as the API shows it.
type Poll struct {
	Options   []PollOption `json:"options" minItems:"2" maxItems:"10"`
	Voters    int          `json:"voters" doc:"How many people have voted" example:"5"`
	Multiple  bool         `json:"multiple,omitzero" doc:"A person may choose several options"`
	Anonymous bool         `json:"anonymous,omitzero" doc:"Nobody is shown who voted"`
	EndsAt    string       `json:"endsAt,omitempty" format:"date-time" doc:"When the poll ends; absent if it does not"`
}

// PollOption is an option of a poll, with its votes.
type PollOption struct {
	Text  string `json:"text" example:"Tuesday"`
	Votes int    `json:"votes" minimum:"0" example:"3"`
	Me    bool   `json:"me,omitzero" doc:"The caller has chosen it. Only get-message and list-messages say so"`
}

// pollOf returns the form of a message's poll, or nil if there is none.
func pollOf(m chat.Message) *Poll {
	if m.Poll == nil {
		return nil
	}
	p := &Poll{Voters: m.Tally.Votes.Voters, Multiple: m.Poll.Multiple, Anonymous: m.Poll.Anonymous}
	if !m.Poll.EndsAt.IsZero() {
		p.EndsAt = TimeText(m.Poll.EndsAt)
	}
	for i, text := range m.Poll.Options {
		o := PollOption{Text: text}
		if i < len(m.Tally.Votes.Options) {
			o.Votes = m.Tally.Votes.Options[i]
		}
		p.Options = append(p.Options, o)
	}
	return p
}
