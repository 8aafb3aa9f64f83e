package docs

// Answer says why only a real account or provider can answer a block, and how far it is run.
type Answer struct {
	Why string // what it needs that is nowhere else
	Ran string // ByCLI or ByStandIn
}

// How far blocks are run that only an account can answer, and by what.
const (
	ByCLI     = "the AWS CLI checks every command, its parameters and its --query, and then finds no endpoint: TestAccountBlocks (make test-deploy)"
	ByStandIn = "run against a stand-in that asks for what the provider's documentation asks for; its token goes through chat serve --issuer: TestProviders and TestSignInPages (make test-extra)"
)

// Answers lists every block of kind account, by its file and name. A test fails when one is
// missing here, or no longer in the documentation.
func Answers() map[string]map[string]Answer {
	return map[string]map[string]Answer{
		"docs/domain.md": {
			"certificate": {"a domain for the certificate", ByCLI},
			"validated":   {"the DNS of that domain", ByCLI},
			"works":       {"a name in DNS", ByCLI},
			"remove":      {"a certificate that was issued", ByCLI},
		},
		"docs/quotas.md": {
			"look":  {"an account, whose quotas they are", ByCLI},
			"raise": {"an answer of AWS", ByCLI},
			"mails": {"Amazon SES in an account", ByCLI},
		},
		"docs/sign-in.md": {
			"sign-up":  {"a mail that arrives", ByCLI},
			"recover":  {"a mail that arrives", ByCLI},
			"pages":    {"Cognito's pages and a browser", ByStandIn},
			"exchange": {"the code that Cognito's pages give", ByStandIn},
			"look":     {"a token of a provider", ByStandIn},
			"ask":      {"a token of a provider", ByStandIn},
			"auth0":    {"a tenant at Auth0", ByStandIn},
			"entra":    {"a tenant at Microsoft", ByStandIn},
			"keycloak": {"a public Keycloak", ByStandIn},
		},
	}
}
