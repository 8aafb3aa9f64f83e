package docs

// Answer says why only a real account or provider can answer a block, and how far it is run.
type Answer struct {
	Why string // what it needs that is nowhere else
	Ran string // how far it is run, and by what
}

const (
	signIn = "docs/sign-in.md"
	// parsed is how far blocks of the AWS CLI are run.
	parsed = "the AWS CLI checks every command, its parameters and its --query, and then finds no endpoint: TestAccountBlocks (make test-deploy)"
	// standIn is how the providers' blocks are run.
	standIn = "run against a stand-in that asks for what the provider's documentation asks for; its token goes through chat serve --issuer: TestProviders (make test-extra)"
)

// Answers lists every block of kind account, by its file and name. A test fails when one is
// missing here, or no longer in the documentation.
func Answers() map[string]map[string]Answer {
	return map[string]map[string]Answer{
		"docs/domain.md": {
			"certificate": {"a domain for the certificate", parsed},
			"validated":   {"the DNS of that domain", parsed},
			"name":        {"a certificate that was issued", parsed},
			"works":       {"a name in DNS", parsed},
			"remove":      {"a name that was made", parsed},
		},
		"docs/quotas.md": {
			"look":  {"an account, whose quotas they are", parsed},
			"raise": {"an answer of AWS", parsed},
			"warm":  {"partitions, which emulators do not have", parsed},
			"mails": {"Amazon SES in an account", parsed},
		},
		signIn: {
			"look":     {"a token of a provider", standIn},
			"ask":      {"a token of a provider", standIn},
			"auth0":    {"a tenant at Auth0", standIn},
			"entra":    {"a tenant at Microsoft", standIn},
			"keycloak": {"a public Keycloak", standIn},
		},
	}
}
