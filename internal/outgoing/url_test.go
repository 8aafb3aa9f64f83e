package outgoing_test

import (
	"net/netip"
	"strings"
	"testing"

	"example.com/parley/internal/outgoing"
)

func TestParseURL(t *testing.T) {
	long := "https://example.com/" + strings.Repeat("a", outgoing.MaxURL)
	for text, want := range map[string]string{
		"https://example.com":                         "",
		"https://Hooks.Example.com:443/a%20b?c=d":     "",
		"https://8.8.8.8/hook":                        "",
		"https://[2606:4700:4700::1111]/":             "",
		"https://xn--bcher-kva.example/":              "",
		"https://1password.example/":                  "",
		"https://hooks/":                              "",
		"https://10.1.2.3/":                           "",
		long[:outgoing.MaxURL]:                        "",
		long:                                          "must be at most",
		"":                                            "must be a complete URL",
		"/hook":                                       "must be a complete URL",
		"https:example.com":                           "must be a complete URL",
		"https:///hook":                               "must be a complete URL",
		"https://exa mple.com":                        "must be a complete URL",
		"https://example.com/\n":                      "must be a complete URL",
		"https://%31%32%37.0.0.1/":                    "must be a complete URL",
		"http://example.com":                          "must begin with https",
		"ftp://example.com":                           "must begin with https",
		"http://127.0.0.1:3000/":                      "must begin with https",
		"https://user@example.com":                    "must not contain a user",
		"https://user:secret@example.com":             "must not contain a user",
		"https://example.com@127.0.0.1/":              "must not contain a user",
		"https://example.com/#":                       "must not contain #",
		"https://example.com/#a":                      "must not contain #",
		"https://example.com:80":                      "must use port",
		"https://example.com:8443":                    "must use port",
		"https://example.com:0443":                    "must use port",
		"https://example.com:":                        "must use port",
		"https://127.0.0.1/":                          "must not contain a private",
		"https://10.1.2.4/":                           "must not contain a private",
		"https://[::1]/":                              "must not contain a private",
		"https://[::ffff:127.0.0.1]/":                 "must not contain a private",
		"https://[::ffff:8.8.8.8]/":                   "must not contain a private",
		"https://[::7f00:1]/":                         "must not contain a private",
		"https://[64:ff9b::7f00:1]/":                  "must not contain a private",
		"https://[2002:7f00:1::]/":                    "must not contain a private",
		"https://[fe80::1%25eth0]/":                   "must not contain a private",
		"https://[2606:4700:4700::1111%25eth0]/":      "must not contain a private",
		"https://0x7f.1/":                             "must contain an address in its usual form",
		"https://0X7F.0.0.1/":                         "must contain an address in its usual form",
		"https://0177.0.0.1/":                         "must contain an address in its usual form",
		"https://127.0.0.01/":                         "must contain an address in its usual form",
		"https://127.1/":                              "must contain an address in its usual form",
		"https://2130706433/":                         "must contain an address in its usual form",
		"https://0x7f000001/":                         "must contain an address in its usual form",
		"https://example.0x/":                         "must contain an address in its usual form",
		"https://1.2.3.4.5/":                          "must contain an address in its usual form",
		"https://127.0.0.1./":                         "must contain the name of a host",
		"https://example.com./":                       "must contain the name of a host",
		"https://１２７.0.0.1/":                          "must contain the name of a host",
		"https://bücher.example/":                     "must contain the name of a host",
		"https://example。com/":                        "must contain the name of a host",
		"https://a..example/":                         "must contain the name of a host",
		"https://-a.example/":                         "must contain the name of a host",
		"https://" + strings.Repeat("a.", 127) + "a":  "must contain the name of a host",
		"https://" + strings.Repeat("a", 64) + ".com": "must contain the name of a host",
		"https://localhost/":                          "must contain the full name",
		"https://hook/":                               "must contain the full name",
	} {
		_, err := outgoing.ParseURL(text, outgoing.Options{Hosts: []string{"hooks", "10.1.2.3"}})
		switch {
		case want == "" && err != nil:
			t.Errorf("%.50q: %v", text, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%.50q: %v, want %q", text, err, want)
		}
	}
}

func TestParseURL_Loopback(t *testing.T) {
	for text, ok := range map[string]bool{
		"http://127.0.0.1":           true,
		"http://127.0.0.1:3000/hook": true,
		"http://127.0.0.1:65535":     true,
		"https://example.com":        true,
		"http://127.0.0.1:0":         false,
		"http://127.0.0.1:65536":     false,
		"http://127.0.0.1:http":      false,
		"http://127.0.0.2:3000":      false,
		"http://127.1:3000":          false,
		"http://localhost:3000":      false,
		"http://[::1]:3000":          false,
		"https://127.0.0.1":          false,
		"http://a@127.0.0.1:3000":    false,
		"http://example.com":         false,
	} {
		if _, err := outgoing.ParseURL(text, outgoing.Options{Loopback: true}); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestParseURL_DoesNotQuote(t *testing.T) {
	for _, text := range []string{"https://example.com:80/s3cret", "https://a:s3cret@example.com", "https://s3cret", "https://a\x00/s3cret"} {
		if _, err := outgoing.ParseURL(text, outgoing.Options{}); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParseURL(f *testing.F) {
	for _, text := range []string{"https://example.com/a?b", "https://[2606:4700:4700::1111]:443/", "https://0x7f.1", "https://8.8.8.8"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := outgoing.ParseURL(text, outgoing.Options{})
		if err != nil {
			return
		}
		if u.Scheme != "https" || u.User != nil || u.Port() != "" && u.Port() != "443" {
			t.Errorf("%q is read as %s", text, u)
		}
		if addr, err := netip.ParseAddr(u.Hostname()); err == nil && (addr.IsLoopback() || addr.IsPrivate() || addr.Is4In6()) {
			t.Errorf("%q is an address of %s", text, addr)
		}
		if again, err := outgoing.ParseURL(u.String(), outgoing.Options{}); len(u.String()) <= outgoing.MaxURL && (err != nil || again.Host != u.Host) {
			t.Errorf("%q is read as %s, and then as %v, %v", text, u, again, err)
		}
	})
}
