package follow

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// tokenLife returns how long a connection with a token may last. The server verifies the token;
// here its expiry only determines the time of the renewal. A token without an expiry counts as
// valid for the whole connection.
func tokenLife(token string, now time.Time) time.Duration {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return longestLife
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return longestLife
	}
	var claims struct {
		Exp float64 `json:"exp"`
	}
	if json.Unmarshal(text, &claims) != nil || claims.Exp == 0 {
		return longestLife
	}
	life := time.Unix(int64(claims.Exp), 0).Sub(now)
	if life <= 0 || life > longestLife {
		return longestLife
	}
	return life
}
