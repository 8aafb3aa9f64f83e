package outgoing

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	// MaxURL is the maximum length of a URL in bytes. Many servers refuse longer ones.
	MaxURL = 2048
	// maxName is the maximum length of the name of a host (RFC 1035).
	maxName = 253
)

var (
	// name matches the names of hosts. Names in other scripts must be in their ASCII form (RFC
	// 3492): some programs take digits and dots of these scripts for those of an address.
	name = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$`)
	// number matches the last part of a host that some programs read as an IPv4 address, such as
	// 0x7f.1, 0177.0.0.1 and 2130706433 (the URL Standard, "ends in a number checker").
	number = regexp.MustCompile(`(^|\.)([0-9]+|0x[0-9a-f]*)$`)
)

// ParseURL reads a URL that a person wrote, and returns it with its host in lower case. The error
// begins with "must", for a caller that names the field. It does not quote the URL, which may
// contain secrets. Post may still refuse a valid URL for the address of its host.
func ParseURL(text string, o Options) (*url.URL, error) {
	if len(text) > MaxURL {
		return nil, fmt.Errorf("must be at most %d bytes long", MaxURL)
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, errors.New("must be a complete URL, such as https://example.com/hook")
	}
	u.Host = strings.ToLower(u.Host)
	switch {
	case u.User != nil:
		return nil, errors.New("must not contain a user or a password")
	case strings.Contains(text, "#"):
		return nil, errors.New("must not contain #")
	case o.Loopback && u.Scheme == "http" && u.Hostname() == loopbackHost:
		return u, checkPort(u.Port())
	case u.Scheme != "https" && o.Loopback:
		return nil, errors.New("must begin with https://, or with http://" + loopbackHost)
	case u.Scheme != "https":
		return nil, errors.New("must begin with https://")
	case u.Port() != "" && u.Port() != strconv.Itoa(securePort) || strings.HasSuffix(u.Host, ":"):
		return nil, fmt.Errorf("must use port %d", securePort)
	}
	return u, o.checkHost(u.Hostname())
}

// checkPort returns an error if a port of this machine is neither empty nor a port's number.
func checkPort(port string) error {
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return errors.New("must use a port from 1 to 65535")
	}
	return nil
}

// checkHost returns an error if no address of a host can be permitted. The host is in lower case.
func (o Options) checkHost(host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		o.Loopback = false // which is for http
		if !o.permits(host, netip.AddrPortFrom(addr, securePort)) {
			return errors.New("must not contain a private or special address")
		}
		return nil
	}
	switch {
	case len(host) > maxName || !name.MatchString(host):
		return errors.New("must contain the name of a host in a-z 0-9 _ - . (other scripts as xn--…)")
	case number.MatchString(host):
		return errors.New("must contain an address in its usual form, such as 198.51.100.7")
	case !strings.Contains(host, ".") && !slices.Contains(o.Hosts, host):
		return errors.New("must contain the full name of a host, with its domain")
	}
	return nil
}
