package outgoing

import (
	"encoding/binary"
	"net/netip"
	"testing"
)

// registry has the rows of IANA's special-purpose registries, and multicast, as first and last
// address. before and after report whether the neighbors are public.
var registry = []struct {
	name, first, last string
	before, after     bool
}{
	{"this network", "0.0.0.0", "0.255.255.255", false, true},
	{"this host on this network", "0.0.0.0", "0.0.0.0", false, false},
	{"private use, 10", "10.0.0.0", "10.255.255.255", true, true},
	{"shared address space", "100.64.0.0", "100.127.255.255", true, true},
	{"loopback", "127.0.0.0", "127.255.255.255", true, true},
	{"link-local", "169.254.0.0", "169.254.255.255", true, true},
	{"private use, 172", "172.16.0.0", "172.31.255.255", true, true},
	{"IETF protocol assignments", "192.0.0.0", "192.0.0.255", true, true},
	{"IPv4 service continuity", "192.0.0.0", "192.0.0.7", true, false},
	{"IPv4 dummy address", "192.0.0.8", "192.0.0.8", false, false},
	{"port control anycast", "192.0.0.9", "192.0.0.9", false, false},
	{"TURN anycast", "192.0.0.10", "192.0.0.10", false, false},
	{"NAT64 discovery", "192.0.0.170", "192.0.0.171", false, false},
	{"documentation 1", "192.0.2.0", "192.0.2.255", true, true},
	{"AS112-v4", "192.31.196.0", "192.31.196.255", true, true},
	{"AMT", "192.52.193.0", "192.52.193.255", true, true},
	{"6to4 relay anycast", "192.88.99.0", "192.88.99.255", true, true},
	{"6a44 relay anycast", "192.88.99.2", "192.88.99.2", false, false},
	{"private use, 192", "192.168.0.0", "192.168.255.255", true, true},
	{"direct delegation AS112", "192.175.48.0", "192.175.48.255", true, true},
	{"benchmarking", "198.18.0.0", "198.19.255.255", true, true},
	{"documentation 2", "198.51.100.0", "198.51.100.255", true, true},
	{"documentation 3", "203.0.113.0", "203.0.113.255", true, true},
	{"multicast", "224.0.0.0", "239.255.255.255", true, false},
	{"reserved", "240.0.0.0", "255.255.255.255", false, false},
	{"limited broadcast", "255.255.255.255", "255.255.255.255", false, false},

	{"unspecified", "::", "::", false, false},
	{"loopback", "::1", "::1", false, false},
	{"IPv4-compatible", "::", "::ffff:ffff", false, false},
	{"IPv4-mapped", "::ffff:0.0.0.0", "::ffff:255.255.255.255", false, false},
	{"NAT64", "64:ff9b::", "64:ff9b::ffff:ffff", false, false},
	{"NAT64 of a network", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", false, false},
	{"discard-only", "100::", "100::ffff:ffff:ffff:ffff", false, false},
	{"dummy prefix", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", false, false},
	{"before global unicast", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, true},
	{"IETF protocol assignments", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", true, true},
	{"Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", true, false},
	{"port control anycast", "2001:1::1", "2001:1::1", false, false},
	{"TURN anycast", "2001:1::2", "2001:1::2", false, false},
	{"service registration anycast", "2001:1::3", "2001:1::3", false, false},
	{"benchmarking", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff", false, false},
	{"AMT", "2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", false, false},
	{"AS112-v6", "2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", false, false},
	{"ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", false, false},
	{"ORCHIDv2", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff", false, false},
	{"drone remote id", "2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", false, false},
	{"documentation", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", true, true},
	{"6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true, true},
	{"direct delegation AS112", "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff", true, true},
	{"documentation, 2024", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", true, true},
	{"behind global unicast", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true, false},
	{"segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, false},
	{"unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, false},
	{"link-local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, false},
	{"site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, false},
	{"multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false, false},
}

func TestIsPublic_RefusesTheRegistries(t *testing.T) {
	for _, row := range registry {
		first, last := netip.MustParseAddr(row.first), netip.MustParseAddr(row.last)
		if first.Compare(last) > 0 || isPublic(first) || isPublic(last) {
			t.Errorf("%s: %s or %s is public", row.name, first, last)
		}
		if before := first.Prev(); before.IsValid() && isPublic(before) != row.before {
			t.Errorf("%s: %s before it is public: %v", row.name, before, !row.before)
		}
		if after := last.Next(); after.IsValid() && isPublic(after) != row.after {
			t.Errorf("%s: %s after it is public: %v", row.name, after, !row.after)
		}
	}
}

func TestIsPublic_Servers(t *testing.T) {
	for _, text := range []string{"1.1.1.1", "8.8.8.8", "52.95.110.1", "2606:4700:4700::1111", "2a00:1450:4001::1"} {
		if !isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s is not public", text)
		}
	}
	for _, addr := range []netip.Addr{{}, netip.MustParseAddr("::ffff:8.8.8.8"), netip.MustParseAddr("2606:4700:4700::1111%eth0")} {
		if isPublic(addr) {
			t.Errorf("%s is public", addr)
		}
	}
}

func TestOptions_Permit(t *testing.T) {
	hosts := Options{Hosts: []string{"hooks.corp", "10.1.2.3"}}
	loopback := Options{Loopback: true}
	for _, c := range []struct {
		options  Options
		host, to string
		want     bool
	}{
		{Options{}, "example.com", "8.8.8.8:443", true},
		{Options{}, "example.com", "8.8.8.8:80", false},
		{Options{}, "example.com", "8.8.8.8:8443", false},
		{Options{}, "example.com", "10.0.0.1:443", false},
		{Options{}, "127.0.0.1", "127.0.0.1:443", false},

		{hosts, "hooks.corp", "8.8.8.8:443", true},
		{hosts, "hooks.corp", "10.0.0.1:443", true},
		{hosts, "hooks.corp", "172.31.255.255:443", true},
		{hosts, "hooks.corp", "192.168.0.1:443", true},
		{hosts, "hooks.corp", "[fd12::1]:443", true},
		{hosts, "10.1.2.3", "10.1.2.3:443", true},
		{hosts, "hooks.corp", "10.0.0.1:80", false},
		{hosts, "hooks.corp", "100.64.0.1:443", false},
		{hosts, "hooks.corp", "127.0.0.1:443", false},
		{hosts, "hooks.corp", "[::1]:443", false},
		{hosts, "hooks.corp", "0.0.0.0:443", false},
		{hosts, "hooks.corp", "169.254.169.254:443", false},
		{hosts, "hooks.corp", "[fe80::1]:443", false},
		{hosts, "hooks.corp", "[fd12::1%eth0]:443", false},
		{hosts, "hooks.corp", "[fd00:ec2::254]:443", false},
		{hosts, "hooks.corp", "[::ffff:10.0.0.1]:443", false},
		{hosts, "example.com", "10.0.0.1:443", false},
		{hosts, "a.hooks.corp", "10.0.0.1:443", false},

		{loopback, "127.0.0.1", "127.0.0.1:3000", true},
		{loopback, "127.0.0.1", "127.0.0.2:3000", false},
		{loopback, "127.0.0.1", "10.0.0.1:443", false},
		{loopback, "example.com", "127.0.0.1:443", false},
		{loopback, "localhost", "127.0.0.1:443", false},
		{loopback, "::1", "[::1]:443", false},
		{loopback, "example.com", "8.8.8.8:443", true},
		{loopback, "example.com", "8.8.8.8:3000", false},
	} {
		if got := c.options.permits(c.host, netip.MustParseAddrPort(c.to)); got != c.want {
			t.Errorf("%+v, %s at %s: %v", c.options, c.host, c.to, got)
		}
	}
}

// FuzzIsPublic compares the table of prefixes with a reading of the registries as arithmetic.
func FuzzIsPublic(f *testing.F) {
	for _, row := range registry {
		f.Add(netip.MustParseAddr(row.first).AsSlice())
		f.Add(netip.MustParseAddr(row.last).AsSlice())
		if after := netip.MustParseAddr(row.last).Next(); after.IsValid() {
			f.Add(after.AsSlice())
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		addr, ok := netip.AddrFromSlice(b)
		if !ok {
			return
		}
		want := false
		if addr.Is4() {
			want = reachable4(binary.BigEndian.Uint32(b))
		} else {
			want = reachable6(binary.BigEndian.Uint64(b))
		}
		if isPublic(addr) != want {
			t.Errorf("%s is public: %v", addr, !want)
		}
	})
}

// reachable4 reports whether an IPv4 address is one of a public server.
func reachable4(a uint32) bool {
	first, second, third := a>>24, a>>16&0xff, a>>8&0xff
	switch first {
	case 0, 10, 127:
		return false
	case 100:
		return second < 64 || second > 127
	case 169:
		return second != 254
	case 172:
		return second < 16 || second > 31
	case 192:
		special := second == 168 || second == 0 && (third == 0 || third == 2) || second == 31 && third == 196 ||
			second == 52 && third == 193 || second == 88 && third == 99 || second == 175 && third == 48
		return !special
	case 198:
		return second != 18 && second != 19 && (second != 51 || third != 100)
	case 203:
		return second != 0 || third != 113
	}
	return first < 224
}

// reachable6 reports whether an IPv6 address that begins with 64 bits is one of a public server.
func reachable6(a uint64) bool {
	first, second, third := a>>48, a>>32&0xffff, a>>16&0xffff
	switch first {
	case 0x2001:
		return second >= 0x200 && second != 0xdb8
	case 0x2002:
		return false
	case 0x2620:
		return second != 0x4f || third != 0x8000
	case 0x3fff:
		return second >= 0x1000
	}
	return first >= 0x2000 && first < 0x4000
}

func BenchmarkIsPublic(b *testing.B) {
	for _, text := range []string{"8.8.8.8", "2606:4700:4700::1111"} {
		addr := netip.MustParseAddr(text)
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !isPublic(addr) {
					b.Fatal("it is not public")
				}
			}
		})
	}
}
