package config_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/parley/infra/config"
)

const aPageCertificate = "arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012"

// withPage serves the web app to the users of the stack's own pool.
func withPage(s *config.Settings) {
	s.Page = config.Page{Host: "cloudfront"}
	s.SignInPages.Prefix = "acme-chat"
}

// ofIssuer serves the web app to the users of another provider.
func ofIssuer(s *config.Settings) {
	s.Issuer, s.Audience, s.SignUp = "https://id.example", []string{"https://chat.example.com"}, ""
	s.Page = config.Page{Host: "cloudfront", SignIn: config.PageSignIn{
		Authorize: "https://id.example/authorize?audience=https://chat.example.com", Token: "https://id.example/oauth/token", Client: "spa",
	}}
}

func TestResolve_AppliesThePage(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*config.Settings){"the stack's own pool": withPage, "another issuer": ofIssuer} {
		s := explicit()
		change(&s)
		s.Page.Name, s.Page.Certificate = "chat.example.com", aPageCertificate
		s.Page.AvatarHosts = []string{"pictures.example.com", "people.example.com"}
		c, err := s.Resolve(config.Prod)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := s.Page
		want.SignIn.Scope = "openid"
		if diff := cmp.Diff(want, c.Page); diff != "" || !c.Page.Served() {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestResolve_ServesNoPageUnasked(t *testing.T) {
	t.Parallel()
	for env, s := range stated() {
		for _, host := range []string{"", "none"} {
			s.Page.Host = host
			c, err := s.Resolve(env)
			if err != nil || !reflect.ValueOf(c.Page).IsZero() {
				t.Errorf("%s with the host %q: %+v, %v", env, host, c.Page, err)
			}
		}
	}
}

// TestResolve_RefusesInvalidPages covers each rule of the page once.
func TestResolve_RefusesInvalidPages(t *testing.T) {
	t.Parallel()
	page := func(change func(*config.Page)) func(*config.Settings) {
		return func(s *config.Settings) { withPage(s); change(&s.Page) }
	}
	signIn := func(change func(*config.PageSignIn)) func(*config.Settings) {
		return func(s *config.Settings) { ofIssuer(s); change(&s.Page.SignIn) }
	}
	tests := []refusal{
		{"another host", page(func(p *config.Page) { p.Host = "s3" }), `Page.Host must be "none" or "cloudfront", not "s3"`},
		{"a name without a host", func(s *config.Settings) { s.Page.Name = "chat.example.com" }, `Page has no effect without Host: "cloudfront"`},
		{"no page to sign in on", func(s *config.Settings) { s.Page.Host = "cloudfront" }, "Page.Host needs pages on which people sign in: state SignInPages.Prefix"},
		{"endpoints of the stack's own pool", page(func(p *config.Page) { p.SignIn.Client = "spa" }), "Page.SignIn applies to an Issuer of your own"},
		{"a name without a certificate", page(func(p *config.Page) { p.Name = "chat.example.com" }), "Page.Certificate must be the ARN"},
		{"a certificate without a name", page(func(p *config.Page) { p.Certificate = aPageCertificate }), "Page.Name must be a name"},
		{"a name with a scheme", page(func(p *config.Page) { p.Name, p.Certificate = "https://chat.example.com", aPageCertificate }), "Page.Name must be a name"},
		{"a certificate of another Region", page(func(p *config.Page) { p.Name, p.Certificate = "chat.example.com", aCertificate }), "Page.Certificate must be the ARN of a certificate in AWS Certificate Manager in us-east-1, where CloudFront looks"},
		{"the API's name", func(s *config.Settings) {
			withPage(s)
			s.Domain = config.Domain{Name: "chat.example.com", Certificate: aCertificate}
			s.Page.Name, s.Page.Certificate = "chat.example.com", aPageCertificate
		}, "Page.Name must be another name than those of Domain"},
		{"hosts of pictures without a host", func(s *config.Settings) { s.Page.AvatarHosts = []string{"pictures.example.com"} }, `Page has no effect without Host: "cloudfront"`},
		{"pictures of everyone", page(func(p *config.Page) { p.AvatarHosts = []string{"pictures.example.com", "*.example.com"} }), `Page.AvatarHosts must be names in small letters like pictures.example.com, without scheme, path or wildcard, not "*.example.com"`},
		{"an address of pictures", page(func(p *config.Page) { p.AvatarHosts = []string{"https://pictures.example.com"} }), "Page.AvatarHosts must be names"},
		{"notifications with everything", page(func(p *config.Page) { p.NotificationsShow = "everything" }), `Page.NotificationsShow must be text, sender or none, not "everything"`},
		{"a host that ends the page's policy", page(func(p *config.Page) { p.AvatarHosts = []string{"example.com; script-src *"} }), "Page.AvatarHosts must be names"},
		{"too many hosts of pictures", page(func(p *config.Page) {
			for n := range 30 {
				p.AvatarHosts = append(p.AvatarHosts, fmt.Sprintf("pictures-%d.example.com", n+10))
			}
		}), "Page.AvatarHosts may have 800 bytes in the page's policy, not 951"},
		{"no endpoint to sign in at", signIn(func(s *config.PageSignIn) { s.Authorize = "" }), "Page.SignIn.Authorize must be the https address"},
		{"an endpoint without TLS", signIn(func(s *config.PageSignIn) { s.Token = "http://id.example/token" }), "Page.SignIn.Token must be the https address"},
		{"an endpoint anywhere", signIn(func(s *config.PageSignIn) { s.Token = "https://*.example/token" }), "Page.SignIn.Token must be the https address"},
		{"an endpoint that ends the page's policy", signIn(func(s *config.PageSignIn) { s.Token = "https://id.example;script-src/token" }), "Page.SignIn.Token must be the https address"},
		{"a path to sign out at", signIn(func(s *config.PageSignIn) { s.Logout = "/logout" }), "Page.SignIn.Logout must be the https address"},
		{"a path to revoke tokens at", signIn(func(s *config.PageSignIn) { s.Revoke = "/revoke" }), "Page.SignIn.Revoke must be the https address"},
		{"no client", signIn(func(s *config.PageSignIn) { s.Client = "" }), "Page.SignIn.Client must be the id of a public client"},
		{"too many callbacks in addition to the page", func(s *config.Settings) {
			withPage(s)
			s.SignInPages.Callbacks = slices.Repeat([]string{"https://chat.example.com/in"}, 100)
		}, "SignInPages.Callbacks may have 99 entries, not 100"},
	}
	wantRefused(t, tests)
}

func TestConfigIn_ChecksThePagesCertificate(t *testing.T) {
	t.Parallel()
	s := explicit()
	withPage(&s)
	s.Page.Name, s.Page.Certificate = "chat.example.com", aPageCertificate
	c, err := s.Resolve(config.Prod)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.In("123456789012", "eu-west-1"); err != nil {
		t.Errorf("in another Region: %v", err)
	}
	_, err = c.In("210987654321", "eu-west-1")
	wantError(t, err, "Page.Certificate is of account 123456789012")
}
