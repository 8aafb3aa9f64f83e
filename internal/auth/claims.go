package auth

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/config"
)

// Claims are the claims of a valid token.
type Claims struct {
	// Subject is the user's id. It is never empty.
	Subject string
	// Scopes are the words of the scope claim.
	Scopes []string
	// Values holds all claims as text, in the form in which API Gateway passes them to a function.
	Values map[string]string
}

func readClaims(claims jwt.MapClaims, rules config.TokenRules) (Claims, error) {
	scope, _ := claims["scope"].(string)
	c := Claims{Scopes: strings.Fields(scope), Values: make(map[string]string, len(claims))}
	for name, value := range claims {
		c.Values[name] = claimText(value)
	}
	if _, isText := claims[rules.Claim()].(string); !isText {
		delete(c.Values, rules.Claim())
	}
	var check string
	if c.Subject, check = rules.User(c.Values); check != "" {
		return Claims{}, refused(check)
	}
	return c, nil
}

// claimText formats a claim as API Gateway does. A list is "[a b]".
func claimText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		words := make([]string, len(v))
		for i, w := range v {
			words[i] = claimText(w)
		}
		return "[" + strings.Join(words, " ") + "]"
	case map[string]any:
		text, err := json.Marshal(v)
		if err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(value)
}
