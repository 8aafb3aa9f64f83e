// Prints a token for a user and their name. In your server, call sign for a user whom it has signed
// in.
package main

import (
	"cmp"
	"crypto/rsa"
	"fmt"
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// sign signs a token of an hour. It is issued a minute ago, in case this clock is ahead.
func sign(key *rsa.PrivateKey, user, name string) (string, error) {
	issued := time.Now().Add(-time.Minute)
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{
		"iss": cmp.Or(os.Getenv("ISSUER"), "urn:parley:local"), "aud": "parley", "sub": user, "username": name,
		"iat": issued.Unix(), "exp": issued.Add(time.Hour).Unix(),
	})
	token.Header["kid"] = os.Getenv("KEY_ID")
	return token.SignedString(key)
}

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(user, name string) error {
	text, err := os.ReadFile(cmp.Or(os.Getenv("KEY"), "private.pem")) // #nosec G703 -- the operator names the file
	if err != nil {
		return err
	}
	key, err := jwt.ParseRSAPrivateKeyFromPEM(text)
	if err != nil {
		return err
	}
	token, err := sign(key, user, name)
	fmt.Println(token)
	return err
}
