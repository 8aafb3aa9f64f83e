package wire

import "example.com/parley/internal/chat"

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
