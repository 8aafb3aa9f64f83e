package ratelimit

import "time"

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
