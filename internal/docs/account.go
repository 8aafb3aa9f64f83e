package docs

// Answer says why only a real account or provider can answer a block, and how far it is run.
type Answer struct {
	Why string // what is missing everywhere else
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
			"certificate": {"a certificate is issued for a domain that one has", parsed},
			"validated":   {"DNS of that domain", parsed},
			"name":        {"DNS, and a certificate that was issued", parsed},
			"works":       {"DNS; the path is one that the API serves without a token", parsed},
			"remove":      {"a name that was made", parsed},
		},
		"docs/quotas.md": {
			"look":  {"quotas are an account's own", parsed},
			"raise": {"AWS decides", parsed},
			"warm":  {"emulators have no partitions to warm", parsed},
			"mails": {"Amazon SES of an account", parsed},
		},
		signIn: {
			"look":     {"it shows the token of a provider", standIn},
			"ask":      {"it sends the token of a provider", standIn},
			"auth0":    {"a tenant at Auth0", standIn},
			"entra":    {"a tenant at Microsoft", standIn},
			"keycloak": {"a public Keycloak", standIn},
		},
	}
}
