package docs

// Answer states why only a real account or provider can answer a block, and how far tests run it.
type Answer struct {
	Why string // the thing it needs that only the account or provider has
	Ran string // ByCLI or ByStandIn
}

// How far the tests run a block that only an account can answer.
const (
	ByCLI     = "the AWS CLI checks every command, its parameters and its --query, and then finds no endpoint: TestBlock_AccountBlocksPassTheCLI (make test-deploy)"
	ByStandIn = "run against a stand-in that requires what the provider's documentation requires; its token goes through chat serve --issuer: TestProviders and TestSignInPages (make test-extra)"
)

// Answers lists every block of kind account, by its file and name. A test fails when a block is
// missing here or no longer in the documentation.
func Answers() map[string]map[string]Answer {
	return map[string]map[string]Answer{
		"docs/deploy.md": {
			"execution-policy": {"an account, for its policies", ByCLI},
			"remove-page":      {"a bucket that a deployment left", ByCLI},
		},
		"docs/domain.md": {
			"certificate": {"a domain for the certificate", ByCLI},
			"validated":   {"the DNS of that domain", ByCLI},
			"works":       {"a name in DNS", ByCLI},
			"remove":      {"a certificate that was issued", ByCLI},
		},
		"docs/quotas.md": {
			"look":  {"an account, for its quotas", ByCLI},
			"raise": {"an answer of AWS", ByCLI},
			"mails": {"Amazon SES in an account", ByCLI},
		},
		"docs/sign-in.md": {
			"sign-up":  {"a mail that is delivered", ByCLI},
			"recover":  {"a mail that is delivered", ByCLI},
			"pages":    {"Cognito's pages and a browser", ByStandIn},
			"exchange": {"a code from Cognito's pages", ByStandIn},
			"secret":   {"a client for services in a pool", ByCLI},
			"service":  {"Cognito's pages, with a client for services", ByStandIn},
			"act":      {"a token of a client for services", ByStandIn},
			"look":     {"a token of a provider", ByStandIn},
			"ask":      {"a token of a provider", ByStandIn},
			"auth0":    {"a tenant at Auth0", ByStandIn},
			"entra":    {"a tenant at Microsoft", ByStandIn},
			"keycloak": {"a public Keycloak", ByStandIn},
		},
	}
}
