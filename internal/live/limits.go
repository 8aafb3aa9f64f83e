package live

import "time"

const (
	// MaxRooms is how many rooms a connection subscribes to. A hello with that many fits in one
	// request, and a disconnect deletes them within its deadline.
	MaxRooms = 100
	// MaxConnections is how many connections a person has: a few devices with a few pages each.
	MaxConnections = 10
	// maxSilence is the age of a hello or sync from which a connection no longer counts for
	// MaxConnections. Clients sync every 8 minutes. A client that lost its network may have dead
	// connections that nobody has noticed yet. They must not lock it out.
	maxSilence = 20 * time.Minute
	// TypingInterval is the shortest time between two typing reports of a connection in a room.
	// Clients show each for 10 s.
	TypingInterval = 8 * time.Second
	// MaxAudience is the largest number of subscriptions of a room in which typing and presence are
	// sent. In larger rooms they would cost more than messages, and nobody reads them.
	MaxAudience = 50
	// MaxOnline bounds the number of people that Online counts. A count of MaxOnline means this
	// many or more.
	MaxOnline = 1000
	// MaxOnlineUsers is how many people Online names.
	MaxOnlineUsers = 50
	// onlinePage is the number of subscriptions that Online reads per query: about 40 KB.
	onlinePage = 250
)
