package config

const (
	// HelloWrites is the write units of a hello with 30 rooms, all of them in the table of
	// connections. A test counts them.
	HelloWrites = 62
	// connectShare is the part of the writes of that table, in percent, that hellos may use. The
	// rest is for syncs, renewals and the ends of connections, and for partitions of which the
	// busiest rooms have more than others.
	connectShare = 75
	// connectQuota is the new connections a second of all WebSocket APIs of an account, until AWS
	// raises them.
	connectQuota = 500
)

// ConnectRate returns the new connections a second that the table of connections can take, if each
// says hello with 30 rooms. The table has the capacity of the other one, warm or new.
func (t Table) ConnectRate() int {
	return min(connectQuota, max(t.WarmWrites, newTableWrites)*connectShare/100/HelloWrites)
}
