package socketapi

import "time"

const (
	// MaxHello bounds a hello, and so every message. It is the largest frame that API Gateway
	// takes.
	MaxHello = 32 << 10
	// MaxMessage bounds every other message but a renewal, whose token has its own bound. Twenty
	// rooms with their positions fit in it.
	MaxMessage = 4 << 10
	// MaxID bounds the id of a request, in bytes. A UUID has 36.
	MaxID = 64
	// DefaultRooms is the number of rooms to which a hello without rooms subscribes: as many as the
	// first page of a list shows.
	DefaultRooms = 30

	// MessageRate bounds the messages of a connection through one process in a second. A client
	// opens rooms and types; nobody does so faster.
	MessageRate = 2
	// MessageBurst is how many may come at once, such as when a page is restored.
	MessageBurst = 20
	// MaxRefusals is the number of refused messages after which a connection is closed. A client
	// that heeds the first ones never gets there.
	MaxRefusals = 50

	// roomUnits is the price of a room in a request, of the person's budget for all connections:
	// three write units with its end, three read units, and what tells others of the person. A
	// person who connects with 100 rooms may do so six times at once.
	roomUnits = 8
	// requestUnits is the price of every other request: a sync reads the positions of all rooms,
	// and typing is sent to up to live.MaxAudience connections, after a read of whom their people
	// have blocked.
	requestUnits = 40

	// RequestTimeout is shorter than the 29 s of API Gateway, and long enough for all attempts of a
	// call to the store.
	RequestTimeout = 15 * time.Second
	// announceTime bounds the reads and posts of typing and presence in one request. They are
	// worthless later, and the client waits for its ack.
	announceTime = 200 * time.Millisecond
	// typingLife is how long a typing frame shows. The next one may come after live.TypingInterval.
	typingLife = 10 * time.Second
	// closeTime bounds the last frames of a connection, live.CloseDelay and its end.
	closeTime = 3 * time.Second
	// atOnce bounds the audiences that one request reads at the same time, and its posts. Thirty
	// rooms take one round, and the store's client keeps connections for them.
	atOnce = 32
)
