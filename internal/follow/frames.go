package follow

import (
	"encoding/json"
	"time"
)

// Change is one numbered change of a room, in the API's format.
type Change struct {
	Seq      int64    `json:"seq"`
	Type     string   `json:"type"`
	ID       string   `json:"id"`       // of a message
	Revision int      `json:"revision"` // of a message
	Message  *Message `json:"message"`  // nil for a message that no longer exists
	Member   *Member  `json:"member"`
	Omitted  bool     `json:"omitted"` // only in frames

	Raw json.RawMessage `json:"-"` // the change as received
}

// Message is the part of a message that simple programs show.
type Message struct {
	ID       string    `json:"id"`
	User     string    `json:"user"`
	Text     string    `json:"text"`
	Revision int       `json:"revision"`
	SentAt   time.Time `json:"sentAt"`
	// ReceivedAt orders the messages of a room.
	ReceivedAt time.Time `json:"receivedAt"`
	DeletedAt  time.Time `json:"deletedAt"`
	Kind       string    `json:"kind"` // "system" for what happened in the room; empty for what a person wrote
}

// Member is a person whose membership has changed.
type Member struct {
	User string `json:"user"`
	Role string `json:"role"` // empty for a person who is not in the member list
}

// UnmarshalJSON keeps the JSON text in addition to the fields.
func (c *Change) UnmarshalJSON(text []byte) error {
	type plain Change
	if err := json.Unmarshal(text, (*plain)(c)); err != nil {
		return err
	}
	c.Raw = append(json.RawMessage(nil), text...)
	return nil
}

// The types of requests and frames that the follower reads itself.
const (
	typeHello        = "hello"
	typeSubscribe    = "subscribe"
	typeUnsubscribe  = "unsubscribe"
	typeSync         = "sync"
	typeRenew        = "renew"
	typeAck          = "ack"
	typeProblem      = "problem"
	typeChanges      = "changes"
	typeHeads        = "heads"
	typeUnsubscribed = "unsubscribed"
	typePersonal     = "personal"
	typeClosing      = "closing"
)

// request is a message to the server.
type request struct {
	Type  string       `json:"type"`
	ID    string       `json:"id"`
	Rooms []wantedRoom `json:"rooms,omitzero"`  // a hello without rooms selects 30, with an empty list none
	Token string       `json:"token,omitempty"` // of a renewal
}

type wantedRoom struct {
	ID    string `json:"id"`
	Since string `json:"since,omitempty"`
	Mode  string `json:"mode,omitempty"`
}

// frame has the fields of every frame that the follower reads itself.
type frame struct {
	Type    string      `json:"type"`
	ID      string      `json:"id"`
	Room    string      `json:"room"`   // of unsubscribed
	Reason  string      `json:"reason"` // of a closing frame
	Rooms   []frameRoom `json:"rooms"`
	Problem *struct {
		Status int    `json:"status"`
		Detail string `json:"detail"`
	} `json:"problem"`
}

// frameRoom is a room in an ack or a changes frame.
type frameRoom struct {
	ID           string   `json:"id"`
	Head         int64    `json:"head"`
	Since        string   `json:"since"`
	Reset        bool     `json:"reset"`
	Unsubscribed bool     `json:"unsubscribed"`
	Changes      []Change `json:"changes"`
	Problem      *struct {
		Status int `json:"status"`
	} `json:"problem"`
}
