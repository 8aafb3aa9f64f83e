package config

import (
	"net/url"
	"regexp"
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

// The limits of Cognito's pages.
var (
	pagesPrefix = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	// reserved are the words that Cognito refuses in a prefix.
	reserved = []string{"aws", "amazon", "cognito"}
)

// maxPages is the number of addresses of each kind that Cognito accepts for a client.
const maxPages = 100

// checkPool returns the problems of the settings of the stack's own user pool. If the stack creates
// no pool, it refuses all of them. The argument whole is s with its defaults filled in.
func (s Settings) checkPool(whole Settings) problems {
	var p problems
	pages := s.SignInPages
	stated := pages.Prefix != "" || pages.Callbacks != nil || pages.Logouts != nil || pages.ServiceClient
	if whole.Issuer != Own {
		p.refuse(s.SignUp != "", "SignUp", "applies to the stack's own user pool, but Issuer names another provider")
		p.refuse(stated, "SignInPages", "apply to the stack's own user pool, but Issuer names another provider")
		return p
	}
	p.refuse(
		whole.SignUp != Admin && whole.SignUp != Self, "SignUp", "must be %q or %q, not %q", Admin, Self, whole.SignUp,
	)
	if !stated {
		return p
	}
	p.refuse(
		!isPrefix(s.prefix()), "SignInPages.Prefix",
		"must be at most 63 small letters, digits and hyphens, without %s, not %q", strings.Join(reserved, ", "),
		s.prefix(),
	)
	p.refuse(
		len(pages.Callbacks) == 0 && !s.Page.Served(), "SignInPages.Callbacks",
		"must contain a page to which signed-in users return",
	)
	most := maxPages
	if s.Page.Served() {
		most-- // the stack adds the web app
	}
	for name, all := range map[string][]string{
		"SignInPages.Callbacks": pages.Callbacks, "SignInPages.Logouts": pages.Logouts,
	} {
		p.refuse(len(all) > most, name, "may have %d entries, not %d", most, len(all))
		for _, page := range all {
			p.refuse(
				!isPage(page), name,
				"must be addresses like https://chat.example.com/signed-in, myapp://signed-in or "+
					"http://localhost:5173/, not %q",
				page,
			)
		}
	}
	return p
}

// prefix returns the first word of the address of Cognito's pages. It is unique in the Region, so
// it ends with the suffix of the stack's name, if there is one.
func (s Settings) prefix() string {
	if s.SignInPages.Prefix == "" || s.Suffix == "" {
		return s.SignInPages.Prefix
	}
	return s.SignInPages.Prefix + "-" + s.Suffix
}

func isPrefix(s string) bool {
	return pagesPrefix.MatchString(s) &&
		!slices.ContainsFunc(reserved, func(word string) bool { return strings.Contains(s, word) })
}

// isPage reports whether Cognito accepts an address as a page to which users return.
func isPage(s string) bool {
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || !strings.Contains(s, "://") || strings.ContainsAny(s, "#* ") {
		return false
	}
	return u.Scheme != "http" && u.Host+u.Path != "" && (u.Scheme != "https" || u.Host != "") || u.Scheme == "http" &&
		u.Hostname() == "localhost"
}
