package outgoing

import (
	"errors"
	"net"
	"net/netip"
	"testing"
)

// TestPost_RefusesNamesOfRefusedAddresses resolves names as the owner of a domain may set them.
func TestPost_RefusesNamesOfRefusedAddresses(t *testing.T) {
	for _, addr := range []string{"127.0.0.1", "127.8.8.8", "10.0.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "255.255.255.255",
		"::1", "::", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:1::", "fd00:ec2::254", "fe80::1", "ff02::1"} {
		n := serveNames(t, map[string][]string{"a.example.com.": {addr}, "inner.corp.": {addr}})
		c := New(Options{Loopback: true, Resolver: n.resolver()})
		if _, err := c.Post(t.Context(), "https://a.example.com/hook", nil, nil); err != ErrAddress { //nolint:errorlint // it is not wrapped
			t.Errorf("%s: %v", addr, err)
		}
		if netip.MustParseAddr(addr) == netip.MustParseAddr("10.0.0.1") {
			continue
		}
		c = New(Options{Hosts: []string{"inner.corp"}, Resolver: n.resolver()})
		if _, err := c.Post(t.Context(), "https://inner.corp/hook", nil, nil); err != ErrAddress { //nolint:errorlint // it is not wrapped
			t.Errorf("%s, of an allowed name: %v", addr, err)
		}
	}
}

// TestPost_RefusesANameThatChanges resolves a name to a public address first, which a check before
// the call would see, and to loopback afterwards.
func TestPost_RefusesANameThatChanges(t *testing.T) {
	resolver := serveNames(t, map[string][]string{"a.example.com.": {"8.8.8.8", "127.0.0.1"}}).resolver()
	first, err := resolver.LookupNetIP(t.Context(), "ip4", "a.example.com")
	if err != nil || len(first) != 1 || !isPublic(first[0].Unmap()) {
		t.Fatalf("the first addresses are %v, %v", first, err)
	}
	c := New(Options{Resolver: resolver})
	if _, err := c.Post(t.Context(), "https://a.example.com/", nil, nil); !errors.Is(err, ErrAddress) {
		t.Errorf("the error is %v", err)
	}
}

// TestDial_RefusesOtherFormsOfLoopback assumes that a form passed ParseURL, and that the system's
// resolver reads it as C libraries do. Go looks up no name that has only digits and dots.
func TestDial_RefusesOtherFormsOfLoopback(t *testing.T) {
	forms := map[string]error{
		"0x7f.1": ErrAddress, "0x7f000001": ErrAddress, "localhost.example": ErrAddress, "127.0.0.1": ErrAddress,
		"::1": ErrAddress, "::ffff:127.0.0.1": ErrAddress, "::ffff:7f00:1": ErrAddress, "fe80::1%1": ErrAddress,
		"0177.0.0.1": ErrName, "2130706433": ErrName, "127.1": ErrName,
	}
	addrs := map[string][]string{}
	for form := range forms {
		addrs[form+"."] = []string{"127.0.0.1"}
	}
	c := New(Options{Resolver: serveNames(t, addrs).resolver()})
	for form, want := range forms {
		if conn, err := c.dial(t.Context(), "tcp", net.JoinHostPort(form, "443")); !errors.Is(err, want) {
			t.Errorf("%s: %v, %v, want %v", form, conn, err, want)
		}
	}
	if conn, err := c.dial(t.Context(), "tcp", "127.0.0.1"); !errors.Is(err, ErrAddress) {
		t.Errorf("without a port: %v, %v", conn, err)
	}
}

// TestControl checks allowed addresses, to which no test connects.
func TestControl(t *testing.T) {
	c := New(Options{Hosts: []string{"inner.corp"}})
	for _, check := range []struct {
		host, addr string
		want       error
	}{
		{"example.com", "8.8.8.8:443", nil},
		{"example.com", "[2606:4700:4700::1111]:443", nil},
		{"inner.corp", "10.0.0.1:443", nil},
		{"example.com", "10.0.0.1:443", ErrAddress},
		{"example.com", "8.8.8.8:80", ErrAddress},
		{"example.com", "8.8.8.8", ErrAddress},
		{"example.com", "/run/engine.sock", ErrAddress},
	} {
		if err := c.control(check.host)("tcp", check.addr, nil); !errors.Is(err, check.want) {
			t.Errorf("%s at %s: %v", check.host, check.addr, err)
		}
	}
}

func TestPost_UnknownName(t *testing.T) {
	c := New(Options{Resolver: serveNames(t, nil).resolver()})
	if _, err := c.Post(t.Context(), "https://a.example.com/", nil, nil); !errors.Is(err, ErrName) {
		t.Errorf("the error is %v", err)
	}
}
