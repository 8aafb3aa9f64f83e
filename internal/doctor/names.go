package doctor

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"example.com/parley/internal/auth"
)

func withoutDomain(p Plan) string {
	return unneeded(p.Config.API.Domain.Name == "", "Domain is not stated")
}

func withoutPageName(p Plan) string {
	return unneeded(p.Config.Page.Name == "", "Page.Name is not stated")
}

// certificate is a certificate of AWS Certificate Manager. A certificate that does not exist has
// no status.
type certificate struct {
	Status string
	Names  []string `json:"SubjectAlternativeNames"`
}

// readCertificate reads a certificate in the Region that its ARN names.
func readCertificate(ctx context.Context, o Options, arn string) (certificate, error) {
	fields := strings.Split(arn, ":") // arn:aws:acm:REGION:ACCOUNT:certificate/ID, as the settings require
	in := jsonCall(
		"acm", fields[3], "CertificateManager", "DescribeCertificate", map[string]string{"CertificateArn": arn},
	)
	var out struct{ Certificate certificate }
	err := o.account().call(ctx, in, &out)
	if codeOf(err) == "ResourceNotFoundException" {
		return certificate{}, nil
	}
	return out.Certificate, err
}

func readAPICertificate(ctx context.Context, o Options, p Plan) (certificate, error) {
	return readCertificate(ctx, o, p.Config.API.Domain.Certificate)
}

func readPageCertificate(ctx context.Context, o Options, p Plan) (certificate, error) {
	return readCertificate(ctx, o, p.Config.Page.Certificate)
}

func judgeAPICertificate(p Plan, c certificate) Finding {
	d := p.Config.API.Domain
	return judgeCertificate("Domain.Certificate", c, d.Name, d.Socket)
}

func judgePageCertificate(p Plan, c certificate) Finding {
	return judgeCertificate("Page.Certificate", c, p.Config.Page.Name)
}

// judgeCertificate checks whether a certificate can be used for names. It ignores empty names. The
// Region is part of the ARN, which the settings check.
func judgeCertificate(setting string, c certificate, names ...string) Finding {
	const guide = `docs/deploy.md, "A domain"`
	switch {
	case c.Status == "":
		return blocker(guide, "%s does not exist", setting)
	case c.Status == "PENDING_VALIDATION":
		return blocker("enter its CNAMEs into your DNS, and wait: "+guide, "%s is not issued yet", setting)
	case c.Status != "ISSUED":
		return blocker("request another one: "+guide, "%s is %s", setting, c.Status)
	}
	for _, name := range names {
		if name != "" && !slices.ContainsFunc(c.Names, func(pattern string) bool { return covers(pattern, name) }) {
			return blocker(
				"request one for all names: "+guide, "%s is for %s, and not for %s", setting,
				strings.Join(c.Names, ", "), name,
			)
		}
	}
	return ok("issued for %s", strings.Join(c.Names, ", "))
}

// covers reports whether a name in a certificate covers a host. A wildcard covers one label.
func covers(pattern, host string) bool {
	if rest, wild := strings.CutPrefix(pattern, "*."); wild {
		_, parent, _ := strings.Cut(host, ".")
		return strings.EqualFold(rest, parent)
	}
	return strings.EqualFold(pattern, host)
}

func withoutSignInPages(p Plan) string {
	return unneeded(p.Config.Pool.Pages.Prefix == "", "SignInPages is not stated")
}

// readPrefix returns the user pool of this account that has the Cognito domain prefix, or "".
func readPrefix(ctx context.Context, o Options, p Plan) (string, error) {
	in := jsonCall("cognito-idp", p.Region, "AWSCognitoIdentityProviderService", "DescribeUserPoolDomain",
		map[string]string{"Domain": p.Config.Pool.Pages.Prefix})
	var out struct{ DomainDescription struct{ UserPoolID string } }
	err := o.account().call(ctx, in, &out)
	if codeOf(err) == "ResourceNotFoundException" {
		return "", nil
	}
	return out.DomainDescription.UserPoolID, err
}

func judgePrefix(p Plan, pool string) Finding {
	name := p.Config.Pool.Pages.Prefix
	switch pool {
	case "":
		return ok("no pool of this account has %s; that no other account has it shows when it is deployed", name)
	case p.Stack.Outputs["UserPoolId"]:
		return ok("%s is this stack's", name)
	}
	if p.Stack.Unread {
		return note("make sure that the pool is this stack's", "%s belongs to the user pool %s", name, pool)
	}
	return blocker("choose another SignInPages.Prefix", "%s belongs to the user pool %s", name, pool)
}

func withoutIssuer(p Plan) string {
	switch {
	case p.Config.Tokens.OwnPool():
		return "the stack has its own user pool"
	case p.Config.Tokens.OwnKeys() && p.issuer() == "":
		return "the stack publishes the app's keys when it is deployed"
	}
	return ""
}

// issuer returns the issuer of tokens. With the app's own keys it is the stack, once deployed.
func (p Plan) issuer() string {
	if p.Config.Tokens.OwnKeys() {
		return p.Stack.Outputs["Issuer"]
	}
	return p.Config.Tokens.Issuer
}

// readIssuer fetches the discovery document and the keys as the functions do. It returns the reason
// that the issuer's tokens cannot be verified, or "".
func readIssuer(ctx context.Context, o Options, p Plan) (problem string, _ error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err := auth.CheckIssuer(ctx, auth.RemoteConfig{
		Issuer: p.issuer(), Client: o.Client, Clock: o.Clock, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return err.Error(), nil
	}
	return "", nil
}

func judgeIssuer(p Plan, problem string) Finding {
	if problem != "" {
		return blocker("state Issuer exactly as the issuer names itself, to the last slash: docs/sign-in.md",
			"Issuer is %s: %s", p.issuer(), problem)
	}
	return ok("%s publishes its name and its keys", p.issuer())
}

func withoutSignUp(p Plan) string {
	return unneeded(
		!p.Config.Tokens.OwnPool() || !p.Config.Pool.SelfSignUp, "people do not sign up by themselves",
	)
}

// mails describes the mail that Amazon SES lets an account send.
type mails struct {
	Production bool `json:"ProductionAccessEnabled"`
}

func readMails(ctx context.Context, o Options, p Plan) (mails, error) {
	in := get("ses", p.Region, "/v2/email/account", "ses:GetAccount")
	in.host = fmt.Sprintf("email.%s.amazonaws.com", p.Region)
	var out mails
	err := o.account().call(ctx, in, &out)
	return out, err
}

func judgeMails(_ Plan, m mails) Finding {
	if !m.Production {
		return note(
			`request production access: docs/quotas.md, "Sign-ins and their mails"`,
			"Amazon SES is in its sandbox; Cognito itself sends 50 mails a day",
		)
	}
	return ok("Amazon SES is out of its sandbox")
}
