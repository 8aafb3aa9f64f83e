package live

import "time"

const (
	// MaxRooms is how many rooms a connection subscribes to. A hello with them fits in one request,
	// and a disconnect deletes them within its time.
	MaxRooms = 100
	// MaxConnections is how many connections a person has: a few devices with a few pages each.
	MaxConnections = 10
	// maxSilence is the age of a hello or sync from which a connection no longer counts for
	// MaxConnections. Clients sync every 8 minutes. A client that lost its network has ended
	// connections that nobody has noticed yet, and they must not lock it out.
	maxSilence = 20 * time.Minute
	// TypingInterval is the least time between two reports that a connection's person types in a
	// room. Clients show each for 10 s.
	TypingInterval = 8 * time.Second
	// MaxAudience is the largest number of subscriptions of a room in which typing and presence are
	// sent. In larger rooms they would cost more than messages, and nobody reads them.
	MaxAudience = 50
	// MaxOnline bounds the number of people that Online counts. It means this many or more.
	MaxOnline = 1000
	// MaxOnlineUsers is how many of them Online names.
	MaxOnlineUsers = 50
	// onlinePage is the number of subscriptions that Online reads at once: about 40 KB.
	onlinePage = 250
)
