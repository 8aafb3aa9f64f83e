package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

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
