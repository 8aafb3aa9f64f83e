package gateway

import (
	"slices"
	"strings"
)

// HasScope reports whether the claims of a token grant a scope. Issuers list the scopes of a token
// in the claim scope (RFC 9068) or scp, as words of one string or as a list. The service passes a
// list as the string "[a b]".
func HasScope(claims map[string]string, scope string) bool {
	return slices.ContainsFunc([]string{"scope", "scp"}, func(name string) bool {
		words := claims[name]
		if list, ok := strings.CutPrefix(words, "["); ok && strings.HasSuffix(list, "]") {
			words = strings.TrimSuffix(list, "]")
		}
		return slices.Contains(strings.Fields(words), scope)
	})
}
