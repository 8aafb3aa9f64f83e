package config

const (
	// HelloWrites is the number of write units of a hello with 30 rooms, all in the connection
	// table. A test counts them.
	HelloWrites = 62
	// connectShare is the percentage of that table's writes that hellos may use. The rest is for
	// syncs, renewals and the ends of connections, and for partitions with more of the busiest
	// rooms.
	connectShare = 75
	// connectQuota is the number of new connections a second of all WebSocket APIs of an account,
	// until AWS raises it.
	connectQuota = 500
)

// ConnectRate returns the number of new connections a second that the connection table can accept,
// if each sends a hello with 30 rooms. Warm or new, the table has the other table's capacity.
func (t Table) ConnectRate() int {
	return min(connectQuota, max(t.WarmWrites, newTableWrites)*connectShare/100/HelloWrites)
}
