package socketapi

import (
	"example.com/parley/internal/live"
	"example.com/parley/internal/problem"
)

// The types of requests.
const (
	typeHello       = "hello"
	typeSubscribe   = "subscribe"
	typeUnsubscribe = "unsubscribe"
	typeTyping      = "typing"
	typeSync        = "sync"
	typeRenew       = "renew"
)

// The types of frames that this package sends. The typing request and frame share a name.
const (
	typeAck      = "ack"
	typeProblem  = "problem"
	typePresence = "presence"
	typeClosing  = "closing"
)

// envelope is a part of every request.
type envelope struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// subscribeRequest subscribes to rooms. As a hello, it begins a connection; without rooms, it then
// means the most recent ones of the person.
type subscribeRequest struct {
	envelope `json:",inline"`
	Rooms    []wantedRoom `json:"rooms"`
}

// wantedRoom is a room to subscribe to.
type wantedRoom struct {
	ID    string `json:"id"`
	Since string `json:"since"`
	Mode  string `json:"mode"`
}

// unsubscribeRequest ends the subscriptions to rooms.
type unsubscribeRequest struct {
	envelope `json:",inline"`
	Rooms    []namedRoom `json:"rooms"`
}

type namedRoom struct {
	ID string `json:"id"`
}

// typingRequest reports to the others in a room that the person is typing, there or in a thread.
type typingRequest struct {
	envelope `json:",inline"`
	Room     string `json:"room"`
	Thread   string `json:"thread"`
}

// syncRequest asks for the positions of some rooms, or without rooms for all subscribed ones.
type syncRequest struct {
	envelope `json:",inline"`
	Rooms    []knownRoom `json:"rooms"`
}

// knownRoom is a room with the client's position.
type knownRoom struct {
	ID    string `json:"id"`
	Since string `json:"since"`
}

// renewRequest extends the connection, given a new token.
type renewRequest struct {
	envelope `json:",inline"`
	Token    string `json:"token"`
}

// Ack answers a request that succeeded.
type Ack struct {
	Type  string    `json:"type"`
	ID    string    `json:"id"`
	Now   string    `json:"now"`
	Rooms []AckRoom `json:"rooms"`
}

// AckRoom is an ack's entry for a room: its position, or why it has none.
type AckRoom struct {
	ID           string           `json:"id"`
	Head         *int64           `json:"head,omitzero"`
	Since        string           `json:"since,omitzero"`
	Reset        *bool            `json:"reset,omitzero"`
	Unsubscribed bool             `json:"unsubscribed,omitzero"`
	Problem      *problem.Problem `json:"problem,omitzero"`
	RetryAfter   int              `json:"retryAfter,omitzero"`
}

// Problem answers a request that failed.
type Problem struct {
	Type       string           `json:"type"`
	ID         string           `json:"id,omitzero"`
	Problem    *problem.Problem `json:"problem"`
	RetryAfter int              `json:"retryAfter,omitzero"`
}

// Typing reports that a person is typing in a room, or in the thread of one of its messages.
type Typing struct {
	Type   string `json:"type"`
	Room   string `json:"room"`
	Thread string `json:"thread,omitzero"`
	User   string `json:"user"`
	Until  string `json:"until"`
}

// Presence reports who has come to rooms or left them.
type Presence struct {
	Type  string         `json:"type"`
	Rooms []PresenceRoom `json:"rooms"`
}

// PresenceRoom is one person in one room.
type PresenceRoom struct {
	ID     string `json:"id"`
	User   string `json:"user"`
	Online bool   `json:"online"`
}

// Closing is the last frame before the server closes a connection.
type Closing struct {
	Type   string `json:"type"`
	Reason string `json:"reason"`
}

// The reasons of closing frames.
const (
	ReasonExpired            = "expired"
	ReasonRefusals           = "refusals"
	ReasonTooManyConnections = "too-many-connections"
	ReasonGoingAway          = "going-away"
	ReasonSuspended          = live.ReasonSuspended
)
