// Package ratelimit bounds the requests of each person across all processes. A budget is one
// instant in the person's account: the time at which the budget is full again. Spending moves it
// forward. Most spending is sampled, so a message costs less than a tenth of a write unit more.
package ratelimit

import (
	"hash/fnv"
	"strconv"
	"time"
)

// ID names a limit.
type ID int

// The limits. All but the first are in DynamoDB units or counts per day.
const (
	Messages    ID = iota // messages, edits, events and the like
	Writes                // write units for everything else
	Reads                 // read units
	Rooms                 // rooms created
	Memberships           // memberships given to others and taken from them
	Documents             // documents created
	Bytes                 // kilobytes of bodies that are stored
	toward                // requests to one target; the first of Targets limits
	count       = toward + Targets
)

// Targets is the number of limits toward targets. Each target has one of them, which it shares with
// an eighth of the others. More would make the account cost another write unit.
const Targets = 8

var names = [toward]string{"messages", "writes", "reads", "rooms", "memberships", "documents", "bytes"}

// Toward returns the limit of a person's requests to a target: another person or a room.
func Toward(target string) ID {
	h := fnv.New32a()
	_, _ = h.Write([]byte(target)) // it never fails
	return toward + ID(h.Sum32()%Targets)
}

// String returns the name of a limit in problems.
func (id ID) String() string {
	if id >= toward {
		return "attention"
	}
	return names[id]
}

// Key returns the name of a limit in the account.
func (id ID) Key() string {
	if id >= toward {
		return "on" + strconv.Itoa(int(id-toward))
	}
	return names[id]
}

// IDs returns all limits.
func IDs() []ID {
	all := make([]ID, count)
	for i := range all {
		all[i] = ID(i)
	}
	return all
}

// Limit is a budget that each person or service has. It refills evenly, and is full again within a
// Window after the last spending.
type Limit struct {
	// Each is the time in which one unit refills.
	Each time.Duration
	// Window is the time in which an empty budget refills. It bounds a burst.
	Window time.Duration
	// Debt is the time by which past events may overdraw the budget. Beyond it, nothing more is
	// recorded.
	Debt time.Duration
	// Quantum is the time by which the stored instant moves in one write, which saves writes. Zero
	// records each spending by itself.
	Quantum time.Duration
	// Sampled is how much a process may let pass by chance in a sampleTime. It records Quantum
	// with the probability that compensates for the rest.
	Sampled time.Duration
}

// scarce is the level from which a process records before each spending, and in smaller amounts,
// because processes must not take much from one another.
func (l Limit) scarce() time.Duration { return l.Window * 3 / 5 }

// Trust is how far ahead spending can move an instant: a window, then the debt, then one request's
// overdraft, which is another window or overdraft.
func (l Limit) Trust() time.Duration { return 2*l.Window + l.Debt + l.Each + overdraft }

// Limits are the budgets of each person, or of each service.
type Limits [count]Limit

const (
	// DefaultRate is faster than anyone types and slow enough to stop a loop.
	DefaultRate = 10
	// messageWindow is a burst of 3 seconds of the rate. Together with the first messages of 64
	// processes that do not know of each other, it stays below twice the rate over 10 seconds.
	messageWindow = 3 * time.Second
	// unitWindow is the burst of other operations: opening a page or saving a document.
	unitWindow = 10 * time.Second
	// writeUnits and readUnits are the units per second at the default rate: 3 parts of 32 KB, and
	// 20 pages of 50 messages.
	writeUnits, readUnits = 500, 200
	// quantum is one write for every 17.5 messages at the default rate. With the eventual read of
	// the account, a million messages cost ten cents more at the list price of us-east-1.
	quantum = 1750 * time.Millisecond
	// readDebt covers what 64 processes may read of the largest pages before they see each other's
	// spending.
	readDebt = time.Minute
	// readQuantum is one write for every 120 read units at the default rate. A person's million
	// reads cost at most ten cents more.
	readQuantum = 600 * time.Millisecond
	// readSample is a page of messages. A reader's known account is up to 4 s old, so many
	// processes let much pass before they see that a budget is empty.
	readSample = 30 * time.Millisecond
	// ahead bounds the quantum of higher rates in messages, since a process that ends forfeits what
	// it has recorded ahead.
	ahead = 18
	// sampleTime is longer than an eventual read usually lags. After it, a process has read what
	// others have recorded.
	sampleTime = 250 * time.Millisecond
	// holdTime is how long a process may spend what it has recorded ahead. A longer time would let
	// many processes save up spending and release it together.
	holdTime = 10 * time.Second
	// overdraft is how much a request may cost beyond a budget that is smaller than the request.
	overdraft = 10 * time.Second
	day       = 24 * time.Hour

	// RoomsADay is more than a person creates by hand. Each is 5 items, and everybody finds it.
	RoomsADay = 100
	// MembershipsADay fills a room of common size twice, or invites a whole company once.
	MembershipsADay = 2000
	// DocumentsADay is a document in each of a person's rooms.
	DocumentsADay = 1000
	// TowardADay is a mention every minute and a half for a whole day, or 500 changes of one
	// person's membership, or 100 reports of their messages (ADR 48).
	TowardADay = 1000
	// towardQuantum is how many mentions are recorded together, and towardShare the largest
	// part of the budget that this may be. With fewer records to fill a small budget, chance would
	// occasionally let twice as much pass.
	towardQuantum = 20
	towardShare   = 50
	// KilobytesADay is a quarter of a gigabyte: 8,000 messages of the longest text. It costs six
	// cents a month for as long as it is stored.
	KilobytesADay = 256 << 10
)

// For returns the limits for a rate of messages per second; zero means the default. All others
// scale with it.
func For(rate int) Limits {
	if rate == 0 {
		rate = DefaultRate
	}
	per := func(units int) time.Duration { return time.Second * DefaultRate / time.Duration(units*rate) }
	message := time.Second / time.Duration(rate)
	l := Limits{
		Messages: {
			Each: message, Window: messageWindow, Quantum: max(message, min(quantum, ahead*message)), Sampled: message,
		},
		Writes: {Each: per(writeUnits), Window: unitWindow, Quantum: quantum, Sampled: quantum / 4},
		Reads:  {Each: per(readUnits), Window: unitWindow, Debt: readDebt, Quantum: readQuantum, Sampled: readSample},
	}
	for id, units := range map[ID]int{
		Rooms: RoomsADay, Memberships: MembershipsADay, Documents: DocumentsADay, Bytes: KilobytesADay,
	} {
		l[id] = Limit{Each: day * DefaultRate / time.Duration(units*rate), Window: day}
	}
	for id := toward; id < count; id++ {
		each := day * DefaultRate / time.Duration(TowardADay*rate)
		recorded := min(towardQuantum*each, day/towardShare)
		l[id] = Limit{Each: each, Window: day, Quantum: recorded, Sampled: recorded}
	}
	l[Bytes].Quantum = l[Bytes].Each << 10 // a megabyte, which is itself a thousand writes
	l[Bytes].Sampled = l[Bytes].Quantum
	return l
}

const (
	// connectionQuantum and connectionSample are what connections record together and let pass by
	// chance: two rooms, and a sync. They have no account at hand, so a process knows only its own
	// records.
	connectionQuantum = 400 * time.Millisecond
	connectionSample  = 100 * time.Millisecond
)

// ForConnections returns the limit of the requests of a person's connections, in write units. This
// budget is stored with the connections.
func ForConnections(rate int) Limits {
	writes := For(rate)[Writes]
	writes.Quantum, writes.Sampled = connectionQuantum, connectionSample
	return Limits{Writes: writes}
}

// None returns limits that nobody reaches, for tests and measurements that send as fast as they
// can.
func None() Limits { return Limits{} }

const (
	// ServiceFactor is how many times a person's rate a service has: by default 2,500 write units
	// and 1,000 read units a second. A loop that writes all day costs $135 at the list price of
	// us-east-1.
	ServiceFactor = 5
	// serviceWindow is the burst of services. A budget of 1,500,000 write units holds the import of
	// a company, however fast it runs: 5,000 people, 500 rooms and 20,000 memberships are 812,000.
	serviceWindow = 10 * time.Minute

	// ServiceRoomsADay is a room for each ticket of a large help desk.
	ServiceRoomsADay = 10_000
	// ServiceMembershipsADay puts a company of 5,000 people into 40 rooms each.
	ServiceMembershipsADay = 200_000
	// ServiceDocumentsADay is a document in each of these rooms.
	ServiceDocumentsADay = 10_000
	// ServiceKilobytesADay is four gigabytes: a dollar a month for as long as they are stored.
	ServiceKilobytesADay = 4 << 20
	// recordedTogether is the part of a daily budget that a process records in one write, so that
	// thousands of requests in a minute do not all write to one account.
	recordedTogether = 1000
)

// ForServices returns the limits of a service that acts as itself, for a person's rate of messages
// per second; zero means the default. All scale with it. Services have no limits toward targets:
// adding thousands of members is their work, and their operator answers for them.
func ForServices(rate int) Limits {
	if rate == 0 {
		rate = DefaultRate
	}
	l := For(ServiceFactor * rate)
	for _, id := range []ID{Messages, Writes, Reads} {
		l[id].Window = serviceWindow
	}
	for id, units := range map[ID]int{
		Rooms: ServiceRoomsADay, Memberships: ServiceMembershipsADay, Documents: ServiceDocumentsADay,
		Bytes: ServiceKilobytesADay,
	} {
		each := day * DefaultRate / time.Duration(units*rate)
		l[id] = Limit{Each: each, Window: day, Quantum: max(each, day/recordedTogether)}
	}
	for id := toward; id < count; id++ {
		l[id] = Limit{}
	}
	return l
}

// ForServiceConnections is ForConnections for the connections of a service.
func ForServiceConnections(rate int) Limits {
	if rate == 0 {
		rate = DefaultRate
	}
	return ForConnections(ServiceFactor * rate)
}
