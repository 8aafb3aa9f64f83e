package issuer

import (
	"crypto/rsa"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"example.com/parley/internal/config"
)

// clockSlack is how far the clock of the machine that signs may be ahead. A token that was issued
// in the future is refused.
const clockSlack = time.Minute

// AppToken describes a token that an app signs with its own key.
type AppToken struct {
	Issuer, Audience, KeyID, User string
	// Life is the time from the token's issue to its expiry, at most config.OwnTokenLife.
	Life time.Duration
	More []Claim
}

// Sign signs the token. It is issued a little before now, in case this machine's clock is ahead.
func (a AppToken) Sign(key *rsa.PrivateKey, now time.Time) (string, error) {
	switch {
	case a.Issuer == "" || a.Audience == "" || a.KeyID == "" || a.User == "":
		return "", errors.New("create a token: the issuer, the audience, the key's id or the user is missing")
	case a.Life <= clockSlack || a.Life > config.OwnTokenLife:
		return "",
			fmt.Errorf("create a token: a life of %s is not between %s and %s", a.Life, clockSlack, config.OwnTokenLife)
	}
	issued := now.Add(-clockSlack)
	claims := jwt.MapClaims{
		"iss": a.Issuer, "aud": a.Audience, "sub": a.User, "iat": issued.Unix(), "exp": issued.Add(a.Life).Unix(),
	}
	for _, c := range a.More {
		claims[c.Name] = c.Value
	}
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	token.Header["kid"] = a.KeyID
	text, err := token.SignedString(key)
	if err != nil {
		return "", fmt.Errorf("create a token: %w", err)
	}
	return text, nil
}
