package config

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"example.com/parley/internal/publickey"
)

const (
	// maxAudiences is the limit of an HTTP API's JWT authorizer.
	maxAudiences = 50
	// maxKeys is the number of keys while they are rotated.
	maxKeys = 2
	// maxUserClaim is longer than any claim in use. All functions have it among their variables.
	maxUserClaim = 64
)

func (t Tokens) check(p *problems) {
	p.refuse(
		!isClaim(t.UserClaim) || len(t.UserClaim) > maxUserClaim, "UserClaim", "must be the name of a claim, not %q",
		t.UserClaim,
	)
	p.refuse(len(t.Keys) > 0 && !t.OwnKeys(), "Keys", "have no effect without Issuer: %q", Keys)
	switch {
	case t.OwnPool():
		return
	case t.Issuer == "":
		p.refuse(true, "Audience", "needs an Issuer of your own, which is not stated")
		return
	}
	p.refuse(
		len(t.Audience) == 0, "Audience", "must be stated with an Issuer of your own: the accepted aud or client_id",
	)
	p.refuse(len(t.Audience) > maxAudiences, "Audience", "may have %d entries, not %d", maxAudiences, len(t.Audience))
	p.refuse(slices.Contains(t.Audience, ""), "Audience", "has an empty entry")
	if t.OwnKeys() {
		_, found := t.PublicKeys()
		*p = append(*p, found...)
		return
	}
	u, err := url.Parse(t.Issuer)
	p.refuse(err != nil || u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil,
		"Issuer", "must be %q, %q or an https address, exactly as in the tokens, not %q", Own, Keys, t.Issuer)
}

// PublicKeys returns the keys of the app's own tokens, and their problems. A problem never quotes a
// key, which may be private.
func (t Tokens) PublicKeys() ([]publickey.Key, []error) {
	var p problems
	p.refuse(
		len(t.Keys) == 0 || len(t.Keys) > maxKeys, "Keys",
		"must be one public key, or two while they are rotated, not %d: chat keys new writes a pair", len(t.Keys),
	)
	var keys []publickey.Key
	for n, k := range t.Keys {
		key, err := publickey.Parse(k.ID, k.PEM)
		if err != nil {
			p.refuse(true, "Keys", "cannot have entry %d: %v", n+1, err)
			continue
		}
		for _, other := range keys {
			p.refuse(other.ID == key.ID, "Keys", "have the id %q twice: a token names its key by it", key.ID)
			p.refuse(
				other.ID != key.ID && other.Public.Equal(key.Public), "Keys", "have one key under two ids, %q and %q",
				other.ID, key.ID,
			)
		}
		keys = append(keys, key)
	}
	return keys, p
}

// isClaim reports whether a text can be the name of a claim.
func isClaim(s string) bool { return s != "" && !strings.ContainsFunc(s, unicode.IsSpace) }
