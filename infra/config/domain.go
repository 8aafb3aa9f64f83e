package config

import (
	"regexp"

	shared "example.com/parley/internal/config"
)

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
