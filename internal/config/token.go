package config

import (
	"slices"
	"strings"
)

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

// IsService reports whether the claims of a token grant ServiceScope. Issuers list the scopes of a
// token in the claim scope (RFC 9068) or scp, as words of one string or as a list. API Gateway
// passes a list as the string "[a b]".
func IsService(claims map[string]string) bool {
	return slices.ContainsFunc([]string{"scope", "scp"}, func(name string) bool {
		words := claims[name]
		if list, ok := strings.CutPrefix(words, "["); ok && strings.HasSuffix(list, "]") {
			words = strings.TrimSuffix(list, "]")
		}
		return slices.Contains(strings.Fields(words), ServiceScope)
	})
}
