package config

import (
	"cmp"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"

	shared "example.com/parley/internal/config"
)

// pageRegion is the only Region whose certificates CloudFront uses.
const pageRegion = "us-east-1"

// maxAvatarHosts is the most bytes of AvatarHosts in the page's Content-Security-Policy. CloudFront
// sends one of up to 1,783, and the other hosts need room in it.
const maxAvatarHosts = 800

// defaultScope is the scope for an app that needs nothing but a token.
const defaultScope = "openid"

// Served reports whether the stack serves the web app.
func (p Page) Served() bool { return p.Host == CloudFront }

// pageSignIn returns how people sign in to the web app, with its scope filled in. Only the stack
// knows the endpoints of its own pool.
func pageSignIn(s Settings) PageSignIn {
	in := s.Page.SignIn
	in.Scope = cmp.Or(in.Scope, defaultScope)
	return in
}

// checkPage returns the problems of the web app's settings. The argument whole is s with its
// defaults filled in.
func (s Settings) checkPage(whole Settings) problems {
	var p problems
	page := s.Page
	p.refuse(
		page.Host != "" && page.Host != None && page.Host != CloudFront, "Page.Host", "must be %q or %q, not %q", None,
		CloudFront, page.Host,
	)
	if !page.Served() {
		page.Host = ""
		p.refuse(!reflect.ValueOf(page).IsZero(), "Page", "has no effect without Host: %q", CloudFront)
		return p
	}
	page.checkName(&p, s.Domain)
	page.checkAvatarHosts(&p)
	p.refuse(page.NotificationsShow != "" &&
		!slices.Contains([]string{"text", "sender", "none"}, page.NotificationsShow),
		"Page.NotificationsShow", "must be text, sender or none, not %q", page.NotificationsShow)
	if whole.Issuer == Own {
		p.refuse(
			s.SignInPages.Prefix == "", "Page.Host", "needs pages on which people sign in: state SignInPages.Prefix",
		)
		p.refuse(
			page.SignIn != (PageSignIn{}), "Page.SignIn",
			"applies to an Issuer of your own, but the stack creates the user pool",
		)
		return p
	}
	page.SignIn.check(&p)
	return p
}

// checkName adds the problems of the page's own name. Two distributions cannot share a name, and
// neither can a distribution and an API.
func (p Page) checkName(to *problems, d Domain) {
	if p.Name == "" && p.Certificate == "" {
		return
	}
	to.refuse(
		!shared.IsHostName(p.Name), "Page.Name",
		"must be a name in small letters like chat.example.com, without scheme, path or wildcard, not %q", p.Name,
	)
	to.refuse(
		p.Name != "" && (p.Name == d.Name || p.Name == d.Socket), "Page.Name",
		"must be another name than those of Domain: the API has them",
	)
	at := certificateARN.FindStringSubmatch(p.Certificate)
	to.refuse(at == nil || at[1] != pageRegion, "Page.Certificate",
		"must be the ARN of a certificate in AWS Certificate Manager in %s, where CloudFront looks, not "+
			"%q", pageRegion, p.Certificate)
}

func (p Page) checkAvatarHosts(to *problems) {
	for _, host := range p.AvatarHosts {
		to.refuse(
			!shared.IsHostName(host), "Page.AvatarHosts",
			"must be names in small letters like pictures.example.com, without scheme, path or wildcard, not %q", host,
		)
	}
	size := len(strings.Join(p.AvatarHosts, " https://"))
	to.refuse(
		size > maxAvatarHosts, "Page.AvatarHosts", "may have %d bytes in the page's policy, not %d", maxAvatarHosts,
		size,
	)
}

func (s PageSignIn) check(p *problems) {
	p.refuse(
		!isEndpoint(s.Authorize), "Page.SignIn.Authorize",
		"must be the https address at which your Issuer signs people in, not %q", s.Authorize,
	)
	p.refuse(
		!isEndpoint(s.Token), "Page.SignIn.Token",
		"must be the https address at which your Issuer exchanges a code for tokens, not %q", s.Token,
	)
	p.refuse(
		s.Logout != "" && !isEndpoint(s.Logout), "Page.SignIn.Logout",
		"must be the https address at which your Issuer signs people out, not %q", s.Logout,
	)
	p.refuse(
		s.Revoke != "" && !isEndpoint(s.Revoke), "Page.SignIn.Revoke",
		"must be the https address at which your Issuer revokes refresh tokens, not %q", s.Revoke,
	)
	p.refuse(
		s.Client == "" || strings.ContainsAny(s.Client, " \t\n"), "Page.SignIn.Client",
		"must be the id of a public client of your Issuer, not %q", s.Client,
	)
}

// isEndpoint reports whether a text is an https address. It may have a query, which the app keeps:
// some providers want an audience there. No character may end a part of the page's policy.
func isEndpoint(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil && u.Fragment == "" &&
		!strings.ContainsAny(u.Host, "*;,' ")
}

// certificateARN matches the ARN that AWS Certificate Manager prints; its groups are the Region and
// the account.
var certificateARN = regexp.MustCompile(`^arn:aws[a-z-]*:acm:([a-z0-9-]+):([0-9]{12}):certificate/[0-9a-f-]{36}$`)

func (d Domain) check(p *problems) {
	if d == (Domain{}) {
		return
	}
	if d.Name == "" && d.Only {
		p.refuse(true, "Domain.Only", "needs a Domain.Name: without it the API would have no address")
		return
	}
	p.refuse(
		!shared.IsHostName(d.Name), "Domain.Name",
		"must be a name in small letters like chat.example.com, without scheme, path or wildcard, not %q", d.Name,
	)
	p.refuse(
		d.Socket != "" && !shared.IsHostName(d.Socket), "Domain.Socket",
		"must be a name in small letters like live.example.com, without scheme, path or wildcard, not %q", d.Socket,
	)
	p.refuse(
		d.Socket != "" && d.Socket == d.Name, "Domain.Socket",
		"must be another name than Domain.Name: API Gateway maps a name to one kind of API",
	)
	p.refuse(!certificateARN.MatchString(d.Certificate), "Domain.Certificate",
		"must be the ARN of a certificate in AWS Certificate Manager, not %q", d.Certificate)
}
