package config

const (
	// tokenUse is the claim in which Cognito's tokens state their use. Other issuers omit it.
	tokenUse = "token_use"
	// useAccess is its value in access tokens.
	useAccess = "access"
)

// IsOtherToken reports whether claims belong to a token that is not an access token. Verifiers
// accept Cognito's ID tokens too, but these are for the client that requested them.
func IsOtherToken(claims map[string]string) bool {
	use, ok := claims[tokenUse]
	return ok && use != useAccess
}
