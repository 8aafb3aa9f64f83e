package outgoing

import (
	"net/netip"
	"slices"
)

// securePort is the only port of public and private addresses that is opened. Services on other
// ports do not expect requests from strangers.
const securePort = 443

// loopbackHost is the only host that Options.Loopback allows. It has no other spelling.
const loopbackHost = "127.0.0.1"

// refused are the addresses that are not public unicast addresses: all rows of IANA's
// special-purpose registries, and multicast. The few rows that are globally reachable belong to
// relays and anycast services, and are refused too. IPv6 has global unicast addresses only in
// 2000::/3, so everything around it is refused.
var refused = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),       // this network (RFC 791)
	netip.MustParsePrefix("10.0.0.0/8"),      // private use (RFC 1918)
	netip.MustParsePrefix("100.64.0.0/10"),   // shared by carriers' NATs (RFC 6598)
	netip.MustParsePrefix("127.0.0.0/8"),     // loopback (RFC 1122)
	netip.MustParsePrefix("169.254.0.0/16"),  // link-local, with clouds' metadata (RFC 3927)
	netip.MustParsePrefix("172.16.0.0/12"),   // private use (RFC 1918)
	netip.MustParsePrefix("192.0.0.0/24"),    // protocol assignments (RFC 6890)
	netip.MustParsePrefix("192.0.2.0/24"),    // documentation (RFC 5737)
	netip.MustParsePrefix("192.31.196.0/24"), // AS112, a sink for queries (RFC 7535)
	netip.MustParsePrefix("192.52.193.0/24"), // relays of multicast (RFC 7450)
	netip.MustParsePrefix("192.88.99.0/24"),  // relays of 6to4 (RFC 7526)
	netip.MustParsePrefix("192.168.0.0/16"),  // private use (RFC 1918)
	netip.MustParsePrefix("192.175.48.0/24"), // AS112 (RFC 7534)
	netip.MustParsePrefix("198.18.0.0/15"),   // benchmarking (RFC 2544)
	netip.MustParsePrefix("198.51.100.0/24"), // documentation (RFC 5737)
	netip.MustParsePrefix("203.0.113.0/24"),  // documentation (RFC 5737)
	netip.MustParsePrefix("224.0.0.0/4"),     // multicast (RFC 5771)
	netip.MustParsePrefix("240.0.0.0/4"),     // reserved, with broadcast (RFC 1112, RFC 919)

	// Unspecified, loopback, IPv4-mapped and IPv4-compatible (RFC 4291), NAT64 (RFC 6052, RFC 8215)
	// and discarded addresses (RFC 6666, RFC 9780).
	netip.MustParsePrefix("::/3"),
	netip.MustParsePrefix("2001::/23"),         // protocol assignments, with Teredo (RFC 2928, RFC 4380)
	netip.MustParsePrefix("2001:db8::/32"),     // documentation (RFC 3849)
	netip.MustParsePrefix("2002::/16"),         // 6to4, which contains IPv4 addresses (RFC 3056)
	netip.MustParsePrefix("2620:4f:8000::/48"), // AS112 (RFC 7534)
	netip.MustParsePrefix("3fff::/20"),         // documentation (RFC 9637)
	netip.MustParsePrefix("4000::/2"),          // reserved, with segment routing (RFC 4291, RFC 9602)
	// Reserved, unique local, link-local, site-local and multicast (RFC 4291, RFC 4193, RFC 3879).
	netip.MustParsePrefix("8000::/1"),
}

// private are the addresses of private networks, which are permitted for Options.Hosts.
var private = []netip.Prefix{
	netip.MustParsePrefix("10.0.0.0/8"),     // RFC 1918
	netip.MustParsePrefix("172.16.0.0/12"),  // RFC 1918
	netip.MustParsePrefix("192.168.0.0/16"), // RFC 1918
	netip.MustParsePrefix("fc00::/7"),       // RFC 4193
}

// instance are AWS's services of an instance, such as its metadata at fd00:ec2::254. They have the
// risk of link-local addresses, and a prefix of private ones.
var instance = netip.MustParsePrefix("fd00:ec2::/32")

// permits reports whether a request for a host may be sent to an address and port. host is the
// URL's, in lower case.
func (o Options) permits(host string, to netip.AddrPort) bool {
	switch {
	case o.Loopback && host == loopbackHost:
		return to.Addr() == netip.AddrFrom4([4]byte{127, 0, 0, 1})
	case to.Port() != securePort:
		return false
	}
	return isPublic(to.Addr()) || isPrivate(to.Addr()) && slices.Contains(o.Hosts, host)
}

// isPublic reports whether an address is a public unicast one.
func isPublic(addr netip.Addr) bool {
	return addr.IsValid() && addr.Zone() == "" && !within(refused, addr)
}

// isPrivate reports whether an address belongs to a private network.
func isPrivate(addr netip.Addr) bool {
	return within(private, addr) && !instance.Contains(addr)
}

// within reports whether one of the prefixes contains an address. No prefix contains an address
// with a zone.
func within(prefixes []netip.Prefix, addr netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(addr) })
}
