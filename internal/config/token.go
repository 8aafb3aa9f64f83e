package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// tokenUse is the claim in which Cognito's tokens state their use. Other issuers omit it.
	tokenUse = "token_use"
	// useAccess is its value in access tokens.
	useAccess = "access"
)

// TokenRules are the rules of a deployment about the claims of a valid token. The zero value takes
// the user from the default claim, and has no other rule.
type TokenRules struct {
	// UserClaim is the claim that is the user; empty means the default, UserClaim.
	UserClaim string
	// Life limits the time from a token's issue to its expiry; 0 does not. Both must be stated.
	Life time.Duration
}

// TokenRulesOf returns the rules in the variables EnvUserClaim and EnvTokenLife.
func TokenRulesOf(getenv func(string) string) (TokenRules, error) {
	r := TokenRules{UserClaim: getenv(EnvUserClaim)}
	text := getenv(EnvTokenLife)
	if text == "" {
		return r, nil
	}
	life, err := time.ParseDuration(text)
	if err != nil || life <= 0 {
		return TokenRules{}, fmt.Errorf("environment variable %s: %q is not a time such as 12h", EnvTokenLife, text)
	}
	r.Life = life
	return r, nil
}

// User returns the user whom the claims of a valid token name, or the check that the claims fail.
// The check quotes nothing from the token.
func (r TokenRules) User(claims map[string]string) (user, check string) {
	switch user = claims[r.Claim()]; {
	case user == "":
		return "", "it has no subject"
	case r.Life > 0 && !r.lives(claims):
		return "", "it is valid for too long, or states no time of issue"
	}
	return user, ""
}

// Claim returns the claim that is the user.
func (r TokenRules) Claim() string { return cmp.Or(r.UserClaim, UserClaim) }

// lives reports whether the life of a token is within the limit.
func (r TokenRules) lives(claims map[string]string) bool {
	issued, errIssued := strconv.ParseFloat(claims["iat"], 64)
	expires, errExpires := strconv.ParseFloat(claims["exp"], 64)
	return errIssued == nil && errExpires == nil && expires-issued <= r.Life.Seconds()
}

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
